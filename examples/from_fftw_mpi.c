/* The derivative of a real field along its first axis, with FFTW-MPI's distribution: a program for
 * fftw_mpi_plan_dft_r2c_3d that was moved to weft (docs/from/fftw_mpi.md).
 *
 *     cmake --build build --target example_from_fftw_mpi
 *     mpirun -n 2 build/bin/example_from_fftw_mpi */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { nx = 24, ny = 20, nz = 18 };

static void check(weft_code code) {
    if (code == WEFT_SUCCESS) return;
    fprintf(stderr, "%s\n", weft_last_error());
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* What fftw_mpi_local_size_3d gives: this rank's rows of axis 0, and the size of an array. */
static weft_box local_part(const weft_plan* plan, weft_end end, int rank, int64_t* size) {
    weft_box box = WEFT_BOX_INIT;
    check(weft_plan_size(plan, end, rank, size));
    check(weft_plan_box(plan, end, rank, 0, &box)); /* without elements if it has no rows */
    return box;
}

/* i*k/n of every mode of a spectrum whose axis 0 is cut; the highest wave number has no derivative.
 */
static void differentiate(double complex* spectrum, const weft_box* part) {
    for (int64_t x = part->lo[0]; x < part->hi[0]; ++x) {
        const double k = x < (nx + 1) / 2 ? (double)x : x > nx / 2 ? (double)(x - nx) : 0;
        for (int64_t i = 0; i < (int64_t)ny * (nz / 2 + 1); ++i) {
            spectrum[(x - part->lo[0]) * part->stride[0] + i] *= I * k / ((double)nx * ny * nz);
        }
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int64_t real_size = 0, complex_size = 0;
    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    check(weft_plan_from_text("r2c:f64:24x20x18 in=slab(0) out=slab(0)@012 cut=block",
                              MPI_COMM_WORLD, &plan));
    check(weft_plan_rank(plan, &rank));
    const weft_box rows = local_part(plan, WEFT_IN, rank, &real_size);
    const weft_box modes = local_part(plan, WEFT_OUT, rank, &complex_size);
    double* u = weft_allocate((size_t)real_size * sizeof *u);
    double complex* u_hat = weft_allocate((size_t)complex_size * sizeof *u_hat);
    check(weft_bind(plan, u, u_hat, &fft)); /* in place of FFTW_MEASURE: arrays are not touched */

    const double step = 8 * atan(1.0) / nx;
    for (int64_t x = rows.lo[0]; x < rows.hi[0]; ++x)
        for (int64_t i = 0; i < ny * nz; ++i)
            u[(x - rows.lo[0]) * ny * nz + i] = sin(3 * step * (double)x);
    check(weft_forward(fft));
    differentiate(u_hat, &modes);
    check(weft_backward(fft));

    double error = 0;
    for (int64_t x = rows.lo[0]; x < rows.hi[0]; ++x)
        for (int64_t i = 0; i < ny * nz; ++i)
            error = fmax(error,
                         fabs(u[(x - rows.lo[0]) * ny * nz + i] - 3 * cos(3 * step * (double)x)));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("error %.1e\n", error);

    weft_transform_free(&fft);
    weft_plan_free(&plan);
    weft_free(u);
    weft_free(u_hat);
    MPI_Finalize();
    return error < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
