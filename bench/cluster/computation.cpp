#include "cluster/computation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "bench/quartiles.hpp"

namespace weft::bench {

namespace {

/// Fits the first cache: what a computation loses to memory is not the question here.
constexpr std::size_t numbers = 1024;

/// Some hundred nanoseconds of arithmetic, a number of times. The result depends on all of it.
double compute(long rounds) {
    static thread_local std::array<double, numbers> values{};
    for (long i = 0; i < rounds; ++i) {
        for (double& value : values) value = 0.999 * value + 0.001;
    }
    return values[static_cast<std::size_t>(rounds) % numbers];
}

double seconds_of(long rounds) {
    const auto begin = std::chrono::steady_clock::now();
    [[maybe_unused]] volatile double result = compute(rounds);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The median of short samples, so that an interruption does not count.
double seconds_of_round() {
    constexpr long rounds = 4096;
    constexpr int samples = 41;
    std::vector<double> seconds(samples);
    for (double& sample : seconds) sample = seconds_of(rounds);
    return cli::quartiles(seconds).median / rounds;
}

}  // namespace

Computation::Computation(double seconds, bool sleeps) : seconds_(seconds), sleeps_(sleeps) {
    if (!sleeps) rounds_ = std::max(1L, std::lround(seconds / seconds_of_round()));
}

void Computation::run(int index, int parts) const {
    if (sleeps_) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds_ / parts));
        return;
    }
    const long begin = rounds_ * index / parts;
    const long end = rounds_ * (index + 1) / parts;
    [[maybe_unused]] volatile double result = compute(end - begin);
}

}  // namespace weft::bench
