// cuFFTMp, or what takes its place, for the kind of GPU that the file is compiled for; see
// device/gpu/target.hpp.
#pragma once

#if defined(WEFT_GPU_CUDA)
#include <cufftMp.h>

#include "fft/gpu/library.hpp"
#else
#include "measure/emulated/cufftmp.hpp"
#endif

namespace weft::cli::WEFT_GPU_TARGET {

using namespace core::WEFT_GPU_TARGET;

/// Its functions. They are not linked: among them are all of cuFFT's, which would take the place of
/// those that weft is linked with, or the other way round.
struct CufftMp {
    decltype(&cufftCreate) create;
    decltype(&cufftDestroy) destroy;
    decltype(&cufftMpAttachComm) attach;
    decltype(&cufftMakePlan2d) make_2d;
    decltype(&cufftMakePlan3d) make_3d;
    decltype(&cufftXtMalloc) allocate;
    decltype(&cufftXtFree) free;
    decltype(&cufftXtExecDescriptor) execute;
};

/// Throws Error(not_available) if the library cannot be opened.
const CufftMp& cufftmp();

}  // namespace weft::cli::WEFT_GPU_TARGET
