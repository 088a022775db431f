// The tables of `weft exchange`, as [schulz] section 5 prints them: a row for each size of
// messages.
#pragma once

#include <string>

#include "measure/record.hpp"

namespace weft::cli {

/// A method's median microseconds, with a barrier before each call and without.
std::string times_table(const ExchangeRecords& records, const std::string& method);

/// The same over those of MPI_Alltoall.
std::string ratios_table(const ExchangeRecords& records, const std::string& method);

/// Median, mean and standard deviation of a method's microseconds.
std::string statistics_table(const ExchangeRecords& records, const std::string& method, int ranks);

/// The microseconds of kway(k) by k ([gholami] Fig. 3); empty if there is none among the methods.
std::string kway_table(const ExchangeRecords& records, int ranks);

/// A method's times in one run over those in another.
std::string comparison_table(const ExchangeRecords& a, const ExchangeRecords& b,
                             const std::string& method);

/// All of one run: for each number of ranks what is fastest at each size, and how methods compare;
/// by k; for `each` method its ratios; with `spread` the statistics of each.
std::string tables(const ExchangeRecords& records, bool each, bool spread);

/// All methods of two runs. Throws Error(bad_request) if they have nothing in common.
std::string comparison(const ExchangeRecords& a, const ExchangeRecords& b);

}  // namespace weft::cli
