// The kernels of src/device/gpu for AMD's GPUs; compiled with WEFT_GPU_HIP.
#include "device/gpu/copy_device.hpp"
#include "device/gpu/told_lines_device.hpp"
