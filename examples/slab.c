/* Forward and backward transform of a slab-distributed array, in C; checks that a plane wave gives
 * one peak and comes back.
 *
 *     cmake --build build --target example_slab_c
 *     mpirun -n 2 build/bin/example_slab_c */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { nx = 24, ny = 20, nz = 18, wave_number = 3 };

/* Collective calls fail on every rank alike, with the same text. */
static void check(weft_code code) {
    if (code == WEFT_SUCCESS) return;
    fprintf(stderr, "%s\n", weft_last_error());
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* A plane wave along axis 1: exp(2 pi i 3 y / 20) at (x, y, z). */
static double complex wave(int64_t x, int64_t y, int64_t z) {
    const double two_pi = 8 * atan(1.0);
    (void)x, (void)z;
    return cexp(I * two_pi * wave_number * (double)y / ny);
}

/* Its spectrum: N at (0, 3, 0) and nothing else. */
static double complex peak(int64_t x, int64_t y, int64_t z) {
    return x == 0 && y == wave_number && z == 0 ? (double)nx * ny * nz : 0;
}

typedef double complex (*field)(int64_t, int64_t, int64_t);

/* Sets the array of one end to a field (if `set`); the largest difference from it. */
static double visit(const weft_plan* plan, weft_end end, double complex* array, field value,
                    int set) {
    int rank = 0;
    int count = 0;
    double worst = 0;
    check(weft_plan_rank(plan, &rank));
    check(weft_plan_box_count(plan, end, rank, &count));
    for (int b = 0; b < count; ++b) {
        weft_box box = WEFT_BOX_INIT;
        check(weft_plan_box(plan, end, rank, b, &box));
        for (int64_t x = box.lo[0]; x < box.hi[0]; ++x)
            for (int64_t y = box.lo[1]; y < box.hi[1]; ++y)
                for (int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
                    double complex* element = array + box.offset + (x - box.lo[0]) * box.stride[0] +
                                              (y - box.lo[1]) * box.stride[1] +
                                              (z - box.lo[2]) * box.stride[2];
                    if (set) *element = value(x, y, z);
                    worst = fmax(worst, cabs(*element - value(x, y, z)));
                }
    }
    return worst;
}

/* Memory for this rank's array of one end. */
static double complex* array_of(const weft_plan* plan, weft_end end) {
    int rank = 0;
    int64_t size = 0;
    check(weft_plan_rank(plan, &rank));
    check(weft_plan_size(plan, end, rank, &size));
    double complex* array = weft_allocate((size_t)size * sizeof *array);
    if (array == NULL) check(WEFT_SYSTEM);
    return array;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int64_t shape[] = {nx, ny, nz};
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.dims = 3;
    problem.shape = shape;
    problem.in = "slab(0)";
    problem.scale = "none/n";

    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    check(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    double complex* in = array_of(plan, WEFT_IN);
    double complex* out = array_of(plan, WEFT_OUT);
    check(weft_bind(plan, in, out, &fft));

    visit(plan, WEFT_IN, in, wave, 1);
    check(weft_forward(fft));
    double worst = visit(plan, WEFT_OUT, out, peak, 0) / ((double)nx * ny * nz);
    check(weft_backward(fft));
    worst = fmax(worst, visit(plan, WEFT_IN, in, wave, 0));
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

    int rank = 0;
    char* text = NULL;
    check(weft_plan_rank(plan, &rank));
    check(weft_plan_explain(plan, &text));
    if (rank == 0) printf("%s\nerror %.1e\n", text, worst);
    weft_free(text);

    weft_transform_free(&fft);
    weft_plan_free(&plan);
    weft_free(in);
    weft_free(out);
    MPI_Finalize();
    return worst < 1e-13 ? EXIT_SUCCESS : EXIT_FAILURE;
}
