// The engines that compute by a GPU's own kernels: one text, compiled for each kind of GPU.
#pragma once

#include <memory>
#include <string_view>

#include "device/device.hpp"

namespace weft::core {

class FftEngine;

// make_engine(): the engine of that name in base/device_engines.def, with work memory of its own.
namespace cuda {
std::shared_ptr<const FftEngine> make_engine(Device& device, std::string_view name);
}
namespace hip {
std::shared_ptr<const FftEngine> make_engine(Device& device, std::string_view name);
}
namespace emulated {
std::shared_ptr<const FftEngine> make_engine(Device& device, std::string_view name);
}

}  // namespace weft::core
