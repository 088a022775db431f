// NCCL's names for the kind of GPU that a source is compiled for (device/gpu/target.hpp): RCCL has
// the same ones.
#pragma once

#if defined(WEFT_GPU_CUDA)
#include <nccl.h>
#define WEFT_COMMS_NAME "NCCL"
#elif defined(WEFT_GPU_HIP)
#if __has_include(<rccl/rccl.h>)
#include <rccl/rccl.h>
#else
#include <rccl.h>
#endif
#define WEFT_COMMS_NAME "RCCL"
#else
#include WEFT_GPU_NCCL
#define WEFT_COMMS_NAME "NCCL"
#endif
