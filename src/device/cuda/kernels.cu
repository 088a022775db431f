// The kernels of src/device/gpu for NVIDIA's GPUs; compiled with WEFT_GPU_CUDA.
#include "device/gpu/copy_device.hpp"
#include "device/gpu/told_lines_device.hpp"
