/* A benchmark that knows FFTW's MPI interface only: one transform in place, there and back.

       mpirun -n 2 fftw_preload N c2c|r2c natural|transposed estimate|measure REPEATS

   N x N x N, double precision. Prints a line of JSON: seconds of planning, then the slowest rank's
   seconds of each transform. fftw_preload.py runs it with and without weft's library. */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptrdiff_t n;
static int is_real;

static fftw_plan plan(double* array, int forward, int transposed, unsigned rigour) {
    fftw_complex* complex_array = (fftw_complex*)array;
    const unsigned order =
        !transposed ? 0 : (forward ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN);
    if (!is_real) {
        return fftw_mpi_plan_dft_3d(n, n, n, complex_array, complex_array, MPI_COMM_WORLD,
                                    forward ? FFTW_FORWARD : FFTW_BACKWARD, rigour | order);
    }
    if (forward) {
        return fftw_mpi_plan_dft_r2c_3d(n, n, n, array, complex_array, MPI_COMM_WORLD,
                                        rigour | order);
    }
    return fftw_mpi_plan_dft_c2r_3d(n, n, n, complex_array, array, MPI_COMM_WORLD, rigour | order);
}

static double slowest(double seconds) {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static double timed(fftw_plan which) {
    double start;
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    fftw_execute(which);
    return slowest(MPI_Wtime() - start);
}

/* The largest difference, over all ranks, from what was there before going there and back. */
static double difference(const double* array, ptrdiff_t local_n0) {
    const ptrdiff_t line = is_real ? 2 * (n / 2 + 1) : 2 * n, used = is_real ? n : 2 * n;
    double most = 0;
    ptrdiff_t i, j;
    for (i = 0; i < local_n0 * n; ++i) {
        for (j = 0; j < used; ++j) {
            const double value = array[i * line + j] / ((double)n * n * n);
            const double apart = value - (double)((i * line + j) % 17);
            if (apart > most) most = apart;
            if (-apart > most) most = -apart;
        }
    }
    return slowest(most);
}

int main(int argc, char** argv) {
    ptrdiff_t room, local_n0, start0, local_n1, start1, i;
    fftw_plan forward, backward;
    double *array, planning, error, there, back;
    int rank, repeat, repeats, transposed;
    unsigned rigour;
    if (argc != 6) {
        return fprintf(stderr, "N c2c|r2c natural|transposed estimate|measure REPEATS\n"), 2;
    }
    n = atol(argv[1]);
    is_real = strcmp(argv[2], "r2c") == 0;
    transposed = strcmp(argv[3], "transposed") == 0;
    rigour = strcmp(argv[4], "measure") == 0 ? FFTW_MEASURE : FFTW_ESTIMATE;
    repeats = atoi(argv[5]);
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    room = fftw_mpi_local_size_3d_transposed(n, n, is_real ? n / 2 + 1 : n, MPI_COMM_WORLD,
                                             &local_n0, &start0, &local_n1, &start1);
    array = fftw_alloc_real(2 * (size_t)room);
    planning = MPI_Wtime();
    forward = plan(array, 1, transposed, rigour);
    backward = plan(array, 0, transposed, rigour);
    planning = slowest(MPI_Wtime() - planning);
    for (i = 0; i < 2 * room; ++i) array[i] = (double)(i % 17);
    fftw_execute(forward); /* does not count */
    fftw_execute(backward);
    error = difference(array, local_n0);
    if (rank == 0) printf("{\"planning\": %.6f, \"error\": %.3g", planning, error);
    if (rank == 0) printf(", \"seconds\": [");
    for (repeat = 0; repeat < repeats; ++repeat) {
        for (i = 0; i < 2 * room; ++i) array[i] = (double)(i % 17);
        there = timed(forward);
        back = timed(backward);
        if (rank == 0) printf("%s[%.6f, %.6f]", repeat ? ", " : "", there, back);
    }
    if (rank == 0) printf("]}\n");
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
    fftw_free(array);
    MPI_Finalize();
    return 0;
}
