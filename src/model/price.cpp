#include "model/price.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/index.hpp"
#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "geometry/census.hpp"
#include "model/device_seconds.hpp"
#include "model/operation_seconds.hpp"
#include "model/region_seconds.hpp"
#include "model/sketch.hpp"
#include "model/task_seconds.hpp"
#include "plan/explain.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "plan/wire.hpp"

namespace weft::core {

double ProgramPrice::seconds() const {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.seconds();
    return sum;
}

double PlanPrice::work() const {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.work;
    return sum;
}

double PlanPrice::hop() const {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.hop;
    return sum;
}

double PlanPrice::exchange() const {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.exchange;
    return sum;
}

namespace {

/// A rank's program on its clocks: of each queue, and of its messages. On the host one clock is
/// that of all queues. On a device the host puts operations into the queues in the program's order,
/// and does the exchanges meanwhile.
class Walk {
  public:
    Walk(const Program& program, const Plan& plan, const Site& site,
         const std::vector<double>& bytes)
        : program_(program),
          on_device_(program.on_device && site.machine.devices.has_value()),
          met_(on_device_ && plan.placement(program.rank).reach == Reach::both
                   ? std::optional(with_direct_links(site.machine))
                   : std::nullopt),
          site_{met_ ? *met_ : site.machine, site.ranks, site.computing},
          counters_(site.machine.inside.latency),
          seconds_(on_device_ ? device_seconds(program, plan, site, bytes)
                              : operation_seconds(program, plan, site.machine, bytes)),
          ended_(program.operations.size(), 0),
          begun_(program.operations.size(), 0),
          through_(program.operations.size(), 0),
          stages_(plan.stages.size()) {}

    ProgramPrice run() {
        for (std::size_t i = 0; i < seconds_.size(); ++i) {
            seconds_[i] *= static_cast<double>(program_.operations[i].times);
        }
        for (std::size_t i = 0; i < program_.operations.size(); ++i) step(i);
        return {stages_, busy_};
    }

  private:
    using Kind = double StagePrice::*;

    void step(std::size_t number) {
        const Operation& operation = program_.operations[number];
        const Queue queue = program_.on_device ? operation.queue : Queue::work;
        busy_[static_cast<std::size_t>(queue)] += seconds_[number];
        StagePrice& price = stages_[usize(operation.stage)];
        now_ = clock(queue);
        if (program_.on_device) now_ = std::max(now_, clock(Queue::exchange));
        for (const std::size_t before : operation.after) now_ = std::max(now_, ended_[before]);
        if (const auto* start = std::get_if<StartOp>(&operation.what)) {
            begin(number, start->task, price);
        } else if (const auto* finish = std::get_if<FinishOp>(&operation.what)) {
            wait(through_[finish->start], price);
        } else if (const auto* arrival = std::get_if<ArrivalOp>(&operation.what)) {
            wait(arrives(*arrival), price);
        } else if (std::holds_alternative<AwaitOp>(operation.what)) {
            wait(now_ + await_seconds(operation), price);
        } else if (tells_of_region(operation)) {
            spend(queue_seconds(operation), price, &StagePrice::work);
        } else {
            const bool hops = operation.purpose == Purpose::hop;
            spend(seconds_[number], price, hops ? &StagePrice::hop : &StagePrice::work);
        }
        ended_[number] = clock(queue) = now_;
    }

    /// Messages of an exchange arrive one by one, all the time that it takes.
    [[nodiscard]] double arrives(const ArrivalOp& op) const {
        const auto& task = std::get<StartOp>(program_.operations[op.start].what).task;
        const auto messages = static_cast<double>(task.receives.size());
        const double still = messages - 1 - static_cast<double>(op.turn);
        return through_[op.start] - (through_[op.start] - begun_[op.start]) * still / messages;
    }

    void begin(std::size_t number, const ExchangeTask& task, StagePrice& price) {
        begun_[number] = now_;
        const TaskSeconds seconds = task_seconds(task, program_.rank, site_);
        wait(now_ + seconds.inside, price);
        messages_ = std::max(now_, messages_) + seconds.between;
        busy_[queues] += seconds.between;
        through_[number] = messages_;
        if (!transport(task.transport).overlaps) wait(messages_, price);
    }

    /// Ranks of a node tell each other by counters in memory. A device's launches take longer than
    /// looking at them.
    [[nodiscard]] double await_seconds(const Operation& operation) const {
        const auto publish = std::get<AwaitOp>(operation.what).publish;
        const auto& task = std::get<PublishOp>(program_.operations[publish].what).task;
        if (task.used.empty()) return 0;
        if (on_device_) return counters_;
        return counter_seconds(site_.machine, static_cast<double>(task.used.size()),
                               static_cast<double>(task.offered.size()));
    }
    static bool tells_of_region(const Operation& operation) {
        return std::holds_alternative<PublishOp>(operation.what) ||
               std::holds_alternative<ReleaseOp>(operation.what);
    }
    /// Until the host knows that a queue of the device is done, as long as a launch takes.
    [[nodiscard]] double queue_seconds(const Operation& operation) const {
        return on_device_ && !operation.after.empty() ? site_.machine.devices->launch : 0;
    }

    void spend(double seconds, StagePrice& price, Kind kind) {
        const double before = now_;
        now_ += seconds;
        count(before >= latest_ ? seconds : now_ - latest_, price, kind);
    }
    void wait(double until, StagePrice& price) {
        const double before = std::max(now_, latest_);
        now_ = std::max(now_, until);
        count(now_ - before, price, &StagePrice::exchange);
    }
    /// What the operation adds to the time of the program: nothing while another queue is busy.
    void count(double seconds, StagePrice& price, Kind kind) {
        price.*kind += std::max(0.0, seconds);
        latest_ = std::max(latest_, now_);
    }
    double& clock(Queue queue) { return clocks_[static_cast<std::size_t>(queue)]; }

    const Program& program_;
    bool on_device_;  ///< that is described
    std::optional<Machine> met_;
    Site site_;
    double counters_;                         ///< seconds until ranks of a node see another's
    std::vector<double> seconds_;             ///< of what it computes and copies, by operation
    std::array<double, queues> clocks_ = {};  ///< when each queue is free
    double now_ = 0;                          ///< of the operation at hand
    double latest_ = 0;                       ///< when all operations so far have ended
    double messages_ = 0;                     ///< when all messages that were started are through
    std::vector<double> ended_;               ///< when each operation has
    std::vector<double> begun_;               ///< when each start has
    std::vector<double> through_;             ///< when the messages of each start are
    std::vector<StagePrice> stages_;
    std::array<double, queues + 1> busy_ = {};
};

/// Ranks that are evenly spread, the first and the last among them, those that own most, and where
/// some ranks compute on devices and others on the host one of either. Where programs are long they
/// are fewer, at least one that owns most.
std::set<int> looked_at(const Plan& plan) {
    const Index most = ranks_to_look_at(plan);
    if (most <= 1) return {fullest_rank(plan.at.front().where)};
    const Index spread = std::min<Index>(plan.pipeline ? 3 : 7, most);
    // Where both ends are free, those that a plan does not shrink to have nothing to do.
    const bool shrunk = plan.choice.shrink > 0 && plan.problem.in.free && plan.problem.out.free;
    const int ranks = shrunk ? plan.choice.shrink : plan.ranks;
    std::set<int> result;
    for (Index i = 0; i < spread; ++i) {
        result.insert(static_cast<int>((ranks - 1) * i / (spread - 1)));
    }
    for (const Layout& layout : plan.at) {
        if (!plan.pipeline && spread < most) result.insert(fullest_rank(layout.where));
    }
    result.insert(plan.placements.last().ranks.first);
    return result;
}

/// What a rank sends if all send alike.
void add_even_messages(const Plan& plan, PlanPrice& price) {
    constexpr Index samples = 4096;
    const int computing = plan.choice.shrink > 0 ? plan.choice.shrink : plan.ranks;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (redistribution_at(plan, i) == nullptr) continue;
        const Distribution& from = plan.at[i].where;
        const Distribution& to = plan.at[i + 1].where;
        const Index bytes = volume(from, to, samples) * sent_bytes(plan, i);
        price.messages += static_cast<double>(other_peers(sends(from, to, 0), 0).size());
        price.bytes += static_cast<double>(bytes) / computing;
    }
}

}  // namespace

ProgramPrice price(const Program& program, const Plan& plan, const Site& site,
                   const std::vector<double>& bytes) {
    if (plan.stages.empty()) return {};
    return Walk(program, plan, site, bytes).run();
}

Environment environment_on(const Plan& plan, const Machine& machine, Arrays arrays) {
    Environment environment = environment_of(plan, Topology(plan.ranks, machine.ranks_per_node));
    const Placement& place = plan.placements.first();
    environment.device_arrays = arrays == Arrays::device && place.values == MemorySpace::device;
    if (!machine.devices) return environment;
    environment.mpi_reaches_device = machine.devices->direct.has_value();
    // Where it is not described how devices read each other's memory, messages carry regions.
    environment.device_regions = shares_regions(*machine.devices);
    if (sends_from_device(plan) && !machine.devices->direct) {
        bad_request(
            fmt::format("via={}: the links between the devices of {} are not known; describe them "
                        "in devices.direct",
                        name_of(Carries::device), machine.name));
    }
    if (place.reach == Reach::both && !machine.devices->direct &&
        !leaves_without_mpi(plan, environment)) {
        plan.placements.refuse(
            fmt::format("on {} MPI does not reach the memory of devices; take staged, or describe "
                        "its links in devices.direct",
                        machine.name));
    }
    return environment;
}

PlanPrice price(const Plan& plan, const Machine& machine, Arrays arrays, double enough) {
    const Site site{machine, plan.ranks, plan.choice.shrink};
    const Environment environment = environment_on(plan, machine, arrays);
    const Plan fused = fuse(plan, environment);
    PlanPrice result;
    result.stages.resize(plan.stages.size());
    for (const int rank : looked_at(plan)) {
        const ProgramPrice one = Sketch(fused, rank, environment).price(fused, site);
        for (std::size_t i = 0; i < one.stages.size(); ++i) {
            StagePrice& slowest = result.stages[i];
            if (one.stages[i].seconds() > slowest.seconds()) slowest = one.stages[i];
        }
        for (const double busy : one.busy) result.busiest = std::max(result.busiest, busy);
        if (result.seconds() >= enough) break;
    }
    add_even_messages(plan, result);
    return result;
}

double even_exchange_seconds(const PlanPrice& price, const Machine& machine) {
    return price.messages * machine.between.latency + price.bytes / machine.between.bandwidth;
}

std::optional<double> average_bandwidth(const PlanPrice& price, const Machine& machine) {
    const double latency = price.messages * machine.between.latency;
    // Ranks that read each other's memory wait no longer than for a latency and counters.
    const double counters = 3 * price.messages * counter_line_seconds(machine);
    if (price.exchange() <= (latency + counters) * (1 + 1e-6)) return std::nullopt;
    return price.bytes / (price.exchange() - latency);
}

}  // namespace weft::core
