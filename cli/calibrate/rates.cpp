#include "calibrate/rates.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "bench/engine_rates.hpp"
#include "kernels/copy.hpp"
#include "measure/host.hpp"
#include "measure/statistics.hpp"
#include "measure/turns.hpp"
#include "memory/buffer.hpp"
#include "model/default_plan.hpp"
#include "model/fit.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

constexpr Index element_bytes = 16;

/// Median seconds of the slowest rank.
std::vector<double> medians(const std::vector<std::function<void()>>& calls, double seconds,
                            const Calibration& calibration) {
    std::vector<double> result;
    for (const CallTimes& times :
         take_turns(calls, {seconds, 0, calibration.after_round}, calibration.comm)) {
        result.push_back(statistics(times.with_barrier).quartiles.median);
    }
    return result;
}

/// Collective.
core::Buffer zeros(Index bytes, MPI_Comm comm) {
    core::Buffer buffer;
    core::all_or_none(comm, [&] {
        buffer = core::Buffer(bytes);
        std::fill_n(buffer.data(), bytes, std::byte{0});
    });
    return buffer;
}

core::CopyTask copy_task(Index elements) { return {{{elements, 1, 1}}, element_bytes}; }

/// A square matrix, transposed.
core::CopyTask permuting_task(Index extent) {
    return {{{extent, 1, extent}, {extent, extent, 1}}, element_bytes};
}

/// A whole number of times, so that the clock tells the time of a copy that stays in the cache.
int repeats_of(Index bytes) {
    constexpr Index bytes_of_a_call = Index{1} << 20;
    return static_cast<int>(std::max<Index>(1, bytes_of_a_call / bytes));
}

/// The tasks of one engine by what is learned from them.
struct EngineTasks {
    std::vector<core::FftTask> smooth;
    std::vector<core::FftTask> rough;
    std::vector<core::FftTask> single;
};

EngineTasks tasks_of(const core::FftEngine& engine) {
    constexpr Index most = 16384;
    constexpr Index fewest = 512;
    constexpr double seconds_of_a_task = 2e-3;
    const core::CoreRates rates = core::core_rates(core::modest_machine(), engine.name());
    EngineTasks tasks;
    for (const Pattern pattern : {Pattern::lines, Pattern::lanes}) {
        const auto task = [&](Index length, Precision precision) {
            core::FftTask some = line_task(length, pattern, precision, most);
            const double part = std::min(1.0, seconds_of_a_task / engine.cost(some, rates));
            return line_task(length, pattern, precision,
                             std::max(fewest, static_cast<Index>(most * part)));
        };
        for (const Index length : {96, 256, 500}) {
            tasks.smooth.push_back(task(length, Precision::f64));
        }
        tasks.rough.push_back(task(253, Precision::f64));
        tasks.single.push_back(task(256, Precision::f32));
    }
    return tasks;
}

/// One engine's plans for the tasks of a kind.
class Plans {
  public:
    /// Calls `after_each` plan: an engine that measures takes its time for them.
    Plans(const core::FftEngine& engine, const std::vector<core::FftTask>& tasks, std::byte* from,
          std::byte* to, const std::function<void()>& after_each)
        : from_(from), to_(to) {
        for (const core::FftTask& task : tasks) {
            flops_.push_back(core::flops(task));
            plans_.push_back(engine.plan(task, Effort::automatic, from, to));
            after_each();
        }
    }
    void add_calls(std::vector<std::function<void()>>& calls) const {
        for (const auto& plan : plans_) {
            calls.emplace_back([&plan = *plan, from = from_, to = to_] { plan.execute(from, to); });
        }
    }
    /// The median rate of the plans, whose seconds come next.
    double rate(std::vector<double>::const_iterator& next) const {
        std::vector<double> rates;
        rates.reserve(flops_.size());
        for (const double flops : flops_) rates.push_back(flops / *next++);
        return quartiles(rates).median;
    }

  private:
    std::byte* from_;
    std::byte* to_;
    std::vector<double> flops_;
    std::vector<std::unique_ptr<core::FftPlan>> plans_;
};

/// The engines that every rank can use.
std::vector<const core::FftEngine*> usable_engines(MPI_Comm comm) {
    std::vector<const core::FftEngine*> result;
    for (const core::EngineInfo& info : core::engines()) {
        const core::FftEngine* engine = nullptr;
        const core::Failure failure = core::attempt([&] {
            engine = &core::engine(info.name);
            (void)engine->description();
        });
        if (!core::on_any_rank(comm, failure.happened)) result.push_back(engine);
    }
    return result;
}

void measure_engine(const core::FftEngine& engine, double seconds, const Calibration& calibration,
                    core::Machine& machine) {
    constexpr Index bytes = 16384 * element_bytes;
    const core::Buffer from = zeros(bytes, calibration.comm);
    const core::Buffer to = zeros(bytes, calibration.comm);
    std::vector<Plans> plans;
    std::vector<std::function<void()>> calls;
    const double begin = MPI_Wtime();
    core::all_or_none(calibration.comm, [&] {
        const EngineTasks tasks = tasks_of(engine);
        for (const auto* some : {&tasks.smooth, &tasks.rough, &tasks.single}) {
            plans.emplace_back(engine, *some, from.data(), to.data(), calibration.after_round);
        }
        for (const Plans& some : plans) some.add_calls(calls);
    });
    // Without what planning took: the same on all ranks, which repeat equally often.
    double left = seconds - (MPI_Wtime() - begin);
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_DOUBLE, MPI_MIN, calibration.comm),
                    "MPI_Allreduce");
    const std::vector<double> times = medians(calls, left, calibration);
    auto next = times.begin();
    const double smooth = plans[0].rate(next);
    const double rough = plans[1].rate(next);
    const double single = plans[2].rate(next);
    const std::string name(engine.name());
    machine.engines[name] = {smooth, std::min(1.0, rough / smooth), single / smooth, vectors()};
    for (const char* figure : {".rate", ".rough", ".single"}) {
        machine.sources["engines." + name + figure] = calibration.source;
    }
}

}  // namespace

void measure_memory(double seconds, const Calibration& calibration, core::Machine& machine) {
    constexpr Index extent = 2048;  // 64 MiB on each side
    constexpr Index most = extent * extent;
    constexpr Index first = 1024;  // 32 KiB, both sides together
    constexpr Index cached = 64;   // 64 KiB on each side
    constexpr Index cached_bytes = 2 * cached * cached * element_bytes;
    const core::Buffer from = zeros(most * element_bytes, calibration.comm);
    const core::Buffer to = zeros(most * element_bytes, calibration.comm);
    core::Table copies;
    std::vector<std::function<void()>> calls;
    std::vector<int> repeats;
    core::all_or_none(calibration.comm, [&] {
        const auto add = [&](const core::CopyTask& task, Index bytes) {
            repeats.push_back(repeats_of(bytes));
            calls.emplace_back([&, copy = core::Copy(task), times = repeats.back()] {
                for (int i = 0; i < times; ++i) copy.execute(from.data(), to.data());
            });
        };
        for (Index elements = first; elements <= most; elements *= 2) {
            const Index bytes = 2 * elements * element_bytes;
            copies.push_back({static_cast<double>(bytes), 0});
            add(copy_task(elements), bytes);
        }
        add(permuting_task(cached), cached_bytes);
        add(permuting_task(extent), 2 * most * element_bytes);
    });
    const std::vector<double> times = medians(calls, seconds, calibration);
    for (std::size_t i = 0; i < copies.size(); ++i) copies[i].y = times[i] / repeats[i];
    machine.memory = core::fitted_memory(copies, times.back());
    const std::size_t within = copies.size();
    machine.memory.cache_rate = static_cast<double>(cached_bytes) * repeats[within] / times[within];
    for (const char* figure :
         {"memory.cache", "memory.copy_rate", "memory.pack_rate", "memory.cache_rate"}) {
        machine.sources[figure] = calibration.source;
    }
}

void measure_engines(double seconds, const Calibration& calibration, core::Machine& machine) {
    const std::vector<const core::FftEngine*> engines = usable_engines(calibration.comm);
    machine.engines.clear();
    std::erase_if(machine.sources,
                  [](const auto& each) { return each.first.starts_with("engines."); });
    for (const core::FftEngine* engine : engines) {
        measure_engine(*engine, seconds / static_cast<double>(engines.size()), calibration,
                       machine);
    }
    machine.other_engines = core::resolve_engine("");
    machine.sources.erase("other_engines");
}

}  // namespace weft::cli
