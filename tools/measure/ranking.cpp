#include "measure/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/text.hpp"
#include "measure/json.hpp"

namespace weft::cli {

namespace {

double median(const ExchangeRecord& record) { return record.with_barrier.quartiles.median; }

/// The fastest of weft's methods at that size; null if none was measured.
const ExchangeRecord* fastest(const ExchangeRecords& records, int ranks, Index bytes) {
    const ExchangeRecord* best = nullptr;
    for (const ExchangeRecord& record : records) {
        const bool here = record.ranks == ranks && record.bytes == bytes;
        if (!here || record.method == reference_method) continue;
        if (best == nullptr || median(record) < median(*best)) best = &record;
    }
    return best;
}

Ranked ranked(const ExchangeRecords& records, const std::string& method, int ranks) {
    Ranked result{method};
    double logarithms = 0;
    for (const Index bytes : bytes_of(records)) {
        // A method that moves nothing shows what its call costs, not how well it exchanges.
        if (bytes == 0) continue;
        const ExchangeRecord* one = find(records, method, ranks, bytes);
        const ExchangeRecord* reference = find(records, reference_method, ranks, bytes);
        if (one == nullptr || reference == nullptr) continue;
        // A clock may not tell the shortest times from none.
        if (median(*one) <= 0 || median(*reference) <= 0) continue;
        const double ratio = median(*one) / median(*reference);
        logarithms += std::log(ratio);
        result.largest = std::max(result.largest, ratio);
        if (fastest(records, ranks, bytes) == one) ++result.fastest_at;
        ++result.sizes;
    }
    if (result.sizes > 0) result.ratio = std::exp(logarithms / result.sizes);
    return result;
}

std::string sizes_text(int sizes) { return fmt::format("{} size{}", sizes, sizes == 1 ? "" : "s"); }

}  // namespace

std::vector<Ranked> ranking(const ExchangeRecords& records, int ranks) {
    std::vector<Ranked> result;
    for (const std::string& method : methods_of(records)) {
        if (method == reference_method) continue;
        const Ranked one = ranked(records, method, ranks);
        if (one.sizes > 0) result.push_back(one);
    }
    // Means over other sizes are not comparable: what was left out of some comes last.
    std::stable_sort(result.begin(), result.end(), [](const Ranked& a, const Ranked& b) {
        return a.sizes != b.sizes ? a.sizes > b.sizes : a.ratio < b.ratio;
    });
    return result;
}

std::string exchange_verdict(const ExchangeRecords& records) {
    const std::vector<int> counts = ranks_of(records);
    const int most = *std::max_element(counts.begin(), counts.end());
    const std::vector<Ranked> all = ranking(records, most);
    if (all.empty()) {
        return fmt::format("no method was measured with messages of 1 byte or more on {} ranks",
                           most);
    }
    const Ranked& best = all.front();
    return fmt::format(
        "on {} ranks {} is fastest over all: {:.2f} of {}'s time in the mean of {}, fastest at {} "
        "of them; at worst {:.2f}",
        most, best.method, best.ratio, reference_method, sizes_text(best.sizes), best.fastest_at,
        best.largest);
}

std::string ranking_table(const ExchangeRecords& records, int ranks) {
    std::string text =
        fmt::format("methods on {} ranks, times over those of {}\n", ranks, reference_method);
    text += fmt::format("  {:<34} {:>8} {:>8} {:>12} {:>7}\n", "via", "mean", "worst", "fastest at",
                        "sizes");
    for (const Ranked& one : ranking(records, ranks)) {
        text += fmt::format("  {:<34} {:>8.2f} {:>8.2f} {:>12} {:>7}\n", one.method, one.ratio,
                            one.largest, one.fastest_at, one.sizes);
    }
    return text;
}

std::string fastest_table(const ExchangeRecords& records, int ranks) {
    std::string text = fmt::format(
        "on {} ranks, microseconds of the slowest rank, medians with a barrier before\n", ranks);
    text += fmt::format("{:>10} {:>14} {:>12} {:>8}  {}\n", "bytes", reference_method, "fastest",
                        "ratio", "via");
    for (const Index bytes : bytes_of(records)) {
        const ExchangeRecord* reference = find(records, reference_method, ranks, bytes);
        const ExchangeRecord* best = fastest(records, ranks, bytes);
        if (reference == nullptr || best == nullptr) continue;
        const bool measurable = median(*reference) > 0;
        text += fmt::format(
            "{:>10} {:>14.2f} {:>12.2f} {:>8}  {}\n", bytes, 1e6 * median(*reference),
            1e6 * median(*best),
            measurable ? fmt::format("{:.2f}", median(*best) / median(*reference)) : "-",
            best->method);
    }
    return text;
}

std::string exchange_json(const ExchangeRecords& records) {
    Json all = {{"verdict", exchange_verdict(records)},
                {"rankings", Json::array()},
                {"results", Json::array()}};
    for (const int ranks : ranks_of(records)) {
        for (const Ranked& one : ranking(records, ranks)) {
            all["rankings"].push_back({{"ranks", ranks},
                                       {"method", one.method},
                                       {"ratio", one.ratio},
                                       {"largest", one.largest},
                                       {"fastest_at", one.fastest_at},
                                       {"sizes", one.sizes}});
        }
    }
    std::istringstream lines(json_lines(records));
    for (std::string line; std::getline(lines, line);) all["results"].push_back(Json::parse(line));
    return all.dump(1) + "\n";
}

}  // namespace weft::cli
