// The devices of tests, registered before main in programs that are linked with
// weft-testing-devices.
#include "device/devices.hpp"

#include <array>

#include "testing/fake/fake.hpp"

namespace weft::core {

#ifdef WEFT_EMULATED_GPU

// Compiled of src/device/gpu, src/fft/gpu and src/net/gpu.
Device& emulated_device();
bool emulated_knows(const void* address);
const DeviceComms& emulated_comms();
namespace emulated {
std::shared_ptr<const FftEngine> make_engine(Device& device, std::string_view name);
}

#endif

namespace {

#ifdef WEFT_EMULATED_GPU

constexpr std::array emulated_engines = {
    EngineTraits{
        .name = "native", .summary = "the kernels of cuda, in segments too", .fuses = true},
    EngineTraits{.name = "cufft",
                 .summary = "cuFFT's calls, carried out by software",
                 .wants_contiguous = true}};

[[maybe_unused]] const bool emulated_is_registered = register_device(
    {"emulated", "the sources of cuda on a CUDA of software, for tests", "-DWEFT_EMULATED_GPU=ON"},
    {"emulated", &emulated_device, &emulated_knows, &emulated::make_engine, &emulated_comms},
    emulated_engines);

#endif

[[maybe_unused]] const bool fake_is_registered = register_device(
    {"fake", "made of software, for tests: its memory traps where the host touches it", ""},
    {.name = "fake", .device = &fake_device, .knows = &fake_knows});

}  // namespace

}  // namespace weft::core
