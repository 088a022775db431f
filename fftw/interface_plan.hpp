// What the planners of FFTW's interface have in common, whatever their names.
#pragma once

#include "names.hpp"

namespace weft::fftw {

/// The arguments of plan_many_* that say what the array is; as FFTW has it unless told: one field,
/// default blocks.
struct Shape {
    int dims;
    const ptrdiff_t* n;
    ptrdiff_t howmany = 1;
    ptrdiff_t in_block = FFTW_MPI_DEFAULT_BLOCK;
    ptrdiff_t out_block = FFTW_MPI_DEFAULT_BLOCK;
};

/// Collective. `name` is the function that the program called, after fftw_mpi_.
FftwPlan plan_dft(const char* name, const Shape& shape, FftwComplex* in, FftwComplex* out,
                  MPI_Comm comm, int sign, unsigned flags);
FftwPlan plan_r2c(const char* name, const Shape& shape, Real* in, FftwComplex* out, MPI_Comm comm,
                  unsigned flags);
FftwPlan plan_c2r(const char* name, const Shape& shape, FftwComplex* in, Real* out, MPI_Comm comm,
                  unsigned flags);
FftwPlan plan_r2r(const char* name, const Shape& shape, Real* in, Real* out, MPI_Comm comm,
                  const FftwKind* kind, unsigned flags);
FftwPlan plan_transpose(const char* name, const Shape& shape, Real* in, Real* out, MPI_Comm comm,
                        unsigned flags);

}  // namespace weft::fftw
