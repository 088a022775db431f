#include "model/operation_seconds.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "model/account.hpp"
#include "model/region_seconds.hpp"
#include "plan/placement.hpp"

namespace weft::core {

namespace {

/// `whole`: bytes of all operations of the stage. A tile that is transformed fits the cache sooner
/// than the array, but comes from wherever the array is; copies find it in the cache.
double seconds_of(const Operation& operation, const Account& account, double whole,
                  const Machine& machine, const EngineRates& engine, const Plan& plan) {
    const MemoryRates& memory = machine.memory;
    // MPI reads and writes what it sends; that counts as the message's time.
    if (std::holds_alternative<StartOp>(operation.what)) return 0;
    const bool permutes = operation.purpose == Purpose::pack ||
                          operation.purpose == Purpose::unpack ||
                          operation.purpose == Purpose::reorder;
    const bool copies = permutes || std::holds_alternative<CopyOp>(operation.what);
    const auto bytes = static_cast<double>(account.read + account.written);
    const bool single = plan.problem.precision == Precision::f32;
    double seconds =
        copies ? copy_seconds(memory, bytes, permutes ? memory.pack_rate : memory.copy_rate)
               : pass_seconds(memory, bytes, whole);
    seconds += far_cache_seconds(machine, static_cast<double>(far_bytes(operation)), whole);
    for (const auto& [length, flops] : account.flops) {
        // Threads share the arithmetic. Rates of memory are taken for those of all of them.
        seconds += flop_seconds(engine, flops, length, single) / plan.choice.threads;
    }
    return seconds;
}

/// Of each message of an exchange that is unpacked as it arrives. Together they may be more than
/// the cache holds, and each comes from wherever all of them are.
double arrival_seconds(const StartOp& start, const MemoryRates& memory) {
    Index bytes = 0;
    for (const std::vector<CopyTask>& copies : start.arrivals) {
        for (const CopyTask& copy : copies) bytes += 2 * bytes_of(copy);
    }
    const auto messages = static_cast<double>(std::max<std::size_t>(start.arrivals.size(), 1));
    return copy_seconds(memory, static_cast<double>(bytes), memory.pack_rate) / messages;
}

}  // namespace

std::vector<double> stage_bytes(const Program& program, const Plan& plan) {
    std::vector<double> result(plan.stages.size(), 0);
    if (result.empty()) return result;
    const std::vector<Account> all = accounts(program);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto stage = usize(program.operations[i].stage);
        const auto times = static_cast<double>(program.operations[i].times);
        result[stage] += times * static_cast<double>(all[i].read + all[i].written);
    }
    return result;
}

std::vector<double> operation_seconds(const Program& program, const Plan& plan,
                                      const Machine& machine, const std::vector<double>& bytes) {
    const EngineRates& engine = engine_rates(machine, plan.placement(program.rank).engine);
    const std::vector<Account> all = accounts(program);
    std::vector<double> result;
    result.reserve(all.size());
    std::vector<double> arrivals(all.size(), 0);  // By start.
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Operation& operation = program.operations[i];
        if (const auto* start = std::get_if<StartOp>(&operation.what)) {
            arrivals[i] = arrival_seconds(*start, machine.memory);
        }
        if (const auto* onward = std::get_if<OnwardOp>(&operation.what)) {
            result.push_back(arrivals[onward->start]);
            continue;
        }
        result.push_back(
            seconds_of(operation, all[i], bytes[usize(operation.stage)], machine, engine, plan));
    }
    return result;
}

}  // namespace weft::core
