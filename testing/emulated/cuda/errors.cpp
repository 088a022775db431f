#include "testing/emulated/cuda/errors.hpp"

#include <utility>

#include "testing/emulated/cuda/context.hpp"

namespace weft::core::emulated {

namespace {

struct ErrorWords {
    cudaError_t error;
    const char* name;
    const char* words;
};

#define WEFT_WORDS(error, words) \
    { error, #error, words }
constexpr ErrorWords error_words[] = {
    WEFT_WORDS(cudaSuccess, "no error"),
    WEFT_WORDS(cudaErrorInvalidValue, "invalid argument"),
    WEFT_WORDS(cudaErrorMemoryAllocation, "out of memory"),
    WEFT_WORDS(cudaErrorInitializationError, "initialization error"),
    WEFT_WORDS(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    WEFT_WORDS(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    WEFT_WORDS(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    WEFT_WORDS(cudaErrorInsufficientDriver,
               "CUDA driver version is insufficient for CUDA runtime version"),
    WEFT_WORDS(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    WEFT_WORDS(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    WEFT_WORDS(cudaErrorInvalidDevice, "invalid device ordinal"),
    WEFT_WORDS(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    WEFT_WORDS(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    WEFT_WORDS(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    WEFT_WORDS(cudaErrorNotReady, "device not ready"),
    WEFT_WORDS(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    WEFT_WORDS(cudaErrorHostMemoryAlreadyRegistered,
               "part or all of the requested memory range is already mapped"),
    WEFT_WORDS(cudaErrorHostMemoryNotRegistered,
               "pointer does not correspond to a registered memory region"),
    WEFT_WORDS(cudaErrorLaunchFailure, "unspecified launch failure"),
    WEFT_WORDS(cudaErrorNotSupported, "operation not supported"),
    WEFT_WORDS(cudaErrorStreamCaptureUnsupported,
               "operation not permitted when stream is capturing"),
    WEFT_WORDS(cudaErrorStreamCaptureInvalidated,
               "operation failed due to a previous error during capture"),
    WEFT_WORDS(cudaErrorStreamCaptureMerge, "operation would merge two captures"),
    WEFT_WORDS(cudaErrorStreamCaptureUnmatched, "capture was not ended in the stream it began in"),
    WEFT_WORDS(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    WEFT_WORDS(cudaErrorStreamCaptureIsolation,
               "dependency created on uncaptured work in another stream"),
    WEFT_WORDS(cudaErrorStreamCaptureImplicit,
               "operation would make the default stream depend on a capturing stream"),
    WEFT_WORDS(cudaErrorCapturedEvent,
               "operation not permitted on an event last recorded in a "
               "capturing stream"),
    WEFT_WORDS(cudaErrorUnknown, "unknown error"),
};
#undef WEFT_WORDS

const ErrorWords* words_of(cudaError_t error) {
    for (const ErrorWords& one : error_words) {
        if (one.error == error) return &one;
    }
    return nullptr;
}

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
    const ErrorWords* words = words_of(error);
    return words != nullptr ? words->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    const ErrorWords* words = words_of(error);
    return words != nullptr ? words->words : "unrecognized error code";
}

cudaError_t note(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

cudaError_t cudaGetLastError() {
    const cudaError_t error = std::exchange(last_error, cudaSuccess);
    const cudaError_t sticks = context().failure;
    return sticks != cudaSuccess ? sticks : error;
}

cudaError_t cudaPeekAtLastError() {
    const cudaError_t sticks = context().failure;
    return sticks != cudaSuccess ? sticks : last_error;
}

}  // namespace weft::core::emulated
