#include "tuned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "columns.hpp"
#include "measure/json.hpp"
#include "model/predict.hpp"
#include "plan/choice.hpp"

namespace weft::cli {

namespace {

std::string ms(double seconds) { return core::milliseconds_text(seconds) + " ms"; }

/// The text of a choice, which is empty where it leaves everything open.
std::string told(const std::string& choice) { return choice.empty() ? "the default" : choice; }

std::string runs_text(const std::vector<TunedRun>& runs) {
    if (runs.empty()) return "";
    std::string text = fmt::format("\n{:>8} {:>11} {:>11}  choice\n", "left", "took", "predicted");
    for (const TunedRun& run : runs) {
        const std::string left =
            std::isfinite(run.left) ? fmt::format("{:.1f} s", std::max(run.left, 0.0)) : "";
        text += fmt::format("{:>8} {:>11} {:>11}  {}\n", left,
                            run.failed.empty() ? ms(run.seconds) : "failed", ms(run.predicted),
                            wrapped(told(run.choice), 34));
        if (!run.failed.empty()) text += fmt::format("{:>33} {}\n", "", wrapped(run.failed, 34));
    }
    return text;
}

std::string outcome_text(const core::Outcome& outcome) {
    const core::Trial& winner = outcome.trials[outcome.winner];
    std::string text =
        fmt::format("ended      {}; {}, {} choices considered\n", outcome.ended,
                    core::number_of(static_cast<std::size_t>(outcome.evaluations), "run"),
                    outcome.trials.size());
    if (winner.seconds.empty()) return text + "winner     the estimate: nothing was run\n";
    text += fmt::format("winner     {} of {} to {}, the model said {}\n",
                        ms(core::median(winner.seconds)), ms(outcome.interval->low),
                        ms(outcome.interval->high), ms(winner.predicted));
    const auto add = [&](const char* label, const std::string& what) {
        text += fmt::format("{:<10} {}\n", label, wrapped(what, 11));
    };
    for (const std::size_t trial : outcome.tied) {
        const core::Trial& one = outcome.trials[trial];
        add("tied", ms(core::median(one.seconds)) + " " + told(weft::to_string(one.plan.choice)));
    }
    for (const core::Trial& trial : outcome.trials) {
        if (!trial.has_run() || trial.dropped.empty()) continue;
        add("dropped", fmt::format("{}: {}", told(weft::to_string(trial.open)), trial.dropped));
    }
    return text;
}

Json outcome_json(const core::Outcome& outcome) {
    const core::Trial& winner = outcome.trials[outcome.winner];
    Json tied = Json::array();
    for (const std::size_t trial : outcome.tied) {
        tied.push_back({{"seconds", core::median(outcome.trials[trial].seconds)},
                        {"choice", weft::to_string(outcome.trials[trial].plan.choice)}});
    }
    Json dropped = Json::array();
    for (const core::Trial& trial : outcome.trials) {
        if (!trial.has_run() || trial.dropped.empty()) continue;
        dropped.push_back({{"choice", weft::to_string(trial.open)}, {"why", trial.dropped}});
    }
    Json result = {{"ended", outcome.ended},
                   {"evaluations", outcome.evaluations},
                   {"choices", outcome.trials.size()},
                   {"predicted_s", winner.predicted},
                   {"tied", tied},
                   {"dropped", dropped}};
    const bool ran = !winner.seconds.empty();
    result["seconds"] = ran ? Json(core::median(winner.seconds)) : Json(nullptr);
    result["low"] = ran ? Json(outcome.interval->low) : Json(nullptr);
    result["high"] = ran ? Json(outcome.interval->high) : Json(nullptr);
    return result;
}

}  // namespace

std::string tune_verdict(const TunedPlan& found) {
    const std::string choice = weft::to_string(found.plan.choice);
    if (found.estimated) {
        return fmt::format("nothing was run; {} predicted on {}: {}",
                           time_text(found.estimated->seconds), found.estimated->machine, choice);
    }
    if (!found.outcome) {
        return fmt::format("known from earlier tuning{}: {}",
                           found.known.empty() ? "" : ", but stale", choice);
    }
    const core::Outcome& outcome = *found.outcome;
    const core::Trial& winner = outcome.trials[outcome.winner];
    if (winner.seconds.empty()) return "nothing was run, so this is the estimate: " + choice;
    return fmt::format("{} is the fastest of {} choices that were considered, in {}: {}",
                       time_text(core::median(winner.seconds)), outcome.trials.size(),
                       core::number_of(static_cast<std::size_t>(outcome.evaluations), "run"),
                       choice);
}

std::string tune_text(const TunedPlan& found, const std::vector<TunedRun>& runs) {
    std::string text = verdict_text(tune_verdict(found)) +
                       fmt::format("plan       {}\n", core::to_string(found.plan));
    if (found.estimated) return text;
    if (found.outcome) return text + outcome_text(*found.outcome) + runs_text(runs);
    text += "known      from earlier tuning; weft wisdom show tells how it was found\n";
    if (!found.known.empty()) text += fmt::format("stale      {}\n", found.known);
    return text;
}

std::string tune_json(const TunedPlan& found, const std::vector<TunedRun>& runs) {
    Json all = {{"verdict", tune_verdict(found)},
                {"plan", core::to_string(found.plan)},
                {"choice", weft::to_string(found.plan.choice)},
                {"known", !found.outcome && !found.estimated}};
    all["predicted_s"] = found.estimated ? Json(found.estimated->seconds) : Json(nullptr);
    all["stale"] = found.known.empty() ? Json(nullptr) : Json(found.known);
    all["outcome"] = found.outcome ? outcome_json(*found.outcome) : Json(nullptr);
    all["runs"] = Json::array();
    for (const TunedRun& run : runs) {
        Json one = {{"choice", run.choice}, {"predicted_s", run.predicted}};
        one["seconds"] = run.failed.empty() ? Json(run.seconds) : Json(nullptr);
        one["left_s"] = std::isfinite(run.left) ? Json(run.left) : Json(nullptr);
        if (!run.failed.empty()) one["failed"] = run.failed;
        all["runs"].push_back(one);
    }
    return all.dump(1) + "\n";
}

}  // namespace weft::cli
