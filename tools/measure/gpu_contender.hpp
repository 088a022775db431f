// cuFFT and cuFFTMp themselves as contenders: what GPUs' transforms would be without weft around
// them.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"
#include "measure/contender.hpp"

namespace weft::cli {

/// Why a plan whose space is that device has no contender on a GPU of this build.
std::string no_gpu_text(const std::string& device);

// contender(): for each kind of GPU that is built; see device/gpu/target.hpp. The problem is one
// that gpu_contender() has found possible. cufftmp_contender(): where cuFFTMp is, collective, of a
// problem that another one has found possible.
namespace cuda {
std::unique_ptr<Contender> contender(const Problem& problem, core::Device& device);
std::unique_ptr<Contender> cufftmp_contender(const Problem& problem, core::Device& device,
                                             MPI_Comm comm);
}  // namespace cuda
namespace hip {
std::unique_ptr<Contender> contender(const Problem& problem, core::Device& device);
}
namespace emulated {
std::unique_ptr<Contender> contender(const Problem& problem, core::Device& device);
std::unique_ptr<Contender> cufftmp_contender(const Problem& problem, core::Device& device,
                                             MPI_Comm comm);
}  // namespace emulated

}  // namespace weft::cli
