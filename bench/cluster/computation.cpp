#include "cluster/computation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "measure/quartiles.hpp"
#include "measure/race.hpp"

namespace weft::bench {

namespace {

/// Fits the first cache: what a computation loses to memory is not the question here.
constexpr std::size_t numbers = 1024;

/// Some hundred nanoseconds of arithmetic, a number of times. The result depends on all of it. Not
/// inlined, or else what is calibrated would be compiled otherwise than what then runs.
[[gnu::noinline]] double compute(long rounds) {
    static thread_local std::array<double, numbers> values{};
    for (long i = 0; i < rounds; ++i) {
        for (double& value : values) value = 0.999 * value + 0.001;
    }
    return values[static_cast<std::size_t>(rounds) % numbers];
}

void compute_and_forget(long rounds) { [[maybe_unused]] volatile double result = compute(rounds); }

/// The median, on the slowest rank.
double seconds_of(MPI_Comm comm, long rounds) {
    constexpr int samples = 3;
    std::vector<double> seconds(samples);
    for (double& sample : seconds) {
        sample = cli::seconds_of_slowest(comm, true, [&] { compute_and_forget(rounds); });
    }
    return cli::quartiles(seconds).median;
}

/// Rounds that take so long: from short samples to one of the whole length.
long calibrated(MPI_Comm comm, double seconds) {
    double rounds = 1000;
    for (const double part : {0.01, 0.1, 1.0, 1.0}) {
        rounds *= part * seconds / seconds_of(comm, std::lround(rounds));
        rounds = std::clamp(rounds, 1.0, 1e12);
    }
    return std::lround(rounds);
}

}  // namespace

Computation::Computation(MPI_Comm comm, double seconds, bool sleeps)
    : seconds_(seconds), sleeps_(sleeps), rounds_(sleeps ? 0 : calibrated(comm, seconds)) {}

void Computation::run(int index, int parts) const {
    if (sleeps_) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds_ / parts));
        return;
    }
    const long begin = rounds_ * index / parts;
    const long end = rounds_ * (index + 1) / parts;
    compute_and_forget(end - begin);
}

}  // namespace weft::bench
