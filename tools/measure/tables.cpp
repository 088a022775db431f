#include "measure/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>

#include "base/text.hpp"
#include "measure/ranking.hpp"

namespace weft::cli {

namespace {

using Seconds = Statistics ExchangeRecord::*;
constexpr Seconds with_barrier = &ExchangeRecord::with_barrier;
constexpr Seconds without_barrier = &ExchangeRecord::without_barrier;

/// Columns under one heading.
struct Block {
    std::string heading;
    std::vector<std::string> columns;
    std::function<std::optional<double>(Index bytes, std::size_t column)> value;
};

/// Four digits or so, whatever the size of the number.
std::string number(double value) {
    if (value < 10) return fmt::format("{:.2f}", value);
    return value < 1000 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

/// A block's part of a line: its cells, as wide as its heading at least.
std::string block_text(const Block& block, const std::vector<std::string>& cells) {
    std::string text;
    for (const std::string& cell : cells) text += fmt::format("{:>10}", cell);
    return fmt::format("  {:<{}}", text, block.heading.size());
}

std::string trimmed_line(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

/// Rows without any value are left out.
std::string rows_text(const std::string& title, const std::vector<Index>& rows,
                      const std::vector<Block>& blocks) {
    std::string headings = fmt::format("{:>10}", "");
    std::string columns = fmt::format("{:>10}", "bytes");
    for (const Block& block : blocks) {
        headings += fmt::format("  {:<{}}", block.heading, 10 * block.columns.size());
        columns += block_text(block, block.columns);
    }
    std::string text =
        fmt::format("{}\n{}{}", title, trimmed_line(headings), trimmed_line(columns));
    for (const Index bytes : rows) {
        std::string line = fmt::format("{:>10}", bytes);
        bool empty = true;
        for (const Block& block : blocks) {
            std::vector<std::string> cells;
            for (std::size_t i = 0; i < block.columns.size(); ++i) {
                const std::optional<double> value = block.value(bytes, i);
                cells.push_back(value ? number(*value) : "-");
                empty = empty && !value;
            }
            line += block_text(block, cells);
        }
        if (!empty) text += trimmed_line(line);
    }
    return text;
}

/// The columns from `first` on, at most `most`.
Block part(const Block& block, std::size_t first, std::size_t most) {
    const std::size_t last = std::min(block.columns.size(), first + most);
    return {block.heading,
            {block.columns.begin() + static_cast<std::ptrdiff_t>(first),
             block.columns.begin() + static_cast<std::ptrdiff_t>(last)},
            [=, value = block.value](Index bytes, std::size_t column) {
                return value(bytes, first + column);
            }};
}

/// Beside each other if that fits 80 columns, otherwise below each other, as many columns at a time
/// as fit.
std::string table(const std::string& title, const std::vector<Index>& rows,
                  const std::vector<Block>& blocks) {
    constexpr std::size_t most_columns = 6;
    std::size_t columns = 0;
    for (const Block& block : blocks) columns += block.columns.size();
    if (columns <= most_columns) return rows_text(title, rows, blocks);
    std::vector<std::string> parts;
    for (const Block& block : blocks) {
        for (std::size_t first = 0; first < block.columns.size(); first += most_columns) {
            parts.push_back(rows_text(title, rows, {part(block, first, most_columns)}));
        }
    }
    return fmt::format("{}", fmt::join(parts, "\n"));
}

std::vector<std::string> rank_columns(const ExchangeRecords& records) {
    std::vector<std::string> columns;
    for (const int ranks : ranks_of(records)) columns.push_back(fmt::format("{} ranks", ranks));
    return columns;
}

/// A block of one column for each number of ranks, with and without a barrier.
template <class Value>
std::vector<Block> by_ranks(const ExchangeRecords& records, const Value& value) {
    std::vector<Block> blocks;
    for (const Seconds seconds : {with_barrier, without_barrier}) {
        const char* heading = seconds == with_barrier ? "with a barrier before" : "without";
        blocks.push_back({heading, rank_columns(records),
                          [=, ranks = ranks_of(records)](Index bytes, std::size_t column) {
                              return value(seconds, ranks[column], bytes);
                          }});
    }
    return blocks;
}

std::optional<double> median(const ExchangeRecords& records, const std::string& method,
                             Seconds seconds, int ranks, Index bytes) {
    const ExchangeRecord* record = find(records, method, ranks, bytes);
    if (record == nullptr) return {};
    return (record->*seconds).quartiles.median;
}

std::optional<double> over(std::optional<double> value, std::optional<double> reference) {
    if (!value || !reference || *reference <= 0) return {};
    return *value / *reference;
}

std::optional<double> microseconds(std::optional<double> seconds) {
    if (!seconds) return {};
    return 1e6 * *seconds;
}

}  // namespace

std::string times_table(const ExchangeRecords& records, const std::string& method) {
    const auto value = [&](Seconds seconds, int ranks, Index bytes) {
        return microseconds(median(records, method, seconds, ranks, bytes));
    };
    return table(fmt::format("{}: microseconds of the slowest rank, medians", method),
                 bytes_of(records), by_ranks(records, value));
}

std::string ratios_table(const ExchangeRecords& records, const std::string& method) {
    const auto value = [&](Seconds seconds, int ranks, Index bytes) {
        return over(median(records, method, seconds, ranks, bytes),
                    median(records, reference_method, seconds, ranks, bytes));
    };
    return table(fmt::format("{} / {}", method, reference_method), bytes_of(records),
                 by_ranks(records, value));
}

std::string statistics_table(const ExchangeRecords& records, const std::string& method, int ranks) {
    std::vector<Block> blocks;
    for (const Seconds seconds : {with_barrier, without_barrier}) {
        const auto value = [&, seconds](Index bytes, std::size_t column) -> std::optional<double> {
            const ExchangeRecord* record = find(records, method, ranks, bytes);
            if (record == nullptr) return {};
            const Statistics& all = record->*seconds;
            const std::array<double, 3> values = {all.quartiles.median, all.mean, all.deviation};
            return 1e6 * values.at(column);
        };
        blocks.push_back({seconds == with_barrier ? "with a barrier before" : "without",
                          {"median", "mean", "deviation"},
                          value});
    }
    return table(fmt::format("{} on {} ranks: microseconds of the slowest rank", method, ranks),
                 bytes_of(records), blocks);
}

std::string kway_table(const ExchangeRecords& records, int ranks) {
    std::vector<int> all;
    for (const std::string& method : methods_of(records)) {
        const core::Call call = core::parse_call(method);
        if (call.name == "kway" && call.has_arguments) {
            all.push_back(core::parse_int(call.arguments, "kway"));
        }
    }
    if (all.empty()) return "";
    std::sort(all.begin(), all.end());
    std::vector<std::string> columns(all.size());
    std::transform(all.begin(), all.end(), columns.begin(),
                   [](int k) { return fmt::format("k = {}", k); });
    const auto value = [&](Index bytes, std::size_t column) {
        return microseconds(
            median(records, fmt::format("kway({})", all[column]), with_barrier, ranks, bytes));
    };
    return table(
        fmt::format("kway(k) on {} ranks: microseconds of the slowest rank, medians", ranks),
        bytes_of(records), {{"with a barrier before", columns, value}});
}

std::string comparison_table(const ExchangeRecords& a, const ExchangeRecords& b,
                             const std::string& method) {
    const auto value = [&](Seconds seconds, int ranks, Index bytes) {
        return over(median(b, method, seconds, ranks, bytes),
                    median(a, method, seconds, ranks, bytes));
    };
    return table(fmt::format("{}: B / A", method), bytes_of(a), by_ranks(a, value));
}

std::string tables(const ExchangeRecords& records, bool each, bool spread) {
    std::vector<std::string> all;
    for (const int ranks : ranks_of(records)) {
        all.push_back(fastest_table(records, ranks));
        all.push_back(ranking_table(records, ranks));
    }
    if (each || spread) all.push_back(times_table(records, reference_method));
    for (const std::string& method : methods_of(records)) {
        if (each && method != reference_method) all.push_back(ratios_table(records, method));
    }
    for (const int ranks : ranks_of(records)) all.push_back(kway_table(records, ranks));
    for (const std::string& method : methods_of(records)) {
        for (const int ranks : ranks_of(records)) {
            if (spread) all.push_back(statistics_table(records, method, ranks));
        }
    }
    std::erase(all, "");
    return fmt::format("{}", fmt::join(all, "\n"));
}

std::string comparison(const ExchangeRecords& a, const ExchangeRecords& b) {
    ExchangeRecords common;
    std::copy_if(a.begin(), a.end(), std::back_inserter(common), [&](const ExchangeRecord& record) {
        return find(b, record.method, record.ranks, record.bytes) != nullptr;
    });
    if (common.empty()) {
        core::bad_request(
            "the two runs have no method, number of ranks and size of messages in common");
    }
    std::vector<std::string> all;
    for (const std::string& method : methods_of(common)) {
        all.push_back(comparison_table(common, b, method));
    }
    return fmt::format("A: {}\nB: {}\n\n{}", a.front().machine.mpi, b.front().machine.mpi,
                       fmt::join(all, "\n"));
}

}  // namespace weft::cli
