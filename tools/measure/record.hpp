// What `weft exchange` has measured, and how it is kept in files.
#pragma once

#include <string>
#include <vector>

#include "measure/machine.hpp"
#include "measure/statistics.hpp"
#include "weft/box.hpp"

namespace weft::cli {

/// The name of what all methods are compared with.
inline constexpr const char* reference_method = "MPI_Alltoall";

/// One method at one number of ranks and one size of messages. Seconds of the slowest rank.
struct ExchangeRecord {
    std::string method;
    int ranks = 0;
    Index bytes = 0;      ///< from each rank to each other
    std::string problem;  ///< weft's text of the exchange
    int repeats = 0;
    Statistics with_barrier;
    Statistics without_barrier;
    Machine machine{};
};

using ExchangeRecords = std::vector<ExchangeRecord>;

/// The record of that method, ranks and bytes; null if there is none.
const ExchangeRecord* find(const ExchangeRecords& records, const std::string& method, int ranks,
                           Index bytes);

/// Each in the order in which it occurs first.
std::vector<std::string> methods_of(const ExchangeRecords& records);
std::vector<int> ranks_of(const ExchangeRecords& records);
std::vector<Index> bytes_of(const ExchangeRecords& records);

/// One object a line.
std::string json_lines(const ExchangeRecords& records);
/// The inverse; of the machine only the MPI library is read. Throws Error(bad_request) that names
/// the file and the line, unless json_lines wrote it.
ExchangeRecords parse_records(const std::string& text, const std::string& file);

/// A line of names, then a line for each record.
std::string csv(const ExchangeRecords& records);

}  // namespace weft::cli
