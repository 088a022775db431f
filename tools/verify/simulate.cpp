#include "verify/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/error.hpp"

namespace weft::core {

Simulation::Simulation(const Plan& plan, const LocalOptions& options)
    : plan_(plan),
      team_(plan.choice.threads),
      world_(plan.ranks, options),
      random_(options.seed + 1) {
    // However little there is, so that simulations see what only large transforms do.
    const Workers workers{team_, 0, 0};
    for (int rank = 0; rank < plan.ranks; ++rank) {
        const Index in_bytes = plan.at.front().bytes(rank);
        const Index out_bytes = plan.at.back().bytes(rank);
        nets_.push_back(world_.net(rank));
        in_.emplace_back(plan.problem.in_place ? std::max(in_bytes, out_bytes) : in_bytes);
        out_.emplace_back(plan.problem.in_place ? 0 : out_bytes);
        Net& net = *nets_.back();
        Bound bound{in(rank), out(rank)};
        if (options.exposed_arrays) {
            bound.out_region = net.expose(bound.out, out_bytes);
            bound.in_region = net.expose(bound.in, in_bytes);
        }
        const Programs& programs = *programs_.emplace_back(std::make_unique<Programs>(
            plan, rank,
            Environment{world_.topology(), true, options.exposed_arrays, options.exposed_arrays}));
        programs.join(net);
        programs.share(net);
        workspace_.emplace_back(programs.memory.workspace_bytes);
        bound.workspace = workspace_.back().data();
        EnginePlans plans(engine(plan.choice.engine), plan.choice.effort, workers);
        forward_.push_back(
            std::make_unique<Executor>(programs.forward, bound, plans, workers, net));
        backward_.push_back(
            std::make_unique<Executor>(programs.backward, bound.reversed(), plans, workers, net));
    }
    for (std::size_t rank = 0; rank < forward_.size(); ++rank) {
        forward_[rank]->connect();
        backward_[rank]->connect();
    }
}

std::byte* Simulation::in(int rank) const { return in_[static_cast<std::size_t>(rank)].data(); }

std::byte* Simulation::out(int rank) const {
    if (plan_.problem.in_place) return in(rank);
    return out_[static_cast<std::size_t>(rank)].data();
}

void Simulation::run(bool backward) {
    // A rank that cannot go on looks for its messages again on its next turn; delays run out after
    // a few looks, so a round of turns without progress longer than that is a deadlock.
    constexpr int patience = 1000;
    std::vector<Executor*> running;
    for (auto& executor : backward ? backward_ : forward_) {
        executor->start();
        if (!executor->done()) running.push_back(executor.get());
    }
    int rounds_without_progress = 0;
    while (!running.empty()) {
        random_.shuffle(running);
        bool progress = false;
        for (Executor* executor : running) {
            // Some operations at a time, so that ranks overtake each other.
            for (Index turns = random_.between(1, 3); turns > 0 && !executor->done(); --turns) {
                if (!executor->advance()) break;
                progress = true;
            }
        }
        std::erase_if(running, [](const Executor* executor) { return executor->done(); });
        rounds_without_progress = progress ? 0 : rounds_without_progress + 1;
        if (rounds_without_progress > patience) {
            throw Error(ErrorCode::system,
                        fmt::format("deadlock: {} of {} ranks wait for each other", running.size(),
                                    plan_.ranks));
        }
    }
    if (world_.undelivered() != 0) {
        throw Error(ErrorCode::system,
                    fmt::format("{} messages were never received", world_.undelivered()));
    }
}

}  // namespace weft::core
