// Arrays on the host and on the fake device for plans that are computed there, and what is expected
// of binding them.
//
//     const Plan plan = plan_of("space=fake");
//     Ends ends(plan);
//     plan.bind(ends.input(true), ends.output(true)).forward();   // arrays of the device
//     ends.fetch(plan);
//     expect_near(ends.out, spectrum_of(plan));                   // what the host makes of it
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "device/devices.hpp"
#include "expect.hpp"
#include "held.hpp"
#include "net/device_reach.hpp"
#include "outcome.hpp"

namespace weft::test {

using core::DeviceMemory;

using Complex = std::complex<double>;

/// Of given layouts, which plans of the host and of a device have in common.
inline constexpr const char* shape = "c2c:f64:12x10x8 in=slab(0) out=slab(1)";

/// As WEFT_FAKE_DEVICE, which is read when the device is first used. A launch of these tests can
/// give the last rank a device of its own: WEFT_TEST_LAST_DEVICE.
inline const char* last_device() { return std::getenv("WEFT_TEST_LAST_DEVICE"); }
inline bool is_last() { return world_rank() == world_size() - 1; }

inline Plan plan_of(const std::string& choice, const std::string& problem = shape) {
    return Plan::parse(problem + "; " + choice, MPI_COMM_WORLD);
}

inline std::unique_ptr<DeviceMemory> on_device(Index elements, const char* name, Index shift = 0) {
    return core::device("fake").allocate(elements * 16 + shift, name);
}
inline Complex* numbers(const DeviceMemory& memory, Index shift = 0) {
    return reinterpret_cast<Complex*>(memory.data() + shift);
}
/// Between the device's memory and the host's.
inline void transfer(const void* from, void* to, Index elements) {
    const auto queue = core::device("fake").queue("test");
    queue->wait(queue->copy(static_cast<const std::byte*>(from), static_cast<std::byte*>(to),
                            elements * 16, "test"));
}

inline std::vector<Complex> signal_of(const Plan& plan) {
    std::vector<Complex> signal(static_cast<std::size_t>(plan.in_size()));
    for (std::size_t i = 0; i < signal.size(); ++i) {
        const auto x = static_cast<double>(i) + 7.0 * world_rank();
        signal[i] = {std::cos(1.3 * x * x), std::sin(2.1 * x)};
    }
    return signal;
}
/// What the host makes of it with the plan's layouts.
inline std::vector<Complex> spectrum_of(const Plan& plan, const std::string& problem = shape) {
    const Plan host = plan_of("space=host", problem);
    EXPECT_EQ(host.out_size(), plan.out_size());
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    host.bind(in.data(), out.data()).forward();
    return out;
}
inline void expect_near(const std::vector<Complex>& a, const std::vector<Complex>& b) {
    ASSERT_EQ(a.size(), b.size());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = std::abs(a[i] - b[i]);
        most = apart <= most ? most : apart;  // Not a number counts as far.
    }
    EXPECT_LT(most, 1e-10);
}

/// The arrays of one rank at both ends of a plan, on the host or on the device.
struct Ends {
    std::vector<Complex> in;
    std::vector<Complex> out;
    std::unique_ptr<DeviceMemory> device_in;
    std::unique_ptr<DeviceMemory> device_out;
    Index shift;

    explicit Ends(const Plan& plan, Index bytes_past = 0)
        : in(signal_of(plan)),
          out(static_cast<std::size_t>(plan.out_size())),
          device_in(on_device(plan.in_size(), "signal", bytes_past)),
          device_out(on_device(plan.out_size(), "spectrum", bytes_past)),
          shift(bytes_past) {
        transfer(in.data(), numbers(*device_in, shift), plan.in_size());
    }
    [[nodiscard]] Complex* input(bool device) {
        return device ? numbers(*device_in, shift) : in.data();
    }
    [[nodiscard]] Complex* output(bool device) {
        return device ? numbers(*device_out, shift) : out.data();
    }
    void fetch(const Plan& plan) {
        transfer(numbers(*device_out, shift), out.data(), plan.out_size());
    }
};

/// A transform of host arrays on the device is right: what was refused before has left nothing.
inline void expect_binds(const std::string& choice) {
    const Plan plan = plan_of(choice);
    Ends ends(plan);
    plan.bind(ends.in.data(), ends.out.data()).forward();
    expect_near(ends.out, spectrum_of(plan));
}

/// How messages travel, for tests of each way.
struct Way {
    const char* name;
    const char* choice;
    bool by_mpi = false;  ///< MPI has to reach the device
    const char* problem = shape;

    friend std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }
};

inline core::Device& fake() { return core::device("fake"); }

/// Why a way is left out of tests of devices that fail; empty: it is not. Collective: whether MPI
/// reaches the device is tried once, and here, before a test counts.
inline std::string why_left_out(const Way& way) {
    if (last_device() != nullptr) return "for equal devices";
    if (world_size() == 1) return "one rank tells nobody";
    const bool reaches = core::device_reach(fake()).reaches;
    return way.by_mpi && !reaches ? "for an MPI that reaches the device" : "";
}

/// A communicator of its own, with which all that weft has kept with it goes.
class Comm {
  public:
    Comm() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
    ~Comm() { MPI_Comm_free(&comm_); }
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;
    [[nodiscard]] MPI_Comm get() const { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace weft::test
