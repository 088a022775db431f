#include "run/profile.hpp"

#include <chrono>

namespace weft::core {

namespace {

double now() {
    using Seconds = std::chrono::duration<double>;
    return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Phase phase_of(Purpose purpose) {
    switch (purpose) {
        case Purpose::transform:
            return Phase::fft;
        case Purpose::pack:
            return Phase::pack;
        case Purpose::unpack:
            return Phase::unpack;
        case Purpose::keep:
        case Purpose::exchange:
        case Purpose::poll:
            return Phase::exchange;
        case Purpose::reorder:
        case Purpose::scale:
            return Phase::other;
    }
    return Phase::other;
}

std::vector<Phase> phases(const Program& program) {
    std::vector<Phase> result;
    result.reserve(program.operations.size());
    for (const Operation& operation : program.operations) {
        result.push_back(phase_of(operation.purpose));
    }
    return result;
}

std::vector<double> seconds_of_operations(Executor& executor) {
    std::vector<double> result;
    double last = now();
    executor.start();
    while (!executor.done()) {
        executor.advance_blocking();
        const double time = now();
        result.push_back(time - last);
        last = time;
    }
    return result;
}

Profile profile(Executor& executor, const std::vector<Phase>& phases) {
    Profile result;
    const std::vector<double> seconds = seconds_of_operations(executor);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        result.seconds[static_cast<std::size_t>(phases[i])] += seconds[i];
        result.total += seconds[i];
    }
    return result;
}

}  // namespace weft::core
