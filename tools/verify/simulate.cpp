#include "verify/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "weft/error.hpp"

namespace weft::core {

Simulation::Simulation(const Plan& plan, const LocalOptions& options, Device* device,
                       bool device_arrays)
    : plan_(plan),
      device_(device),
      device_arrays_(device != nullptr && device_arrays),
      world_(plan.ranks, options),
      random_(options.seed + 1) {
    for (int rank = 0; rank < plan.ranks; ++rank) add_rank(rank, options);
    for (std::size_t rank = 0; rank < forward_.size(); ++rank) {
        forward_[rank]->connect();
        backward_[rank]->connect();
    }
}

void Simulation::add_rank(int rank, const LocalOptions& options) {
    if (rank == 0 || device_ != nullptr) {
        teams_.push_back(std::make_unique<Team>(plan_.choice.threads));
    }
    // However little there is, so that simulations see what only large transforms do.
    const Workers workers{*teams_.back(), 0, 0};
    const Index in_bytes = plan_.at.front().bytes(rank);
    const Index out_bytes = plan_.at.back().bytes(rank);
    nets_.push_back(world_.net(rank, device_));
    in_.emplace_back(plan_.problem.in_place ? std::max(in_bytes, out_bytes) : in_bytes);
    out_.emplace_back(plan_.problem.in_place ? 0 : out_bytes);
    Net& net = *nets_.back();
    Bound bound{in(rank), out(rank)};
    Environment environment{world_.topology(), true, options.exposed_arrays,
                            options.exposed_arrays};
    environment.device_arrays = device_arrays_;
    environment.mpi_reaches_device = device_ != nullptr && device_->mpi_reaches();
    environment.device_regions = device_ != nullptr && device_->why_not_shared().empty();
    if (options.exposed_arrays && device_ == nullptr) {
        bound.out_region = net.expose(bound.out, out_bytes);
        bound.in_region = net.expose(bound.in, in_bytes);
    }
    const Programs& programs =
        *programs_.emplace_back(std::make_unique<Programs>(plan_, rank, environment));
    programs.join(net);
    programs.share(net);
    if (programs.forward.on_device) {
        add_device(rank, programs.memory, bound);
    } else {
        workspace_.emplace_back(programs.memory.workspace_bytes);
        bound.workspace = workspace_.back().data();
    }
    EnginePlans plans(engine(plan_.choice.engine), plan_.choice.effort, workers);
    forward_.push_back(std::make_unique<Executor>(programs.forward, bound, plans, workers, net));
    backward_.push_back(
        std::make_unique<Executor>(programs.backward, bound.reversed(), plans, workers, net));
}

void Simulation::add_device(int rank, const Memory& memory, Bound& bound) {
    OnDevice one;
    one.workspace = device_->allocate(memory.workspace_bytes, "workspace");
    one.staging = device_->allocate_pinned(memory.staging_bytes);
    one.work = std::make_unique<DeviceWork>(*device_, plan_.placement(rank).memory > 0);
    bound.workspace = one.workspace->data();
    bound.staging = one.staging->data();
    bound.device = one.work.get();
    if (device_arrays_) {
        one.in = device_->allocate(in_[static_cast<std::size_t>(rank)].bytes(), "input");
        one.out = device_->allocate(out_[static_cast<std::size_t>(rank)].bytes(), "output");
        bound.in = one.in->data();
        bound.out = plan_.problem.in_place ? bound.in : one.out->data();
    }
    on_device_.emplace(rank, std::move(one));
}

void Simulation::copy_arrays(bool to_device) {
    if (!device_arrays_) return;
    for (const auto& [number, one] : on_device_) {
        const auto rank = static_cast<std::size_t>(number);
        DeviceQueue& queue = *one.work->queue(Queue::hop);
        const auto copy = [&](const Buffer& host, const DeviceMemory& device) {
            const std::byte* from = to_device ? host.data() : device.data();
            std::byte* to = to_device ? device.data() : host.data();
            if (host.bytes() > 0) queue.wait(queue.copy(from, to, host.bytes(), "arrays"));
        };
        copy(in_[rank], *one.in);
        copy(out_[rank], *one.out);
    }
}

std::byte* Simulation::in(int rank) const { return in_[static_cast<std::size_t>(rank)].data(); }

std::byte* Simulation::out(int rank) const {
    if (plan_.problem.in_place) return in(rank);
    return out_[static_cast<std::size_t>(rank)].data();
}

void Simulation::run(bool backward) {
    // A rank that cannot go on looks for its messages again on its next turn; delays run out after
    // a few looks, so a round of turns without progress longer than that is a deadlock. A device
    // takes its time.
    const int patience = device_ == nullptr ? 1000 : 1000000;
    copy_arrays(true);
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
        if (!progress && device_ != nullptr) std::this_thread::yield();
        if (rounds_without_progress > patience) {
            throw Error(ErrorCode::system,
                        fmt::format("deadlock: {} of {} ranks wait for each other", running.size(),
                                    plan_.ranks));
        }
    }
    copy_arrays(false);
    if (world_.undelivered() != 0) {
        throw Error(ErrorCode::system,
                    fmt::format("{} messages were never received", world_.undelivered()));
    }
}

}  // namespace weft::core
