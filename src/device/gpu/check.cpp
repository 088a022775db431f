#include "device/gpu/check.hpp"

#include <fmt/format.h>

#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

std::string_view advice(cudaError_t result) {
    switch (result) {
        case cudaErrorNoDevice:
            return "; this machine has no such GPU, or CUDA_VISIBLE_DEVICES hides it: leave out "
                   "space= to compute on the host";
        case cudaErrorInsufficientDriver:
            return "; there is no driver, or it is older than the library: install it, or leave "
                   "out space= to compute on the host";
        case cudaErrorMemoryAllocation:
            return "; use more ranks on more devices, or smaller arrays";
        default:
            return "";
    }
}

}  // namespace

void check(cudaError_t result, std::string_view what) {
    if (result == cudaSuccess) return;
    const bool absent = result == cudaErrorNoDevice || result == cudaErrorInsufficientDriver;
    throw Error(absent ? ErrorCode::not_available : ErrorCode::system,
                fmt::format("device " WEFT_GPU_NAME ": {}: {} ({}){}", what,
                            cudaGetErrorName(result), cudaGetErrorString(result), advice(result)));
}

}  // namespace weft::core::WEFT_GPU_TARGET
