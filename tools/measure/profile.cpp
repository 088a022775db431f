#include "measure/profile.hpp"

#include <chrono>

namespace weft::cli {

namespace {

double now() {
    using Seconds = std::chrono::duration<double>;
    return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Phase phase_of(core::Purpose purpose) {
    switch (purpose) {
        case core::Purpose::transform:
            return Phase::fft;
        case core::Purpose::pack:
            return Phase::pack;
        case core::Purpose::unpack:
            return Phase::unpack;
        case core::Purpose::keep:
        case core::Purpose::exchange:
        case core::Purpose::poll:
            return Phase::exchange;
        case core::Purpose::reorder:
        case core::Purpose::scale:
        case core::Purpose::hop:
            return Phase::other;
    }
    return Phase::other;
}

std::vector<Phase> phases(const core::Program& program) {
    std::vector<Phase> result;
    result.reserve(program.operations.size());
    for (const core::Operation& operation : program.operations) {
        result.push_back(phase_of(operation.purpose));
    }
    return result;
}

std::vector<double> seconds_of_operations(core::Executor& executor) {
    std::vector<double> result;
    double last = now();
    executor.start();
    while (!executor.done()) {
        const std::size_t before = executor.next();
        executor.advance(true);
        const double time = now();
        if (executor.next() != before) {
            result.push_back(time - last);
        } else if (!result.empty()) {
            // A device is waited for until it has done all of them.
            result.back() += time - last;
        }
        last = time;
    }
    return result;
}

Profile profile(core::Executor& executor, const std::vector<Phase>& phases) {
    Profile result;
    const std::vector<double> seconds = seconds_of_operations(executor);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        result.seconds[static_cast<std::size_t>(phases[i])] += seconds[i];
        result.total += seconds[i];
    }
    return result;
}

}  // namespace weft::cli
