// The part of cuFFT that weft uses, on the emulated device: layouts, work areas and errors are
// cuFFT's, values are those of the reference engine.
//
// 100 lines of 8 complex elements, each line's at distance 100 and the lines side by side, in
// place:
//
//     cufftHandle plan = CUFFT_PLAN_NULL;
//     long long n[] = {8};
//     std::size_t work_bytes = 0;
//     cufftCreate(&plan);
//     cufftSetAutoAllocation(plan, 0);
//     cufftMakePlanMany64(plan, 1, n, n, 100, 1, n, 100, 1, CUFFT_Z2Z, 100, &work_bytes);
//     cufftSetWorkArea(plan, work);
//     cufftSetStream(plan, stream);
//     cufftExecZ2Z(plan, data, data, CUFFT_FORWARD);
//
// What may go wrong with cuFFT goes wrong here:
// - The work area is written before the result is taken from it, and holds NaN afterwards: plans
//   that share one need events. Every length above 1 needs one.
// - The input of an out-of-place transform from complex to real of two or three dimensions holds
//   NaN afterwards.
// - Arrays that overlap in another way than cuFFT allows in place give NaN: complex ones have the
//   same layout at both ends; a real row of n elements has room for n/2+1 complex ones, and
//   elements of a line are contiguous.
// - Addresses, of real elements too, are multiples of a complex element's size; otherwise
//   CUFFT_INVALID_VALUE.
// - A plan that is destroyed while its work area is in use traps.
#pragma once

#include <cstddef>

#include "testing/emulated/cuda/streams.hpp"

namespace weft::core::emulated {

enum cufftResult : int {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_NOT_SUPPORTED = 16,
};

enum cufftType : int {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
};

constexpr int CUFFT_FORWARD = -1;
constexpr int CUFFT_INVERSE = 1;

using cufftHandle = int;
constexpr cufftHandle CUFFT_PLAN_NULL = -1;

using cufftReal = float;
using cufftDoubleReal = double;
struct alignas(8) cufftComplex {
    float x;
    float y;
};
struct alignas(16) cufftDoubleComplex {
    double x;
    double y;
};

cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftDestroy(cufftHandle plan);
/// Whether the plan allocates its work area; it does unless this is called with 0 before it is
/// made.
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates);
/// Element [i][j][k] of transform b is at b * idist + ((i * inembed[1] + j) * inembed[2] + k) *
/// istride of the input, in elements of the input, and the same of the output; inembed[0] is not
/// used. With inembed or onembed null, both are dense and strides and distances are not used; in
/// place, rows of real elements are then padded to whole complex ones.
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                std::size_t* work_bytes);
cufftResult cufftGetSize(cufftHandle plan, std::size_t* work_bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void* area);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftGetVersion(int* version);

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out);

}  // namespace weft::core::emulated
