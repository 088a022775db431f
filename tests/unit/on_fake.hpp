// The ranks of a plan in one process, each with a fake device of its own, whose queues are late or
// run at once as a seed says.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "fft/engine.hpp"
#include "memory/buffer.hpp"
#include "plan/plan.hpp"
#include "property/whole_array.hpp"
#include "run/executor.hpp"
#include "run/programs.hpp"
#include "testing/fake/fake.hpp"
#include "testing/net/local.hpp"

namespace weft::core::test {

/// Alters rank 0's forward program before it is bound.
using Plant = std::function<void(Program&)>;

/// What else may be wrong on rank 0.
struct Wrong {
    bool unreached = false;          ///< MPI does not reach the device
    bool staging_on_device = false;  ///< what is staged lies in the device's memory
};

/// One rank: a fake device of its own, so that queue 1 does work and queue 2 hops, and the host's
/// arrays.
class OnFake {
  public:
    OnFake(const Plan& plan, LocalWorld& world, int rank, std::uint64_t seed, const Plant& plant,
           const Wrong& wrong = {})
        : device_(make_fake_device(options_of(plan, seed, wrong))),
          net_(world.net(rank)),
          in_(plan.at.front().bytes(rank)),
          out_(plan.at.back().bytes(rank)),
          programs_(plan, rank, environment_of(plan, world)) {
        if (rank == 0) plant(programs_.forward);
        programs_.join(*net_);
        programs_.share(*net_);
        workspace_ = device_->allocate(programs_.memory.workspace_bytes, "workspace");
        if (wrong.staging_on_device) {
            staging_ = device_->allocate(1 << 16, "staging");
        } else {
            staging_ = device_->allocate_pinned(programs_.memory.staging_bytes);
            // Not-a-numbers, as the device's memory: a message that is sent too early shows.
            std::memset(staging_->data(), 0xff, static_cast<std::size_t>(staging_->bytes()));
        }
        work_.emplace(*device_);
        Bound bound{in(), out(), workspace_->data()};
        bound.device = &*work_;
        bound.staging = staging_->data();
        const Workers workers{team_, 0, 0};
        EnginePlans plans(engine(plan.choice.engine), plan.choice.effort, workers);
        executor_.emplace(programs_.forward, bound, plans, workers, *net_);
    }

    [[nodiscard]] std::byte* in() const { return in_.data(); }
    [[nodiscard]] std::byte* out() const { return out_.data(); }
    Executor& executor() { return *executor_; }
    [[nodiscard]] const Program& program() const { return programs_.forward; }
    [[nodiscard]] const DeviceWork& work() const { return *work_; }

  private:
    static FakeOptions options_of(const Plan& plan, std::uint64_t seed, const Wrong& wrong) {
        FakeOptions options;
        options.late = true;
        options.seed = seed;
        options.mpi_reaches = plan.choice.space.travel == Travel::direct && !wrong.unreached;
        return options;
    }
    static Environment environment_of(const Plan& plan, const LocalWorld& world) {
        Environment environment{world.topology()};
        environment.mpi_reaches_device = plan.choice.space.travel == Travel::direct;
        return environment;
    }

    std::unique_ptr<Device> device_;
    std::unique_ptr<Net> net_;
    Buffer in_;
    Buffer out_;
    Programs programs_;
    std::unique_ptr<DeviceMemory> workspace_;
    std::unique_ptr<DeviceMemory> staging_;
    std::optional<DeviceWork> work_;
    Team team_{1};
    std::optional<Executor> executor_;
};

/// All ranks go on in turns until they are done.
inline void run_to_end(const std::vector<std::unique_ptr<OnFake>>& ranks) {
    for (bool running = true; running;) {
        running = false;
        for (const auto& rank : ranks) {
            while (!rank->executor().done() && rank->executor().advance()) {
            }
            running = running || !rank->executor().done();
        }
    }
}

/// How far off what the ranks have is from the result of a forward transform. Not a number if
/// anything is not a number.
inline long double error_of(const Plan& plan, const std::vector<std::unique_ptr<OnFake>>& ranks,
                            const Pair& pair) {
    Whole found{pair.out.shape, {}};
    found.values.resize(pair.out.values.size());
    for (int rank = 0; rank < plan.ranks; ++rank) {
        gather(ranks[static_cast<std::size_t>(rank)]->out(), plan.at.back(), rank, found);
    }
    return relative_error(found, pair.out);
}

}  // namespace weft::core::test
