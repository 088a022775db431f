#include "model/price.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "exchange/transfers.hpp"
#include "geometry/census.hpp"
#include "model/network_load.hpp"
#include "model/operation_seconds.hpp"
#include "plan/fuse.hpp"
#include "program/lower.hpp"

namespace weft::core {

double PlanPrice::work() const {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.work;
    return sum;
}

double PlanPrice::exchange() const {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.exchange;
    return sum;
}

namespace {

/// Whether a rank goes on while its messages travel; otherwise the call that starts them returns
/// when they are through.
bool goes_on(TransportId transport) {
    switch (transport) {
        case TransportId::p2p:
        case TransportId::ialltoallv:
        case TransportId::persistent:
            return true;
        default:
            return false;
    }
}

std::vector<SizedMessage> sized(const std::vector<Message>& messages, const ExchangeTask& task) {
    std::vector<SizedMessage> result;
    result.reserve(messages.size());
    for (const Message& message : messages) {
        const Index elements = task.slot.value_or(message.count());
        result.push_back({message.peer, static_cast<double>(elements * task.element_bytes)});
    }
    return result;
}

/// Of a matrix, all blocks are taken for whole ones.
std::vector<SizedMessage> sized(const MatrixTask& matrix, const Group& group, int rank) {
    const auto block =
        static_cast<double>(matrix.row_block * matrix.column_block * matrix.tuple_bytes);
    std::vector<SizedMessage> result;
    for (const int peer : group.ranks) {
        if (peer != rank) result.push_back({peer, block});
    }
    return result;
}

/// Messages that are started together.
struct Sides {
    std::vector<SizedMessage> sends;
    std::vector<SizedMessage> receives;

    /// Whether all come from ranks that messages go to; both in any order, each peer once.
    [[nodiscard]] bool paired() const {
        const auto peers = [](const std::vector<SizedMessage>& messages) {
            std::vector<int> result;
            result.reserve(messages.size());
            for (const SizedMessage& message : messages) result.push_back(message.peer);
            std::sort(result.begin(), result.end());
            return result;
        };
        return peers(sends) == peers(receives);
    }
};

/// As MPI's collective calls start messages: to the next ranks of the group and from the previous
/// ones, so many ranks at a time, this one counted.
std::vector<Sides> batches(const Sides& all, const std::vector<int>& group, int rank,
                           int at_a_time) {
    const auto place = [&](int of) {
        return std::lower_bound(group.begin(), group.end(), of) - group.begin();
    };
    const auto count = static_cast<std::ptrdiff_t>(group.size());
    std::vector<Sides> result(static_cast<std::size_t>((count + at_a_time - 1) / at_a_time));
    const auto batch = [&](std::ptrdiff_t distance) -> Sides& {
        return result[static_cast<std::size_t>((distance + count) % count / at_a_time)];
    };
    for (const SizedMessage& message : all.sends) {
        batch(place(message.peer) - place(rank)).sends.push_back(message);
    }
    for (const SizedMessage& message : all.receives) {
        batch(place(rank) - place(message.peer)).receives.push_back(message);
    }
    return result;
}

/// A rank's program on its two clocks.
class Walk {
  public:
    Walk(const Program& program, const Plan& plan, const Site& site)
        : program_(program),
          site_(site),
          seconds_(operation_seconds(program, plan, site.machine)),
          through_(program.operations.size(), 0),
          stages_(plan.stages.size()) {}

    std::vector<StagePrice> run() {
        for (std::size_t i = 0; i < program_.operations.size(); ++i) step(i);
        return stages_;
    }

  private:
    void step(std::size_t number) {
        const Operation& operation = program_.operations[number];
        StagePrice& price = stages_[static_cast<std::size_t>(operation.stage)];
        if (const auto* start = std::get_if<StartOp>(&operation.what)) {
            begin(number, start->task, price);
        } else if (const auto* finish = std::get_if<FinishOp>(&operation.what)) {
            finish_exchange(through_[finish->start], finish->onward.size(), seconds_[number],
                            price);
        } else if (std::holds_alternative<AwaitOp>(operation.what)) {
            wait(now_ + await_seconds(operation), price);
        } else {
            work(seconds_[number], price);
        }
    }

    void begin(std::size_t number, const ExchangeTask& task, StagePrice& price) {
        const ExchangeSeconds seconds = task_seconds(task);
        wait(now_ + seconds.inside, price);
        messages_ = std::max(now_, messages_) + seconds.between;
        through_[number] = messages_;
        if (!goes_on(task.transport)) wait(messages_, price);
    }

    /// Copies of what arrives, so many, go beside the messages but for the last one's.
    void finish_exchange(double through, std::size_t arrivals, double copies, StagePrice& price) {
        const double last = arrivals == 0 ? 0 : copies / static_cast<double>(arrivals);
        work(copies, price);
        wait(through + last, price);
    }

    /// Messages inside a node are copies, which the rank itself makes; others travel while it does
    /// something else.
    struct ExchangeSeconds {
        double inside = 0;
        double between = 0;
    };

    [[nodiscard]] ExchangeSeconds task_seconds(const ExchangeTask& task) const {
        Sides all;
        if (task.matrix) {
            all.sends = sized(*task.matrix, task.group, program_.rank);
            all.receives = all.sends;
        } else {
            all = {sized(task.sends, task), sized(task.receives, task)};
        }
        const std::optional<int>& at_a_time = site_.machine.collective_batch;
        if (!is_collective(task.transport) || !at_a_time) return together_seconds(all, task);
        ExchangeSeconds seconds;
        for (const Sides& batch : batches(all, task.group.ranks, program_.rank, *at_a_time)) {
            const ExchangeSeconds one = together_seconds(batch, task);
            seconds.inside += one.inside;
            seconds.between += one.between;
        }
        return seconds;
    }

    [[nodiscard]] ExchangeSeconds together_seconds(const Sides& sides,
                                                   const ExchangeTask& task) const {
        const int rank = program_.rank;
        const int exchanging = static_cast<int>(task.group.ranks.size());
        const bool collective = is_collective(task.transport);
        double seconds = 0;
        double inside = 0;
        for (const auto* messages : {&sides.sends, &sides.receives}) {
            const double own = exchange_seconds(site_, rank, *messages, exchanging, collective);
            inside = std::max(inside, exchange_seconds(site_, rank, inside_node(*messages),
                                                       exchanging, collective));
            const double links =
                links_are_known(site_.machine)
                    ? busiest_link_seconds(site_, rank, *messages, task.group.ranks, sides.paired())
                    : bisection_seconds(site_, rank, *messages);
            seconds = std::max({seconds, own, links});
        }
        return {inside, seconds - inside};
    }
    [[nodiscard]] std::vector<SizedMessage> inside_node(std::vector<SizedMessage> messages) const {
        std::erase_if(messages, [&](const SizedMessage& message) {
            return !site_.same_node(program_.rank, message.peer);
        });
        return messages;
    }

    /// Ranks of a node tell each other by counters in memory, all at the same time.
    [[nodiscard]] double await_seconds(const Operation& operation) const {
        const auto publish = std::get<AwaitOp>(operation.what).publish;
        const auto& task = std::get<PublishOp>(program_.operations[publish].what).task;
        return task.used.empty() ? 0 : site_.machine.inside.latency;
    }

    void work(double seconds, StagePrice& price) {
        now_ += seconds;
        price.work += seconds;
    }
    void wait(double until, StagePrice& price) {
        price.exchange += std::max(0.0, until - now_);
        now_ = std::max(now_, until);
    }

    const Program& program_;
    const Site& site_;
    std::vector<double> seconds_;  ///< of what it computes and copies, by operation
    double now_ = 0;               ///< when the rank is free
    double messages_ = 0;          ///< when all messages that were started are through
    std::vector<double> through_;  ///< when those of each start are
    std::vector<StagePrice> stages_;
};

/// Ranks that are evenly spread, the first and the last among them, and those that own most. Where
/// tiles make programs long they are fewer.
std::set<int> looked_at(const Plan& plan) {
    const int spread = plan.pipeline ? 3 : 7;
    std::set<int> result;
    for (int i = 0; i < spread; ++i) {
        result.insert(static_cast<int>(Index{plan.ranks - 1} * i / (spread - 1)));
    }
    for (const Layout& layout : plan.at) {
        if (!plan.pipeline) result.insert(fullest_rank(layout.where));
    }
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
        const Index bytes = volume(from, to, samples) * plan.at[i].scalar.bytes();
        price.messages += static_cast<double>(other_peers(sends(from, to, 0), 0).size());
        price.bytes += static_cast<double>(bytes) / computing;
    }
}

}  // namespace

std::vector<StagePrice> price(const Program& program, const Plan& plan, const Site& site) {
    if (plan.stages.empty()) return {};
    return Walk(program, plan, site).run();
}

PlanPrice price(const Plan& plan, const Machine& machine) {
    const Site site{machine, plan.ranks};
    const Environment environment =
        environment_of(plan, Topology(plan.ranks, machine.ranks_per_node));
    const Plan fused = fuse(plan, environment);
    PlanPrice result;
    result.stages.resize(plan.stages.size());
    for (const int rank : looked_at(plan)) {
        const std::vector<StagePrice> stages = price(lower(fused, rank, environment), fused, site);
        for (std::size_t i = 0; i < stages.size(); ++i) {
            StagePrice& slowest = result.stages[i];
            if (stages[i].seconds() > slowest.seconds()) slowest = stages[i];
        }
    }
    add_even_messages(plan, result);
    return result;
}

double even_exchange_seconds(const PlanPrice& price, const Machine& machine) {
    return price.messages * machine.between.latency + price.bytes / machine.between.bandwidth;
}

std::optional<double> average_bandwidth(const PlanPrice& price, const Machine& machine) {
    const double latency = price.messages * machine.between.latency;
    // Ranks that read each other's memory wait no longer than for a latency.
    if (price.exchange() <= latency * (1 + 1e-6)) return std::nullopt;
    return price.bytes / (price.exchange() - latency);
}

}  // namespace weft::core
