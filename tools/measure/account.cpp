#include "measure/account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "fft/engine.hpp"
#include "measure/quartiles.hpp"
#include "memory/buffer.hpp"
#include "net/mpi_error.hpp"

namespace weft::cli {

namespace {

constexpr int repeats = 5;

template <class Work>
double median_seconds(const Work& work) {
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const double begin = MPI_Wtime();
        work();
        seconds.push_back(MPI_Wtime() - begin);
    }
    return quartiles(seconds).median;
}

/// Bytes read and written per second by this rank, while all others do the same.
double copy_rate(Index bytes, MPI_Comm comm) {
    const auto size = static_cast<std::size_t>(std::max<Index>(bytes, 1 << 20));
    const core::Buffer from(static_cast<Index>(size));
    const core::Buffer to(static_cast<Index>(size));
    std::memset(from.data(), 0, size);
    std::memset(to.data(), 0, size);
    core::check_mpi(MPI_Barrier(comm), "MPI_Barrier");
    const double seconds = median_seconds([&] { std::memcpy(to.data(), from.data(), size); });
    return 2 * static_cast<double>(size) / seconds;
}

/// Flops per second of complex lines side by side that stay in the cache.
class CacheRates {
  public:
    CacheRates(std::string engine, Precision precision)
        : engine_(std::move(engine)), precision_(precision) {}

    double of(Index length) {
        double& known = rates_[length];
        if (known == 0) known = measured(length);
        return known;
    }

  private:
    [[nodiscard]] double measured(Index length) const {
        constexpr Index lines = 32;
        core::FftTask task;
        task.line.precision = precision_;
        task.set_axes({{length, lines, lines}});
        task.looped = {{lines, 1, 1}};
        const Index bytes = length * lines * task.line.source().bytes();
        const core::Buffer from(bytes);
        const core::Buffer to(bytes);
        std::memset(from.data(), 0, static_cast<std::size_t>(bytes));
        const auto plan = core::engine(engine_).plan(task, Effort::measure, from.data(), to.data());
        const int times = static_cast<int>(std::max<Index>(1, (Index{1} << 22) / bytes));
        const double seconds = median_seconds([&] {
            for (int i = 0; i < times; ++i) plan->execute(from.data(), to.data());
        });
        const auto n = static_cast<double>(length);
        return times * 5 * static_cast<double>(lines) * n * std::log2(n) / seconds;
    }

    std::string engine_;
    Precision precision_;
    std::map<Index, double> rates_;
};

std::string line(const AccountedOperation& one, double copying, CacheRates& rates) {
    const auto bytes = static_cast<double>(one.account.read + one.account.written);
    double flops = 0;
    double in_cache = 0;  // seconds
    for (const auto& [length, some] : one.account.flops) {
        flops += some;
        in_cache += some / rates.of(length);
    }
    std::string text = fmt::format("  {:>5}  {:<10} {:>10.6f} {:>11} {:>11}", one.stage, one.name,
                                   one.seconds, one.account.read, one.account.written);
    const bool long_enough = one.seconds > 0;
    text += bytes > 0 && long_enough ? fmt::format(" {:>8.2f} {:>6.2f}", 1e-9 * bytes / one.seconds,
                                                   bytes / one.seconds / copying)
                                     : fmt::format(" {:>8} {:>6}", "-", "-");
    text += flops > 0 && long_enough ? fmt::format(" {:>9.2f} {:>6.2f}", 1e-9 * flops / one.seconds,
                                                   in_cache / one.seconds)
                                     : fmt::format(" {:>9} {:>6}", "-", "-");
    return text + "\n";
}

}  // namespace

std::string account_table(Contender& contender, int repeat, MPI_Comm comm) {
    std::string text;
    for (const bool backward : {false, true}) {
        const AccountedRun run = contender.account(backward, repeat);
        const double copying = copy_rate(run.copied_bytes, comm);
        CacheRates rates(run.engine, run.precision);
        text += fmt::format(
            "\naccount of rank 0, {}; a copy makes {:.2f} GB/s\n"
            "  {:>5}  {:<10} {:>10} {:>11} {:>11} {:>8} {:>6} {:>9} {:>6}\n",
            backward ? "backward" : "forward", 1e-9 * copying, "stage", "operation", "seconds",
            "read", "written", "GB/s", "/copy", "GFLOP/s", "/cache");
        for (const AccountedOperation& one : run.operations) text += line(one, copying, rates);
    }
    return text;
}

}  // namespace weft::cli
