/* With WEFT_FFTW=alone weft's library passes nothing on, as if FFTW's MPI library were missing:
   local sizes are its own, transforms run, and what it cannot do is an error text and no plan.
   Linked with weft's library; FFTW's is opened to compare with. */
#include <dlfcn.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(int right, const char* message) {
    if (right) return;
    fprintf(stderr, "wrong: %s\n", message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#ifdef WEFT_FFTW_LIBRARY
typedef ptrdiff_t (*sizes_t)(int, const ptrdiff_t*, ptrdiff_t, ptrdiff_t, ptrdiff_t, MPI_Comm,
                             ptrdiff_t*, ptrdiff_t*, ptrdiff_t*, ptrdiff_t*);

static int compare_sizes(sizes_t fftw, const ptrdiff_t* n, ptrdiff_t block0, ptrdiff_t block1) {
    ptrdiff_t a[5], b[5], others[2], room;
    a[0] = fftw(3, n, 2, block0, block1, MPI_COMM_WORLD, &a[1], &a[2], &a[3], &a[4]);
    b[0] = fftw_mpi_local_size_many_transposed(3, n, 2, block0, block1, MPI_COMM_WORLD, &b[1],
                                               &b[2], &b[3], &b[4]);
    expect(memcmp(a + 1, b + 1, 4 * sizeof a[0]) == 0, "other local sizes than FFTW's");
    others[0] = 2 * b[1] * n[1] * n[2];
    others[1] = 2 * b[3] * n[0] * n[2];
    room = others[0] > others[1] ? others[0] : others[1];
    expect(b[0] >= room && b[0] > 0, "too small an array");
    b[0] = fftw_mpi_local_size_many(3, n, 2, block0, MPI_COMM_WORLD, &b[1], &b[2]);
    expect(memcmp(a + 1, b + 1, 2 * sizeof a[0]) == 0, "other local sizes than FFTW's");
    expect(b[0] == (others[0] > 2 ? others[0] : 2), "natural order has another room");
    return 1;
}

static void try_sizes(void) {
    void* library = dlopen(WEFT_FFTW_LIBRARY, RTLD_LAZY);
    sizes_t fftw;
    ptrdiff_t n[3] = {1, 1, 3}, block;
    int compared = 0, ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    expect(library != NULL, "FFTW's library is not there");
    *(void**)&fftw = dlsym(library, "fftw_mpi_local_size_many_transposed");
    expect(fftw != NULL && fftw != fftw_mpi_local_size_many_transposed, "FFTW's is weft's");
    for (n[0] = 1; n[0] <= 9; ++n[0]) {
        for (n[1] = 1; n[1] <= 9; ++n[1]) {
            for (block = 0; block <= 10; ++block) {
                if (block != 0 && block * ranks < n[0]) continue;
                compared += compare_sizes(fftw, n, block, 0);
                if (block < n[1] && block * ranks >= n[1])
                    compared += compare_sizes(fftw, n, 0, block);
            }
        }
    }
    expect(compared > 500, "few sizes were compared");
}
#endif

/* A transform of FFTW's interface, through every function that executes it. */
static void try_transform(void) {
    const ptrdiff_t n = 12;
    ptrdiff_t local, start, room = fftw_mpi_local_size_3d(n, n, n, MPI_COMM_WORLD, &local, &start),
                            i;
    fftw_complex* a = fftw_alloc_complex((size_t)room);
    fftw_complex* b = fftw_alloc_complex((size_t)room);
    fftw_plan there =
        fftw_mpi_plan_dft_3d(n, n, n, a, b, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan back =
        fftw_mpi_plan_dft_3d(n, n, n, b, a, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
    double add = 0, mul = 0, fma = 0;
    expect(there != NULL && back != NULL, "no plan of weft's");
    for (i = 0; i < room; ++i) a[i][0] = (double)(i % 7), a[i][1] = (double)(i % 5);
    fftw_execute(there);
    fftw_execute_dft(back, b, a);
    fftw_execute_r2r(there, (double*)a, (double*)b);
    fftw_mpi_execute_dft(back, b, a);
    for (i = 0; i < local * n * n; ++i) {
        const double whole = (double)(n * n * n) * (double)(n * n * n);
        expect(fabs(a[i][0] / whole - (double)(i % 7)) < 1e-12, "another real part came back");
        expect(fabs(a[i][1] / whole - (double)(i % 5)) < 1e-12, "another imaginary part came back");
    }
    fftw_flops(there, &add, &mul, &fma);
    expect(add > 0 && mul > 0 && fftw_cost(there) > 0, "weft's plan costs nothing");
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
    fftw_free(a);
    fftw_free(b);
}

static void try_refused(void) {
    double array[64];
    fftw_complex* line = (fftw_complex*)array;
    expect(fftw_mpi_plan_dft_1d(8, line, line, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE) == NULL,
           "a plan that nobody can run");
    expect(fftw_mpi_plan_r2r_2d(4, 4, array, array, MPI_COMM_WORLD, FFTW_DHT, FFTW_DHT,
                                FFTW_ESTIMATE) == NULL,
           "a plan that nobody can run");
}

/* Many plans come and go, more than there are alive at a time. */
static void try_many_plans(void) {
    fftw_plan plans[3];
    int round, i;
    fftw_complex array[64];
    for (round = 0; round < 20; ++round) {
        for (i = 0; i < 3; ++i) {
            plans[i] = fftw_mpi_plan_dft_2d(4, 8, array, array, MPI_COMM_WORLD, FFTW_FORWARD, 0);
            expect(plans[i] != NULL && (i == 0 || plans[i] != plans[i - 1]), "no plan of its own");
        }
        for (i = 0; i < 3; ++i) fftw_destroy_plan(plans[i]);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
#ifdef WEFT_FFTW_LIBRARY
    try_sizes();
#endif
    try_transform();
    try_refused();
    try_many_plans();
    fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
    fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
    fftw_mpi_cleanup();
    MPI_Finalize();
    return 0;
}
