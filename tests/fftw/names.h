/* FFTW's names in the precision that is tested. */
#ifndef WEFT_TESTS_FFTW_NAMES_H
#define WEFT_TESTS_FFTW_NAMES_H

#include <fftw3-mpi.h>

#ifdef WEFT_FFTW_SINGLE
typedef float real;
typedef fftwf_complex complex_t;
typedef fftwf_plan plan_t;
typedef fftwf_r2r_kind kind_t;
#define X(name) fftwf_##name
#define XM(name) fftwf_mpi_##name
#else
typedef double real;
typedef fftw_complex complex_t;
typedef fftw_plan plan_t;
typedef fftw_r2r_kind kind_t;
#define X(name) fftw_##name
#define XM(name) fftw_mpi_##name
#endif

#endif
