/* The functions that Fortran 2003 programs call (fftw3-mpi.f03), declared for C: they take
   Fortran's communicators. */
#ifndef WEFT_TESTS_FFTW_FORTRAN_H
#define WEFT_TESTS_FFTW_FORTRAN_H

#include "trial.h"

/* The planner of the trial's family and dimensions; transposes and others. */
plan_t plan_in_fortran(const trial_t* t, void* in, void* out);

/* The five numbers of local_size_3d_transposed; those of the other sizes are compared with it. */
void sizes_in_fortran(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, ptrdiff_t sizes[5]);

#endif
