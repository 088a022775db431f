// The kernels of fixed_lines_device.hpp in single precision, for the emulated GPU.
#include "device/gpu/fixed_lines_device.hpp"

template void weft::core::WEFT_GPU_TARGET::launch_fixed_lines_of<float>(
    const weft::core::WEFT_GPU_TARGET::LineArguments&,
    const weft::core::WEFT_GPU_TARGET::LineLaunch&, cudaStream_t);
