#include "bench/engine_rates.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "measure/quartiles.hpp"
#include "memory/buffer.hpp"

namespace weft::cli {

namespace {

/// Seconds: a sample is long enough for the clock, and an engine that has had its time is not asked
/// for more samples.
constexpr double sample_time = 2e-4;
constexpr double engine_time = 5e-3;
constexpr int most_samples = 15;

/// Engines work in the calling thread, so its own time is theirs, whoever else wants the core.
double thread_seconds() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// One engine's plan and what its executions took.
class Runner {
  public:
    Runner(const core::FftEngine& engine, const core::FftTask& task, std::byte* from, std::byte* to)
        : plan_(engine.plan(task, Effort::automatic, from, to)), from_(from), to_(to) {
        // The first meets cold caches, which a slow engine hardly notices.
        spent_ = time(1);
        if (spent_ > engine_time) {
            samples_.push_back(spent_);
            return;
        }
        const double once = std::max(time(1), 1e-9);
        repeats_ = std::max(1, static_cast<int>(std::ceil(sample_time / once)));
    }

    void sample() {
        if (!samples_.empty() && spent_ > engine_time) return;
        const double taken = time(repeats_);
        spent_ += taken;
        samples_.push_back(taken / repeats_);
    }
    [[nodiscard]] double median() const { return quartiles(samples_).median; }

  private:
    double time(int repeats) {
        const double start = thread_seconds();
        for (int i = 0; i < repeats; ++i) plan_->execute(from_, to_);
        return thread_seconds() - start;
    }

    std::unique_ptr<core::FftPlan> plan_;
    std::byte* from_;
    std::byte* to_;
    int repeats_ = 1;
    double spent_ = 0;
    std::vector<double> samples_;
};

core::Buffer zeros(Index bytes) {
    core::Buffer buffer(bytes);
    std::fill_n(buffer.data(), bytes, std::byte{0});
    return buffer;
}

}  // namespace

std::string_view to_string(Pattern pattern) {
    constexpr std::array<std::string_view, 3> names = {"lines", "lanes", "permuting"};
    return names[static_cast<std::size_t>(pattern)];
}

core::FftTask line_task(Index length, Pattern pattern, Precision precision, Index elements) {
    const Index lines = std::max<Index>(1, elements / length);
    const bool adjacent_from = pattern == Pattern::lines;
    const bool adjacent_to = pattern != Pattern::lanes;
    core::FftTask task;
    task.line.precision = precision;
    task.set_axes({{length, adjacent_from ? 1 : lines, adjacent_to ? 1 : lines}});
    task.looped = {{lines, adjacent_from ? length : 1, adjacent_to ? length : 1}};
    return task;
}

std::vector<double> engine_rates(const core::FftTask& task,
                                 const std::vector<const core::FftEngine*>& engines) {
    const Index elements = task.line.length * task.looped.front().extent;
    const Index bytes = elements * (task.line.precision == Precision::f64 ? 16 : 8);
    const core::Buffer from = zeros(bytes);
    const core::Buffer to = zeros(bytes);
    std::vector<Runner> runners;
    runners.reserve(engines.size());
    for (const core::FftEngine* engine : engines) {
        runners.emplace_back(*engine, task, from.data(), to.data());
    }
    for (int turn = 0; turn < most_samples; ++turn) {
        for (Runner& runner : runners) runner.sample();
    }
    std::vector<double> rates(runners.size());
    std::transform(runners.begin(), runners.end(), rates.begin(), [&](const Runner& runner) {
        return 1e-9 * core::flops(task) / runner.median();
    });
    return rates;
}

}  // namespace weft::cli
