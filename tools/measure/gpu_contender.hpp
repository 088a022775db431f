// cuFFT itself as a contender: what a GPU's transform would be without weft around it.
#pragma once

#include <memory>

#include "device/device.hpp"
#include "measure/contender.hpp"

namespace weft::cli {

// contender(): for each kind of GPU that is built; see device/gpu/target.hpp. The problem is one
// that gpu_contender() has found possible.
namespace cuda {
std::unique_ptr<Contender> contender(const Problem& problem, core::Device& device);
}
namespace hip {
std::unique_ptr<Contender> contender(const Problem& problem, core::Device& device);
}
namespace emulated {
std::unique_ptr<Contender> contender(const Problem& problem, core::Device& device);
}

}  // namespace weft::cli
