#include "clock/backend.hpp"

#include <algorithm>
#include <limits>

#include "base/index.hpp"
#include "clock/rank.hpp"
#include "model/region_seconds.hpp"

namespace weft::core {

ClockBackend::ClockBackend(Clock& clock, int one, const Script& script)
    : clock_(clock), one_(one), script_(script) {
    if (script.program.on_device) ended_.assign(script.program.operations.size(), 0);
}

bool ClockBackend::reached(double at) {
    if (at <= now) return true;
    if (at < std::numeric_limits<double>::infinity()) wake = at;
    return false;
}

bool ClockBackend::issue(std::size_t number, bool /*block*/) {
    wake.reset();
    in_mpi = false;
    const Operation& operation = script_.program.operations[number];
    const auto issue_it = [&](const auto& op) {
        if constexpr (requires { take(op, number); }) {
            return take(op, number);
        } else {
            const double seconds = script_.seconds[number];
            if (ended_.empty()) {
                now += seconds;
                return true;
            }
            double& queue = free_[usize(static_cast<int>(operation.queue))];
            double begin = std::max(queue, now);
            for (const std::size_t before : operation.after)
                begin = std::max(begin, ended_[before]);
            queue = begin + seconds;
            ended_[number] = queue;
            return true;
        }
    };
    const bool issued = std::visit(issue_it, operation.what);
    if (issued && !ended_.empty()) ended_[number] = std::max(ended_[number], now);
    return issued;
}

bool ClockBackend::done(std::size_t number) { return ended_.empty() || reached(ended_[number]); }

bool ClockBackend::finish(bool /*block*/) {
    return reached(*std::max_element(free_.begin(), free_.end()));
}

bool ClockBackend::take(const StartOp& /*op*/, std::size_t number) {
    Clock::Rank& rank = *clock_.ranks_[usize(one_)];
    const auto exchange = static_cast<int>(script_.number[number]);
    const bool overlaps = script_.exchanges[usize(exchange)].overlaps;
    if (rank.exchanges[usize(exchange)].wave < 0) {
        now = clock_.begin_wave(rank, exchange, now);
        if (overlaps) clock_.look(rank, now);
    }
    return overlaps || exchanged(number);
}

bool ClockBackend::exchanged(std::size_t start) {
    Clock::Rank& rank = *clock_.ranks_[usize(one_)];
    const bool complete = reached(rank.exchanges[script_.number[start]].complete);
    clock_.look(rank, now);
    in_mpi = !complete;
    return complete;
}

bool ClockBackend::take(const FinishOp& op, std::size_t /*number*/) { return exchanged(op.start); }

bool ClockBackend::take(const ArrivalOp& op, std::size_t /*number*/) {
    Clock::Rank& rank = *clock_.ranks_[usize(one_)];
    auto& arrivals = rank.exchanges[script_.number[op.start]].arrivals;
    std::sort(arrivals.begin(), arrivals.end());
    // Counts are sums of fractions where ranks stand for others.
    double count = 1e-3;
    const auto last = std::find_if(arrivals.begin(), arrivals.end(), [&](const auto& one) {
        return (count += one.second) >= static_cast<double>(op.turn + 1);
    });
    const bool here = last != arrivals.end() && reached(last->first);
    clock_.look(rank, now);
    in_mpi = !here;
    return here;
}

bool ClockBackend::take(const PollOp& /*op*/, std::size_t /*number*/) {
    clock_.look(*clock_.ranks_[usize(one_)], now);
    return true;
}

void ClockBackend::tell_all(const Parts<int>& peers, std::uint32_t use, bool released) {
    for (std::uint32_t i = peers.begin_of(use); i < peers.ends[use]; ++i) {
        clock_.tell(peers.all[i], use, released, now);
    }
}

bool ClockBackend::take(const PublishOp& op, std::size_t number) {
    Clock::Rank& rank = *clock_.ranks_[usize(one_)];
    const std::uint32_t use = script_.number[number];
    rank.last_use[op.region] = use;
    tell_all(rank.script.offered, use, false);
    return true;
}

bool ClockBackend::take(const AwaitOp& op, std::size_t /*number*/) {
    Clock::Rank& rank = *clock_.ranks_[usize(one_)];
    const std::uint32_t use = script_.number[op.publish];
    const Told& told = rank.uses[use].published;
    const std::uint32_t used = rank.script.used.ends[use] - rank.script.used.begin_of(use);
    if (told.count < used || !reached(told.last)) return false;
    const std::uint32_t users = rank.script.offered.ends[use] - rank.script.offered.begin_of(use);
    // The latency is in the others' word.
    if (ended_.empty()) now += (2 * used + users) * counter_line_seconds(clock_.site_.machine);
    return true;
}

bool ClockBackend::take(const ReleaseOp& op, std::size_t /*number*/) {
    Clock::Rank& rank = *clock_.ranks_[usize(one_)];
    const std::uint32_t use = script_.number[op.publish];
    tell_all(rank.script.used, use, true);
    return true;
}

bool ClockBackend::take(const ReclaimOp& op, std::size_t /*number*/) {
    Clock::Rank& rank = *clock_.ranks_[usize(one_)];
    const auto last = rank.last_use.find(op.region);
    if (last == rank.last_use.end()) return true;
    const std::uint32_t use = last->second;
    const Told& told = rank.uses[use].released;
    return told.count >= rank.script.offered.ends[use] - rank.script.offered.begin_of(use) &&
           reached(told.last);
}

}  // namespace weft::core
