#include "fft/team_engine.hpp"

#include <algorithm>
#include <cstdlib>

namespace weft::core {

namespace {

/// Which arrays a step reads and writes: the source and the target of the whole task, or only one.
enum class StepArrays { across, in_source, in_target };

struct Step {
    FftTask task;
    StepArrays place = StepArrays::across;
};

Index distance(const Loop& loop) { return std::abs(loop.from) + std::abs(loop.to); }

using Iterator = std::vector<Loop>::iterator;

/// The loop that keeps threads busiest; among those the one of the longest steps, so that they keep
/// apart. There is one at least.
Iterator best_to_cut(Iterator begin, Iterator end, int threads) {
    return std::max_element(begin, end, [threads](const Loop& a, const Loop& b) {
        const double busy_a = evenness(a.extent, threads);
        const double busy_b = evenness(b.extent, threads);
        return busy_a != busy_b ? busy_a < busy_b : distance(a) < distance(b);
    });
}

/// All axes but the complex one that is best to cut, which becomes a loop; and that one by itself:
/// c2r begins with it, others end with it.
std::vector<Step> two_steps(const FftTask& task, int threads) {
    FftTask others = task;
    auto& axes = others.complex_axes;
    const bool begins = task.line.kind == Kind::c2r;
    const auto in_turn = begins ? axes.end() - 1 : axes.begin();
    const auto apart =
        task.line.reproducible ? in_turn : best_to_cut(axes.begin(), axes.end(), threads);
    const Loop axis = *apart;
    const auto number = apart - axes.begin();
    axes.erase(apart);
    if (!others.kinds.empty()) others.kinds.erase(others.kinds.begin() + number);

    const auto within = [&](Loop loop) {
        (begins ? loop.to : loop.from) = begins ? loop.from : loop.to;
        return loop;
    };
    FftTask alone{.line = task.line_along(static_cast<std::size_t>(number)), .in_place = true};
    alone.set_axes({within(axis)});
    for (const Loop& loop : task.looped) alone.looped.push_back(within(loop));
    for (const Loop& loop : axes) alone.looped.push_back(within(loop));
    Loop line = task.line_axis();
    line.extent = task.line.complex_length();
    alone.looped.push_back(within(line));

    others.looped.push_back(axis);
    if (begins) return {{alone, StepArrays::in_source}, {others, StepArrays::across}};
    return {{others, StepArrays::across}, {alone, StepArrays::in_target}};
}

class TeamPlan : public FftPlan {
  public:
    TeamPlan(const FftEngine& engine, Team& team, Effort effort, const std::vector<Step>& steps,
             std::byte* from, std::byte* to)
        : team_(team) {
        for (const Step& step : steps) {
            std::vector<Share>& shares = steps_.emplace_back();
            std::vector<Loop> loops = step.task.looped;
            const auto cut = best_to_cut(loops.begin(), loops.end(), team.size());
            const auto loop = static_cast<std::size_t>(cut - loops.begin());
            for (int thread = 0; thread < team.size(); ++thread) {
                Share& share = shares.emplace_back(Share{nullptr, step.place});
                const Index begin = cut_begin(cut->extent, team.size(), thread);
                const Index end = cut_begin(cut->extent, team.size(), thread + 1);
                const FftTask part = part_of(step.task, loop, begin, end);
                // Plans begin at the addresses that they are given, whatever offsets their task
                // has.
                share.from_bytes =
                    (part.from_offset - step.task.from_offset) * part.line.source().bytes();
                share.to_bytes =
                    (part.to_offset - step.task.to_offset) * part.line.target().bytes();
                if (begin == end) continue;
                share.plan =
                    engine.plan(part, effort, share.source(from, to), share.target(from, to));
            }
        }
    }

    void execute(std::byte* from, std::byte* to) override {
        for (const std::vector<Share>& shares : steps_) {
            team_.run([&](int thread) {
                const Share& share = shares[static_cast<std::size_t>(thread)];
                if (share.plan == nullptr) return;
                share.plan->execute(share.source(from, to), share.target(from, to));
            });
        }
    }

  private:
    /// What one thread does in one step.
    struct Share {
        std::unique_ptr<FftPlan> plan;
        StepArrays place = StepArrays::across;
        Index from_bytes = 0;
        Index to_bytes = 0;

        [[nodiscard]] std::byte* source(std::byte* from, std::byte* to) const {
            return (place == StepArrays::in_target ? to : from) + from_bytes;
        }
        [[nodiscard]] std::byte* target(std::byte* from, std::byte* to) const {
            return (place == StepArrays::in_source ? from : to) + to_bytes;
        }
    };

    Team& team_;
    std::vector<std::vector<Share>> steps_;
};

/// How much faster a step is than on one thread.
double speed_up(const Step& step, int threads) {
    std::vector<Loop> loops = step.task.looped;
    if (loops.empty()) return 1;
    const Index extent = best_to_cut(loops.begin(), loops.end(), threads)->extent;
    return std::max(1.0, threads * evenness(extent, threads));  // which is rounded
}

double least_speed_up(const std::vector<Step>& steps, int threads) {
    double least = threads;
    for (const Step& step : steps) least = std::min(least, speed_up(step, threads));
    return least;
}

/// The task in steps that can be cut.
std::vector<Step> steps_of(const FftTask& task, int threads) {
    std::vector<Step> one = {{task, StepArrays::across}};
    if (task.complex_axes.empty()) return one;
    std::vector<Step> two = two_steps(task, threads);
    return least_speed_up(two, threads) > least_speed_up(one, threads) ? two : one;
}

}  // namespace

double TeamEngine::cost(const FftTask& task, const CoreRates& rates) const {
    const double alone = engine_.cost(task, rates);
    if (is_empty(task) || alone < least_seconds_) return alone;
    return alone / least_speed_up(steps_of(task, team_.size()), team_.size());
}

std::unique_ptr<FftPlan> TeamEngine::plan(const FftTask& task, Effort effort, std::byte* from,
                                          std::byte* to) const {
    const bool alone = team_.size() == 1 || cost(task, rates_) == engine_.cost(task, rates_);
    if (alone) return engine_.plan(task, effort, from, to);
    std::vector<Step> steps = steps_of(task, team_.size());
    return std::make_unique<TeamPlan>(engine_, team_, effort, steps, from, to);
}

}  // namespace weft::core
