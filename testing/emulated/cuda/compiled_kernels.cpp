// The kernels of src/device/gpu for the emulated GPU.
#include "device/gpu/copy_device.hpp"
#include "device/gpu/told_lines_device.hpp"
