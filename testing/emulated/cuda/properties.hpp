// What the emulated runtime says of its one device, and of the driver.
#pragma once

#include <cstddef>

#include "testing/emulated/cuda/errors.hpp"

namespace weft::core::emulated {

struct cudaUUID_t {
    char bytes[16];
};

/// The members of CUDA's that weft may ask for.
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    std::size_t totalGlobalMem;
    std::size_t sharedMemPerBlock;
    std::size_t sharedMemPerBlockOptin;
    std::size_t sharedMemPerMultiprocessor;
    std::size_t reservedSharedMemPerBlock;
    int regsPerBlock;
    int regsPerMultiprocessor;
    int warpSize;
    int maxThreadsPerBlock;
    int maxThreadsPerMultiProcessor;
    int maxBlocksPerMultiProcessor;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int major;
    int minor;
    int multiProcessorCount;
    int memoryBusWidth;  ///< bits
    int l2CacheSize;
    int asyncEngineCount;
    int concurrentKernels;
    int unifiedAddressing;
    int canMapHostMemory;
    int integrated;
    int pciDomainID;
    int pciBusID;
    int pciDeviceID;
};

enum cudaDeviceAttr : int {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMemoryClockRate = 36,       ///< kHz
    cudaDevAttrGlobalMemoryBusWidth = 37,  ///< bits
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};

/// cudaErrorNoDevice or cudaErrorInsufficientDriver, with 0 devices, where the options say so.
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
/// 0 if there is none.
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

}  // namespace weft::core::emulated
