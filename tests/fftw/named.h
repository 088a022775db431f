/* Every function of FFTW's MPI interface by its own name. */
#ifndef WEFT_TESTS_FFTW_NAMED_H
#define WEFT_TESTS_FFTW_NAMED_H

/* Collective. Tries and records them. */
void try_named(void);

#endif
