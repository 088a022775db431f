#include "fft/team_engine.hpp"

#include <algorithm>
#include <cstdlib>

namespace weft::core {

namespace {

/// Which arrays a step reads and writes: the source and the target of the whole task, or only one.
enum class Place { across, in_source, in_target };

struct Step {
    FftTask task;
    Place place = Place::across;
};

Index distance(const Loop& loop) { return std::abs(loop.from) + std::abs(loop.to); }

using Iterator = std::vector<Loop>::iterator;

/// The loop that leaves the fewest threads idle; among those the one of the longest steps, so that
/// threads keep apart. There is one at least.
Iterator best_to_cut(Iterator begin, Iterator end, int threads) {
    return std::max_element(begin, end, [threads](const Loop& a, const Loop& b) {
        const Index used_by_a = std::min<Index>(a.extent, threads);
        const Index used_by_b = std::min<Index>(b.extent, threads);
        return used_by_a != used_by_b ? used_by_a < used_by_b : distance(a) < distance(b);
    });
}

/// All axes but the one that is best to cut, which becomes a loop; and that one by itself, where
/// the data is complex: c2r begins with it, others end with it. The last axis may be halved and is
/// not taken.
std::vector<Step> two_steps(const FftTask& task, int threads) {
    FftTask others = task;
    auto& axes = others.transformed;
    const auto apart = best_to_cut(axes.begin(), axes.end() - 1, threads);
    const Loop axis = *apart;
    axes.erase(apart);

    const bool begins = task.kind == Kind::c2r;
    const auto within = [&](Loop loop) {
        (begins ? loop.to : loop.from) = begins ? loop.from : loop.to;
        return loop;
    };
    FftTask alone{Kind::c2c, task.sign, task.precision, {within(axis)}, {}};
    alone.in_place = true;
    for (const Loop& loop : task.looped) alone.looped.push_back(within(loop));
    for (const Loop& loop : axes) alone.looped.push_back(within(loop));
    Index& last = alone.looped.back().extent;
    if (task.kind != Kind::c2c) last = last / 2 + 1;

    others.looped.push_back(axis);
    if (begins) return {{alone, Place::in_source}, {others, Place::across}};
    return {{others, Place::across}, {alone, Place::in_target}};
}

bool is_empty(const FftTask& task) {
    const auto none = [](const Loop& loop) { return loop.extent == 0; };
    return std::any_of(task.transformed.begin(), task.transformed.end(), none) ||
           std::any_of(task.looped.begin(), task.looped.end(), none);
}

/// The part of a loop that one thread takes. Long loops are cut where tiles of any engine end.
Loop share_of(const Loop& loop, int threads, int thread, Index& begin) {
    constexpr Index tile = 16;
    const Index grain = loop.extent >= 4 * tile * threads ? tile : 1;
    const auto begin_of = [&](int i) {
        return i == threads ? loop.extent : part_begin(loop.extent / grain, threads, i) * grain;
    };
    begin = begin_of(thread);
    return {begin_of(thread + 1) - begin, loop.from, loop.to};
}

class TeamPlan : public FftPlan {
  public:
    TeamPlan(const FftEngine& engine, Team& team, Effort effort, std::vector<Step> steps,
             std::byte* from, std::byte* to)
        : team_(team) {
        for (Step& step : steps) {
            std::vector<Share>& shares = steps_.emplace_back();
            std::vector<Loop>& loops = step.task.looped;
            Loop& cut = *best_to_cut(loops.begin(), loops.end(), team.size());
            const Loop whole = cut;
            for (int thread = 0; thread < team.size(); ++thread) {
                Share& share = shares.emplace_back(Share{nullptr, step.place});
                Index begin = 0;
                cut = share_of(whole, team.size(), thread, begin);
                const Scalar source{step.task.precision, step.task.kind != Kind::r2c};
                const Scalar target{step.task.precision, step.task.kind != Kind::c2r};
                share.from_bytes = begin * whole.from * source.bytes();
                share.to_bytes = begin * whole.to * target.bytes();
                if (cut.extent == 0) continue;
                share.plan =
                    engine.plan(step.task, effort, share.source(from, to), share.target(from, to));
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
        Place place = Place::across;
        Index from_bytes = 0;
        Index to_bytes = 0;

        [[nodiscard]] std::byte* source(std::byte* from, std::byte* to) const {
            return (place == Place::in_target ? to : from) + from_bytes;
        }
        [[nodiscard]] std::byte* target(std::byte* from, std::byte* to) const {
            return (place == Place::in_source ? from : to) + to_bytes;
        }
    };

    Team& team_;
    std::vector<std::vector<Share>> steps_;
};

/// How many threads have something to do.
Index used_threads(std::vector<Loop> loops, int threads) {
    if (loops.empty()) return 1;
    return std::min<Index>(best_to_cut(loops.begin(), loops.end(), threads)->extent, threads);
}

/// The task in steps that can be cut.
std::vector<Step> steps_of(const FftTask& task, int threads) {
    const Index whole = used_threads(task.looped, threads);
    if (whole == threads || task.transformed.size() < 2) return {{task, Place::across}};
    std::vector<Step> steps = two_steps(task, threads);
    Index fewest = threads;
    for (const Step& step : steps) {
        fewest = std::min(fewest, used_threads(step.task.looped, threads));
    }
    return fewest > whole ? steps : std::vector<Step>{{task, Place::across}};
}

}  // namespace

double TeamEngine::cost(const FftTask& task) const {
    const double alone = engine_.cost(task);
    if (is_empty(task) || alone < least_seconds_) return alone;
    Index fewest = team_.size();
    for (const Step& step : steps_of(task, team_.size())) {
        fewest = std::min(fewest, used_threads(step.task.looped, team_.size()));
    }
    return alone / static_cast<double>(fewest);
}

std::unique_ptr<FftPlan> TeamEngine::plan(const FftTask& task, Effort effort, std::byte* from,
                                          std::byte* to) const {
    const bool worth = !is_empty(task) && engine_.cost(task) >= least_seconds_;
    std::vector<Step> steps = worth ? steps_of(task, team_.size()) : std::vector<Step>{};
    if (steps.empty() || used_threads(steps.front().task.looped, team_.size()) == 1) {
        return engine_.plan(task, effort, from, to);
    }
    return std::make_unique<TeamPlan>(engine_, team_, effort, std::move(steps), from, to);
}

}  // namespace weft::core
