// Predictions for readers and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "model/predict.hpp"
#include "plan/explain.hpp"

namespace weft::core {

namespace {

/// Consecutive numbers of ranks on which the same decomposition is fastest.
struct RankRange {
    std::string name;
    int first = 1;
    int last = 1;
};

/// Of those on which all ranks compute.
std::vector<RankRange> rank_ranges(const std::vector<Prediction>& rows) {
    std::vector<RankRange> result;
    for (const Prediction& row : rows) {
        if (&row != fastest(rows, row.ranks)) continue;
        if (!result.empty() && result.back().name == row.name) {
            result.back().last = row.ranks;
        } else {
            result.push_back({row.name, row.ranks, row.ranks});
        }
    }
    return result;
}

}  // namespace

std::string milliseconds_text(double seconds) {
    const double ms = 1e3 * seconds;
    if (ms >= 1e-6 && ms < 0.01) return fmt::format("{:.6f}", ms);
    const int decimals = ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0;
    return fmt::format("{:.{}f}", ms, decimals);
}

namespace {

/// `slab on 2-8 ranks, pencil on 16`.
std::string text_of(const std::vector<RankRange>& ranges) {
    std::vector<std::string> words;
    for (const RankRange& range : ranges) {
        const char* unit = words.empty() ? " ranks" : "";
        words.push_back(
            range.first == range.last
                ? fmt::format("{} on {}{}", range.name, range.first, unit)
                : fmt::format("{} on {}-{}{}", range.name, range.first, range.last, unit));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

/// `1 takes 0.2 ms`.
std::string took(const Prediction& row) {
    return fmt::format("{} {} {} ms", row.ranks, row.ranks == 1 ? "takes" : "take",
                       milliseconds_text(row.seconds()));
}

/// On the most ranks that all compute, the fastest.
const Prediction& on_most_ranks(const std::vector<Prediction>& rows) {
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [](const Prediction& row) {
        return row.own || row.name != "shrink";
    });
    return *fastest(rows, last->ranks);
}

}  // namespace

Verdict verdict(const std::vector<Prediction>& rows) {
    // Predictions that are nearer to each other than this say nothing about which is faster.
    constexpr double tie = 1.01;
    const Prediction& best = *fastest(rows);
    if (rows.front().ranks == rows.back().ranks) {
        const std::string fewer = best.shrink > 0 ? fmt::format("; shrink={}", best.shrink) : "";
        return {
            fmt::format("{}{} is fastest on {} {}: {} ms", best.decomposition, fewer, best.ranks,
                        best.ranks == 1 ? "rank" : "ranks", milliseconds_text(best.seconds())),
            ""};
    }
    const Prediction& most = on_most_ranks(rows);
    const std::vector<RankRange> ranges = rank_ranges(rows);
    if (most.ranks == best.ranks) {
        return {"fastest: " + text_of(ranges), "no fewer ranks are faster: " + took(best)};
    }
    const std::string both = took(best) + ", " + took(most);
    if (most.seconds() <= tie * best.seconds()) {
        return {"fastest: " + text_of(ranges), "more ranks are as fast, not faster: " + both};
    }
    const std::string slower = "more ranks are slower: " + both;
    if (best.ranks > 1) return {"fastest: " + text_of(ranges), slower};
    std::vector<Prediction> others;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(others),
                 [](const Prediction& row) { return row.ranks > 1; });
    return {fmt::format("fastest: 1 rank alone, {} ms; of more, {}",
                        milliseconds_text(best.seconds()), text_of(rank_ranges(others))),
            slower};
}

std::string prediction_table(const std::vector<Prediction>& rows) {
    std::string text =
        fmt::format("{:>7}  {:<7} {:<10} {:>9} {:>9} {:>9} {:>9} {:>8}\n", "ranks", "by", "grid",
                    "total ms", "work", "exchange", "eqs. 2-3", "GB/s");
    for (const Prediction& row : rows) {
        text += fmt::format(
            "{:>7}  {:<7} {:<10} {:>9} {:>9} {:>9} {:>9} {:>8}{}{}\n", row.ranks, row.name,
            row.grid, milliseconds_text(row.seconds()), milliseconds_text(row.price.work()),
            milliseconds_text(row.price.exchange()), milliseconds_text(row.even_exchange),
            row.bandwidth ? fmt::format("{:.3f}", 1e-9 * *row.bandwidth) : "-",
            row.fastest ? " *" : "",
            row.placements.on_device() ? (row.fastest ? " " : "   ") + row.placements.text() : "");
    }
    return text;
}

std::string prediction_csv(const std::vector<Prediction>& rows) {
    std::string text =
        "ranks,name,grid,seconds,work,exchange,even_exchange,bandwidth,messages,bytes,fastest,"
        "decomposition\n";
    for (const Prediction& row : rows) {
        text += fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{:.6g},{:d},\"{}\"\n",
                            row.ranks, row.name, row.grid, row.seconds(), row.price.work(),
                            row.price.exchange(), row.even_exchange,
                            row.bandwidth ? fmt::format("{:.6g}", *row.bandwidth) : "",
                            row.price.messages, row.price.bytes, row.fastest, row.decomposition);
    }
    return text;
}

std::string stages_text(const Plan& plan, const PlanPrice& price, const Machine& machine) {
    const bool hops = plan.placements.on_device();
    std::string text = fmt::format(
        "predicted  on {}, the slowest of a few ranks in each stage, in ms\n", machine.name);
    const auto row = [&](const std::string& what, const std::vector<std::string>& cells) {
        text += fmt::format("  {:<26}", what);
        for (const std::string& cell : cells) text += fmt::format(" {:>9}", cell);
        text += '\n';
    };
    const auto line = [&](const std::string& what, const StagePrice& stage) {
        std::vector<std::string> cells = {milliseconds_text(stage.seconds()),
                                          milliseconds_text(stage.work),
                                          milliseconds_text(stage.exchange)};
        if (hops) cells.push_back(milliseconds_text(stage.hop));
        row(what, cells);
    };
    std::vector<std::string> head = {"all", "work", "exchange"};
    if (hops) head.emplace_back("hops");
    row("", head);
    for (std::size_t i = 0; i < price.stages.size(); ++i) {
        const bool is_redistribution = redistribution_at(plan, i) != nullptr;
        line(fmt::format("stage {:<2} {}", i, is_redistribution ? "redistribution" : "transform"),
             price.stages[i]);
    }
    line("all", {price.work(), price.exchange(), price.hop()});
    return text;
}

}  // namespace weft::core
