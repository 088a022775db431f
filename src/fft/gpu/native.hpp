// weft's own engine on a GPU.
#pragma once

#include <memory>

#include "device/gpu/target.hpp"
#include "fft/engine.hpp"
#include "fft/gpu/work_area.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Lines of lengths that the kernel has go through shared memory, wherever they lie and in segments
/// too (device/gpu/line_kernels.hpp); those of other lengths are the library's, gathered if they
/// lie in segments.
std::shared_ptr<const FftEngine> native_engine(std::shared_ptr<WorkArea> area,
                                               std::shared_ptr<const FftEngine> library);

}  // namespace weft::core::WEFT_GPU_TARGET
