/* Calls MPI as FFTW's MPI library does, and FFTW as well. */
#include <fftw3-mpi.h>

int both(MPI_Comm comm);
int both(MPI_Comm comm) {
    int one = fftw_alignment_of(NULL);
    if (comm != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_LOR, comm);
    return one;
}

void fftw_mpi_init(void) { both(MPI_COMM_NULL); }
void fftwf_mpi_init(void) { both(MPI_COMM_NULL); }
