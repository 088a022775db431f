// Errors of the emulated runtime: CUDA's codes, and how long they stay.
//
// A call returns its error. cudaGetLastError gives the last one of the thread and forgets it, so
// that the error of a launch can be asked for. An error of work that a stream runs sticks: every
// later call of any thread returns it, until there is a fresh device (options.hpp).
#pragma once

#include <exception>

namespace weft::core::emulated {

/// How a call comes to return a code: within the runtime codes are thrown so.
template <class Code>
struct Thrown : std::exception {
    explicit Thrown(Code thrown) : code(thrown) {}
    Code code;
};

/// The codes that the runtime returns, and some that CUDA's own may return in their place.
enum cudaError_t : int {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureMerge = 902,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorUnknown = 999,
};

/// "cudaErrorNotReady"; for no code of the list, "unrecognized error code".
const char* cudaGetErrorName(cudaError_t error);
/// In words.
const char* cudaGetErrorString(cudaError_t error);
/// The last error of a call of this thread, which is forgotten; one that sticks is not.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

}  // namespace weft::core::emulated
