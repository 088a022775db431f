/* What a run computes on this rank, in a file that another run's is compared with (compare.py). */
#ifndef WEFT_TESTS_FFTW_RECORD_H
#define WEFT_TESTS_FFTW_RECORD_H

#include "names.h"

/* FOLDER/RANK, of MPI_COMM_WORLD. */
void open_records(const char* folder);
void close_records(void);

/* A line `KIND NAME COUNT`, then so many doubles. Kinds: `sizes` and `exact`, which must be equal;
   `values`, which may differ by rounding; `plan`, 0 if there was none. */
void record(const char* kind, const char* name, const real* values, ptrdiff_t count);
void record_sizes(const char* name, const ptrdiff_t* sizes, ptrdiff_t count);

/* Ends the program on all ranks with this message if `right` is 0. */
void expect(int right, const char* message, const char* name);

#endif
