// Options of fake devices, and work for their queues, as tests use them.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "testing/fake/fake.hpp"

namespace weft::core::test {

inline FakeOptions late() {
    FakeOptions options;
    options.late = true;
    return options;
}

inline FakeOptions drawn(std::uint64_t seed) {
    FakeOptions options;
    options.seed = seed;
    options.late = seed % 3 == 0;
    options.longest_delay = std::chrono::microseconds(seed % 5 * 10);
    options.copy_piece = Index{1} << (seed % 14);
    return options;
}

inline std::vector<double> numbers(std::size_t count, double first) {
    std::vector<double> result(count);
    std::iota(result.begin(), result.end(), first);
    return result;
}
inline Index bytes_of(const std::vector<double>& values) {
    return static_cast<Index>(values.size() * sizeof(double));
}
inline std::byte* raw(std::vector<double>& values) {
    return reinterpret_cast<std::byte*>(values.data());
}

/// Work that sets all numbers of a device buffer, or adds to them.
struct Fill {
    DeviceMemory& memory;
    double value = 0;
    void operator()(const DeviceView& view) const {
        auto* data = reinterpret_cast<double*>(view.reach(memory.data()));
        std::fill_n(data, memory.bytes() / 8, value);
    }
};
struct Add {
    DeviceMemory& memory;
    double value = 0;
    void operator()(const DeviceView& view) const {
        auto* data = reinterpret_cast<double*>(view.reach(memory.data()));
        for (Index i = 0; i < memory.bytes() / 8; ++i) data[i] += value;
    }
};

/// The error of a call, or "".
template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

}  // namespace weft::core::test
