// The row-wise decomposition of [duy] section 2: the array as rows one after the other, dealt to
// the ranks in consecutive shares, whatever their number.
#pragma once

#include <vector>

#include "geometry/distribution.hpp"

namespace weft::core {

/// How many leading axes of that order are cut together: the least j with ranks <= N1*..*Nj, but
/// never all of them, so that the last axis of the order stays whole.
std::size_t row_cuts(const std::vector<Index>& shape, const std::vector<int>& order, int ranks);

/// The indices of the leading axes, flattened in that order, are cut in consecutive shares
/// (balanced: floor(N1*..*Nj * r / ranks) and on, [duy] eqs. 1 to 9); the other axes, and those
/// that `order` leaves out, are whole. The first `used` of the ranks own them; the first alone, if
/// j is 0. Rows that a process grid cuts alike (one axis; or N1*..*N(j-1) divides the ranks) are
/// that assignment, others are shares of one or two boxes for each rank.
///
/// Ranks may own more than others: shares are as long as their ranks weigh. Of two axes and more a
/// process grid cuts alike if each index of the first ones has whole periods of ranks; otherwise a
/// rank has 2*j-1 boxes at most.
Distribution row_wise(const std::vector<Index>& shape, int ranks, int used,
                      const std::vector<int>& order, const Split& split);

}  // namespace weft::core
