#include "clock/script.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/index.hpp"
#include "clock/mix.hpp"
#include "model/device_seconds.hpp"
#include "model/operation_seconds.hpp"
#include "program/lower.hpp"

namespace weft::core {

namespace {

/// Keeps scripts that are the same once. Called by several threads.
class Shared {
  public:
    std::shared_ptr<const Script> kept(Script script) {
        std::uint64_t key = script.seconds.size();
        for (const double seconds : script.seconds) {
            key = mix(key, std::bit_cast<std::uint64_t>(seconds));
        }
        const std::scoped_lock lock(mutex_);
        std::vector<std::shared_ptr<const Script>>& alike = all_[key];
        for (const auto& one : alike) {
            if (*one == script) return one;
        }
        ++count_;
        alike.push_back(std::make_shared<const Script>(std::move(script)));
        return alike.back();
    }
    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    std::mutex mutex_;
    std::map<std::uint64_t, std::vector<std::shared_ptr<const Script>>> all_;
    std::size_t count_ = 0;
};

/// Makes a rank's script of its program, whose tasks it takes away.
class Maker {
  public:
    Maker(int rank, const Machine& machine, CallsOf calls, Script& script)
        : rank_(rank), machine_(machine), calls_(calls), script_(script) {}

    RankScript rank_script() {
        Program& program = script_.program;
        program.rank = 0;
        program.buffers.clear();
        for (Operation& operation : program.operations) {
            script_.number.push_back(
                std::visit([this](auto& op) { return take(op); }, operation.what));
        }
        result_.sends.shrink_to_fit();
        result_.waves.all.shrink_to_fit();
        return std::move(result_);
    }

  private:
    std::uint32_t take(StartOp& op) {
        const auto number = static_cast<std::uint32_t>(script_.exchanges.size());
        const Transport& how = transport(op.task.transport);
        script_.exchanges.push_back({how.collective, how.overlaps, op.task.on_arrival});
        Waves waves = waves_of(op.task, rank_, machine_, calls_);
        result_.sends.insert(result_.sends.end(), waves.sends.begin(), waves.sends.end());
        result_.waves.all.insert(result_.waves.all.end(), waves.waves.begin(), waves.waves.end());
        result_.waves.close();
        op = StartOp{};
        return number;
    }
    std::uint32_t take(PublishOp& op) {
        for (const PeerPart& one : op.task.offered) result_.offered.all.push_back(one.peer);
        for (const PeerPart& one : op.task.used) result_.used.all.push_back(one.peer);
        result_.offered.close();
        result_.used.close();
        op.task = {};
        return static_cast<std::uint32_t>(result_.used.ends.size() - 1);
    }
    template <class Op>
    std::uint32_t take(Op& op) {
        constexpr bool waits = std::is_same_v<Op, FinishOp> || std::is_same_v<Op, ArrivalOp> ||
                               std::is_same_v<Op, AwaitOp> || std::is_same_v<Op, ReleaseOp> ||
                               std::is_same_v<Op, ReclaimOp> || std::is_same_v<Op, OnwardOp>;
        if constexpr (!waits) op = Op{};
        return 0;
    }

    int rank_;
    const Machine& machine_;
    CallsOf calls_;
    Script& script_;
    RankScript result_;
};

}  // namespace

Scripts::Scripts(const Plan& plan, const Machine& machine, const Environment& environment,
                 CallsOf calls)
    : ranks_(usize(plan.ranks)) {
    const Site site{machine, plan.ranks};
    Shared shared;
    std::atomic<int> next = 0;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto make = [&](int rank) {
        Script script{lower(plan, rank, environment), {}, {}, {}};
        const bool device = script.program.on_device && machine.devices.has_value();
        const std::vector<double> bytes = stage_bytes(script.program, plan);
        script.seconds = device ? device_seconds(script.program, plan, site, bytes)
                                : operation_seconds(script.program, plan, machine, bytes);
        RankScript one = Maker(rank, machine, calls, script).rank_script();
        one.script = shared.kept(std::move(script));
        ranks_[usize(rank)] = std::move(one);
    };
    const auto work = [&] {
        try {
            for (int rank = next++; rank < plan.ranks; rank = next++) make(rank);
        } catch (...) {
            const std::scoped_lock lock(mutex);
            failure = std::current_exception();
            next = plan.ranks;
        }
    };
    {
        const std::jthread other(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
    count_ = shared.count();
}

}  // namespace weft::core
