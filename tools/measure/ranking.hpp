// Which exchange methods are fastest, out of all that `weft exchange` has measured.
#pragma once

#include <string>
#include <vector>

#include "measure/record.hpp"

namespace weft::cli {

/// A method beside MPI_Alltoall on one number of ranks, over all sizes of 1 byte and more at which
/// both were measured; times are medians with a barrier before.
struct Ranked {
    std::string method;
    double ratio = 0;    ///< geometric mean of its times over MPI_Alltoall's
    double largest = 0;  ///< of these ratios
    int fastest_at = 0;  ///< sizes at which no other method is faster
    int sizes = 0;
};

/// Those measured at most sizes first, of these the fastest; without MPI_Alltoall itself.
std::vector<Ranked> ranking(const ExchangeRecords& records, int ranks);

/// Which method is fastest on the most ranks, and by how much.
std::string exchange_verdict(const ExchangeRecords& records);

/// The ranking as lines of 80 columns.
std::string ranking_table(const ExchangeRecords& records, int ranks);

/// For each size MPI_Alltoall's time and the fastest method's.
std::string fastest_table(const ExchangeRecords& records, int ranks);

/// The verdict, the rankings and all records.
std::string exchange_json(const ExchangeRecords& records);

}  // namespace weft::cli
