// How an emulated device behaves, and which one there is.
//
// A text, in the environment variable WEFT_EMULATED_DEVICE or of a test, has the words of
// WEFT_FAKE_DEVICE (fake/fake.hpp) and these:
//
//     none          there is a driver, and no device
//     nodriver      there is no driver
//     olddriver     the driver is older than the runtime
//     memory:4096   bytes that the device has
//     compute:70    its compute capability: 7.0
//     units:132     its multiprocessors
//     nccl:22803    the version that its NCCL (testing/emulated/nccl/nccl.hpp) says it is: 2.28.3
//     patience:500  milliseconds after which what its NCCL waits for is an error
//
// For example `late,seed:2,memory:1000000`.
#pragma once

#include <chrono>
#include <string>

#include "testing/fake/fake.hpp"

namespace weft::core::emulated {

struct EmulatedOptions {
    enum class Presence { here, no_device, no_driver, old_driver };

    FakeOptions fake;
    Presence presence = Presence::here;
    Index memory = Index{1} << 34;
    int compute = 90;
    int units = 8;
    int nccl = 23000;
    std::chrono::milliseconds patience{60000};
};

/// Throws Error(bad_request) that quotes what is not understood.
EmulatedOptions emulated_options(const std::string& text);

/// From now on there is a fresh device, without memory, streams and errors. What the one before has
/// in its streams has run; its handles are not known any more, and addresses of its memory trap.
/// Nobody else may use the runtime meanwhile. Without a call, the first use of the runtime makes a
/// device as WEFT_EMULATED_DEVICE says.
void set_emulated_device(const std::string& text);
/// Whether anybody has used the runtime, so that there is one.
bool is_runtime_used();

}  // namespace weft::core::emulated
