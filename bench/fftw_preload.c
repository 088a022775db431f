/* A benchmark that knows FFTW's MPI interface only: a transform there and back.

       mpirun -n 2 fftw_preload SHAPE c2c|r2c|cosines natural|transposed estimate|measure REPEATS [apart]

   SHAPE is N for N x N x N, or as 64x64x1*3 for three fields that lie in turn, double precision. In
   place, or from one array to another and back (apart). Prints a line of JSON: seconds of planning,
   then the slowest rank's seconds of each transform. fftw_preload.py and interleaved_study.py run it
   with and without weft's library. */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptrdiff_t n[3], fields = 1;
static enum { c2c, r2c, cosines } kind;

static ptrdiff_t volume(void) { return n[0] * n[1] * n[2]; }
static ptrdiff_t half(void) { return n[2] / 2 + 1; }

static int read_shape(const char* text) {
    const char* star = strchr(text, '*');
    char* end;
    n[0] = n[1] = n[2] = strtol(text, &end, 10);
    if (*end == 'x') n[1] = strtol(end + 1, &end, 10);
    if (*end == 'x') n[2] = strtol(end + 1, &end, 10);
    if (star != NULL) fields = atol(star + 1);
    return volume() > 0 && fields > 0 && (*end == 0 || end == star);
}

static fftw_plan plan(double* from, double* to, int forward, int transposed, unsigned rigour) {
    const ptrdiff_t block = FFTW_MPI_DEFAULT_BLOCK;
    const unsigned order =
        !transposed ? 0 : (forward ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN);
    const unsigned flags = rigour | order;
    if (kind == c2c) {
        return fftw_mpi_plan_many_dft(3, n, fields, block, block, (fftw_complex*)from,
                                      (fftw_complex*)to, MPI_COMM_WORLD,
                                      forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
    }
    if (kind == cosines) {
        const fftw_r2r_kind each = forward ? FFTW_REDFT10 : FFTW_REDFT01;
        const fftw_r2r_kind kinds[3] = {each, each, each};
        return fftw_mpi_plan_many_r2r(3, n, fields, block, block, from, to, MPI_COMM_WORLD, kinds,
                                      flags);
    }
    if (forward) {
        return fftw_mpi_plan_many_dft_r2c(3, n, fields, block, block, from, (fftw_complex*)to,
                                          MPI_COMM_WORLD, flags);
    }
    return fftw_mpi_plan_many_dft_c2r(3, n, fields, block, block, (fftw_complex*)from, to,
                                      MPI_COMM_WORLD, flags);
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

static void fill(double* array, ptrdiff_t room) {
    ptrdiff_t i;
    for (i = 0; i < room; ++i) array[i] = (double)(i % 17);
}

/* The largest difference, over all ranks, from what was there before going there and back. */
static double difference(const double* array, ptrdiff_t local_n0) {
    const ptrdiff_t numbers = fields * (kind == c2c ? 2 : 1);
    const ptrdiff_t line = numbers * (kind == r2c ? 2 * half() : n[2]), used = numbers * n[2];
    const double scale = (double)volume() * (kind == cosines ? 8 : 1);
    double most = 0;
    ptrdiff_t i, j;
    for (i = 0; i < local_n0 * n[1]; ++i) {
        for (j = 0; j < used; ++j) {
            const double apart = array[i * line + j] / scale - (double)((i * line + j) % 17);
            if (apart > most) most = apart;
            if (-apart > most) most = -apart;
        }
    }
    return slowest(most);
}

int main(int argc, char** argv) {
    ptrdiff_t room, local_n0, start0, local_n1, start1, complex_n[3];
    fftw_plan forward, backward;
    double *array, *other, planning, error, there, back;
    int rank, repeat, repeats, transposed;
    unsigned rigour;
    if (argc < 6 || argc > 7 || !read_shape(argv[1])) {
        return fprintf(
                   stderr,
                   "SHAPE c2c|r2c|cosines natural|transposed estimate|measure REPEATS [apart]\n"),
               2;
    }
    kind = strcmp(argv[2], "r2c") == 0 ? r2c : strcmp(argv[2], "cosines") == 0 ? cosines : c2c;
    transposed = strcmp(argv[3], "transposed") == 0;
    rigour = strcmp(argv[4], "measure") == 0 ? FFTW_MEASURE : FFTW_ESTIMATE;
    repeats = atoi(argv[5]);
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memcpy(complex_n, n, sizeof n);
    if (kind == r2c) complex_n[2] = half();
    room = fftw_mpi_local_size_many_transposed(3, complex_n, fields, FFTW_MPI_DEFAULT_BLOCK,
                                               FFTW_MPI_DEFAULT_BLOCK, MPI_COMM_WORLD, &local_n0,
                                               &start0, &local_n1, &start1);
    if (kind != cosines) room *= 2;
    array = fftw_alloc_real((size_t)room);
    other = argc == 7 ? fftw_alloc_real((size_t)room) : array;
    planning = MPI_Wtime();
    forward = plan(array, other, 1, transposed, rigour);
    backward = plan(other, array, 0, transposed, rigour);
    planning = slowest(MPI_Wtime() - planning);
    fill(array, room);
    fftw_execute(forward); /* does not count */
    fftw_execute(backward);
    error = difference(array, local_n0);
    if (rank == 0) printf("{\"planning\": %.6f, \"error\": %.3g", planning, error);
    if (rank == 0) printf(", \"seconds\": [");
    for (repeat = 0; repeat < repeats; ++repeat) {
        fill(array, room);
        there = timed(forward);
        back = timed(backward);
        if (rank == 0) printf("%s[%.7f, %.7f]", repeat ? ", " : "", there, back);
    }
    if (rank == 0) printf("]}\n");
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
    if (other != array) fftw_free(other);
    fftw_free(array);
    MPI_Finalize();
    return 0;
}
