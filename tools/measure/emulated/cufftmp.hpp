// The part of cuFFTMp that weft bench uses, on the emulated device: the formats and errors are
// cuFFTMp's. Every rank transforms the whole array by the emulated cuFFT, and keeps its part.
//
// 8x6x4 complex elements on 2 ranks: rank 0 has the first 4 planes of axis 0 before, and the first
// 3 of axis 1 after it.
//
//     cufftHandle plan = CUFFT_PLAN_NULL;
//     cudaLibXtDesc* array = nullptr;
//     std::size_t work_bytes = 0;
//     cufftCreate(&plan);
//     cufftMpAttachComm(plan, CUFFT_COMM_MPI, &comm);
//     cufftMakePlan3d(plan, 8, 6, 4, CUFFT_Z2Z, &work_bytes);
//     cufftXtMalloc(plan, &array, CUFFT_XT_FORMAT_INPLACE);
//     cufftXtExecDescriptor(plan, array, array, CUFFT_FORWARD);  // of array->descriptor->data[0]
//
// It computes before it returns, but for its last copy, which is in the default stream.
#pragma once

#include <array>
#include <cstddef>

#include "fft/gpu/library.hpp"

namespace weft::cli::emulated {

using namespace core::emulated;

enum cufftMpCommType : int { CUFFT_COMM_MPI = 0, CUFFT_COMM_NONE = 1 };

enum cufftXtSubFormat : int {
    CUFFT_XT_FORMAT_INPLACE = 2,           ///< axis 0 is cut; rows of real elements are padded
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,  ///< axis 1 is cut
};

struct cudaXtDesc {
    int nGPUs;
    std::array<void*, 1> data;
    std::array<std::size_t, 1> size;
};

struct cudaLibXtDesc {
    cudaXtDesc* descriptor;
    int subFormat;
};

/// Collective; `comm` points to an MPI_Comm, which stays while the plan does.
cufftResult cufftMpAttachComm(cufftHandle plan, cufftMpCommType type, void* comm);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            std::size_t* work_bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            std::size_t* work_bytes);
cufftResult cufftDestroy(cufftHandle plan);
/// Memory for this rank's part in either format.
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** array, cufftXtSubFormat format);
cufftResult cufftXtFree(cudaLibXtDesc* array);
/// Collective, in place: from INPLACE forward to INPLACE_SHUFFLED, and inversely.
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out,
                                  int direction);

}  // namespace weft::cli::emulated
