#include "explained.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "columns.hpp"
#include "exchange/transfers.hpp"
#include "geometry/census.hpp"
#include "measure/json.hpp"
#include "model/predict.hpp"
#include "plan/choice.hpp"
#include "plan/explain.hpp"
#include "plan/wire.hpp"
#include "program/lower.hpp"

namespace weft::cli {

namespace {

/// The most that a rank needs, of some ranks or all.
struct MemoryNeeded {
    std::vector<int> ranks;  ///< that were looked at
    Index workspace = 0;
    Index regions = 0;
};

core::Memory memory_of(const Explained& found, int rank) {
    return core::has_many_operations(found.given)
               ? core::memory_of_few_tiles(found.given, rank, found.environment)
               : core::memory_of(found.given, rank, found.environment);
}

MemoryNeeded memory_needed(const Explained& found) {
    MemoryNeeded result{core::representative_ranks(found.given)};
    for (const int rank : result.ranks) {
        const core::Memory memory = memory_of(found, rank);
        result.workspace = std::max(result.workspace, memory.workspace_bytes);
        result.regions = std::max(result.regions, memory.all_region_bytes());
    }
    return result;
}

/// The largest workspace of some ranks, and which these are unless they are all.
std::string workspace_text(const Explained& found) {
    const MemoryNeeded needed = memory_needed(found);
    const std::vector<int>& ranks = needed.ranks;
    if (ranks.empty()) {
        return "workspace  not computed, since a rank has very many messages; --rank 0 "
               "computes the workspace of rank 0\n";
    }
    const bool all = ranks.size() == static_cast<std::size_t>(found.plan.ranks);
    const char* whose = all ? "a rank" : "a rank of these";
    std::string text;
    if (!all) {
        text += fmt::format("looked at  {}\n",
                            wrapped(fmt::format("{} of {} ranks: {}", ranks.size(),
                                                found.plan.ranks, core::join(ranks, ", ")),
                                    11));
    }
    const char* most = core::has_many_operations(found.given) ? "about" : "at most";
    text += fmt::format("workspace  {} {} bytes on {}\n", most, needed.workspace, whose);
    if (needed.regions > 0) {
        text += fmt::format("regions    {} {} bytes on {}\n", most, needed.regions, whose);
    }
    return text;
}

/// The bytes that each redistribution moves between ranks.
std::vector<double> moved_bytes(const core::Plan& plan) {
    std::vector<double> result;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (core::redistribution_at(plan, i) == nullptr) continue;
        result.push_back(static_cast<double>(core::volume(plan.at[i].where, plan.at[i + 1].where) *
                                             core::sent_bytes(plan, i)));
    }
    return result;
}

Json boxes_json(const core::Layout& layout, int rank) {
    Json result = Json::array();
    for (const Box& box : layout.where.boxes(rank)) {
        result.push_back({{"lo", box.lo}, {"hi", box.hi}});
    }
    return result;
}

Json layouts_json(const Explained& found, const core::Words& words) {
    const int dims = static_cast<int>(found.plan.problem.shape.size());
    Json result = Json::array();
    for (std::size_t i = 0; i < found.plan.at.size(); ++i) {
        const core::Layout& layout = found.plan.at[i];
        Json one = {{"notation", words.states[i]},
                    {"layout", core::to_string(layout, dims)},
                    {"idle_ranks", found.plan.ranks - core::owners(layout.where)}};
        if (found.rank) one["boxes"] = boxes_json(layout, *found.rank);
        result.push_back(one);
    }
    return result;
}

Json stages_json(const Explained& found, const core::Words& words) {
    const std::vector<double> moved = moved_bytes(found.plan);
    Json result = Json::array();
    std::size_t redistribution = 0;
    for (std::size_t i = 0; i < found.plan.stages.size(); ++i) {
        const bool is_redistribution = core::redistribution_at(found.plan, i) != nullptr;
        Json one = {{"kind", is_redistribution ? "redistribution" : "transform"},
                    {"text", words.stages[i]}};
        if (is_redistribution) one["bytes"] = moved[redistribution++];
        if (found.price) {
            const core::StagePrice& price = found.price->stages[i];
            one["predicted_s"] = {
                {"work", price.work}, {"exchange", price.exchange}, {"hop", price.hop}};
        }
        result.push_back(one);
    }
    return result;
}

}  // namespace

std::string explain_verdict(const Explained& found) {
    const core::Plan& plan = found.plan;
    const std::vector<double> moved = moved_bytes(plan);
    double bytes = 0;
    for (const double some : moved) bytes += some;
    std::string text =
        fmt::format("{} on {}: {}", weft::to_string(plan.choice.decomposition),
                    plan.ranks == 1 ? "1 rank" : grouped(plan.ranks) + " ranks",
                    moved.empty() ? "no data is sent between ranks"
                                  : fmt::format("{} of {} between ranks",
                                                core::number_of(moved.size(), "redistribution"),
                                                core::bytes_text(bytes)));
    if (found.price) {
        text += fmt::format(", {} predicted on {}", time_text(found.price->seconds()),
                            found.machine.name);
    }
    const Index idle = core::idle_ranks(plan);
    if (idle == 0) return text;
    return text + fmt::format("; {} of the {} ranks {} idle all the time: there are parts for {}",
                              grouped(idle), grouped(plan.ranks), idle == 1 ? "is" : "are",
                              grouped(plan.ranks - idle));
}

std::string explain_text(const Explained& found) {
    std::string text = verdict_text(explain_verdict(found)) +
                       core::explain(found.plan, found.rank, found.nodes) + found.why +
                       workspace_text(found);
    if (found.rank) {
        const core::Memory memory = memory_of(found, *found.rank);
        const char* about = core::has_many_operations(found.given) ? "about " : "";
        text += fmt::format("           rank {}: {}{} bytes of workspace, {} of regions\n",
                            *found.rank, about, memory.workspace_bytes, memory.all_region_bytes());
    }
    if (found.price) text += core::stages_text(found.plan, *found.price, found.machine);
    return folded(text + found.program);
}

std::string explain_json(const Explained& found) {
    const core::Plan& plan = found.plan;
    const core::Words words = core::words_of(plan, found.nodes);
    const MemoryNeeded needed = memory_needed(found);
    Json all = {{"verdict", explain_verdict(found)},
                {"problem", weft::to_string(plan.problem)},
                {"ranks", plan.ranks},
                {"idle_ranks", core::idle_ranks(plan)},
                {"choice", weft::to_string(plan.choice)},
                {"plan", core::to_string(plan)},
                {"direction", plan.backward ? "backward" : "forward"},
                {"scale", plan.scale()},
                {"machine", found.machine.name},
                {"ranks_per_node", found.machine.ranks_per_node},
                {"layouts", layouts_json(found, words)},
                {"stages", stages_json(found, words)}};
    all["predicted_s"] = found.price ? Json(found.price->seconds()) : Json(nullptr);
    all["ranks_looked_at"] = needed.ranks;
    all["workspace_bytes"] = needed.ranks.empty() ? Json(nullptr) : Json(needed.workspace);
    all["region_bytes"] = needed.ranks.empty() ? Json(nullptr) : Json(needed.regions);
    all["bytes_are_estimated"] = core::has_many_operations(found.given);
    if (found.rank) {
        const core::Memory memory = memory_of(found, *found.rank);
        all["rank"] = {{"number", *found.rank},
                       {"workspace_bytes", memory.workspace_bytes},
                       {"region_bytes", memory.all_region_bytes()}};
    }
    if (!found.why.empty()) all["why"] = found.why;
    if (!found.program.empty()) all["program"] = found.program;
    return all.dump(1) + "\n";
}

}  // namespace weft::cli
