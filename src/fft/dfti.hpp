// Intel MKL's discrete Fourier transforms, DFTI, opened when they are first wanted.
#pragma once

// The names of strides and distances that every version of MKL has are deprecated in new ones.
#define MKL_DEPRECATED_MSG(message)
#include <mkl_dfti.h>
#include <mkl_service.h>

namespace weft::core {

/// DFTI's functions, as mkl_dfti.h declares them. Integers and strides have 64 bits (MKL_LONG)
/// whichever interface layer MKL has.
struct Dfti {
    decltype(&DftiCreateDescriptor) create = nullptr;
    decltype(&DftiSetValue) set = nullptr;
    decltype(&DftiCommitDescriptor) commit = nullptr;
    decltype(&DftiComputeForward) forward = nullptr;
    decltype(&DftiComputeBackward) backward = nullptr;
    decltype(&DftiFreeDescriptor) free = nullptr;
    decltype(&DftiErrorMessage) message = nullptr;
    decltype(&MKL_Get_Version) version = nullptr;
};

static_assert(sizeof(MKL_LONG) == 8);

/// Opens the library when first called. Throws Error(not_available) if it cannot be opened.
const Dfti& dfti();

}  // namespace weft::core
