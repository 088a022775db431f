// FFTW's names in the precision that is compiled: WEFT_FFTW_SINGLE makes fftwf_* of float, without
// it fftw_* of double. Every file that needs these names is compiled once for each library.
#pragma once

#include <fftw3-mpi.h>

namespace weft::fftw {

#ifdef WEFT_FFTW_SINGLE
using Real = float;
using FftwComplex = fftwf_complex;
using FftwPlan = fftwf_plan;
using FftwKind = fftwf_r2r_kind;
#define WEFT_FFTW(name) fftwf_##name
#define WEFT_FFTW_MPI(name) fftwf_mpi_##name
#define WEFT_FFTW_OWN(name) weft_fftwf_##name
#define WEFT_FFTW_PREFIX "fftwf_"
#else
using Real = double;
using FftwComplex = fftw_complex;
using FftwPlan = fftw_plan;
using FftwKind = fftw_r2r_kind;
#define WEFT_FFTW(name) fftw_##name
#define WEFT_FFTW_MPI(name) fftw_mpi_##name
#define WEFT_FFTW_OWN(name) weft_fftw_##name
#define WEFT_FFTW_PREFIX "fftw_"
#endif

/// A function that programs see, in place of FFTW's.
#define WEFT_FFTW_PUBLIC extern "C" __attribute__((visibility("default")))

}  // namespace weft::fftw
