/* Solves the Poisson equation -laplace u = f on a periodic cube and compares with the solution, in
 * C.
 *
 *     cmake --build build --target example_poisson_c
 *     mpirun -n 2 build/bin/example_poisson_c */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { n = 32 };

/* Collective calls fail on every rank alike, with the same text. */
static void check(weft_code code) {
    if (code == WEFT_SUCCESS) return;
    fprintf(stderr, "%s\n", weft_last_error());
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* u is an eigenfunction of the Laplace operator: f = (1 + 4 + 9) u. */
static double solution(int64_t i, int64_t j, int64_t k) {
    const double h = 8 * atan(1.0) / n;
    return sin(h * (double)i) * cos(2 * h * (double)j) * sin(3 * h * (double)k + 1);
}

/* Of index i along an axis: 0 to n/2, then the negative ones. */
static double wave_number(int64_t i) { return (double)(i <= n / 2 ? i : i - n); }

/* The place of an element in the array of a box. */
static int64_t at(const weft_box* box, int64_t i, int64_t j, int64_t k) {
    return box->offset + (i - box->lo[0]) * box->stride[0] + (j - box->lo[1]) * box->stride[1] +
           (k - box->lo[2]) * box->stride[2];
}

/* This rank's box of an end; one without elements if it owns nothing. */
static weft_box own_box(const weft_plan* plan, weft_end end, int rank) {
    weft_box box = WEFT_BOX_INIT;
    check(weft_plan_box(plan, end, rank, 0, &box));
    return box;
}

/* Memory for this rank's array of an end. */
static void* array_of(const weft_plan* plan, weft_end end, int rank, size_t element) {
    int64_t size = 0;
    check(weft_plan_size(plan, end, rank, &size));
    void* array = weft_allocate((size_t)size * element);
    if (array == NULL) check(WEFT_SYSTEM);
    return array;
}

static void set_source(double* f, const weft_box* box) {
    for (int64_t i = box->lo[0]; i < box->hi[0]; ++i)
        for (int64_t j = box->lo[1]; j < box->hi[1]; ++j)
            for (int64_t k = box->lo[2]; k < box->hi[2]; ++k)
                f[at(box, i, j, k)] = 14 * solution(i, j, k);
}

/* In Fourier space the equation is a division by |k|^2; the mean of u is free and set to 0. */
static void divide(double complex* spectrum, const weft_box* box) {
    for (int64_t i = box->lo[0]; i < box->hi[0]; ++i)
        for (int64_t j = box->lo[1]; j < box->hi[1]; ++j)
            for (int64_t k = box->lo[2]; k < box->hi[2]; ++k) {
                const double x = wave_number(i);
                const double y = wave_number(j);
                const double z = wave_number(k);
                const double k2 = x * x + y * y + z * z;
                double complex* value = &spectrum[at(box, i, j, k)];
                *value = k2 == 0 ? 0 : *value / k2;
            }
}

static double error_of(const double* u, const weft_box* box) {
    double worst = 0;
    for (int64_t i = box->lo[0]; i < box->hi[0]; ++i)
        for (int64_t j = box->lo[1]; j < box->hi[1]; ++j)
            for (int64_t k = box->lo[2]; k < box->hi[2]; ++k)
                worst = fmax(worst, fabs(u[at(box, i, j, k)] - solution(i, j, k)));
    return worst;
}

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int64_t shape[] = {n, n, n};
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.kind = WEFT_R2C;
    problem.dims = 3;
    problem.shape = shape;
    problem.scale = "n/none";

    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    check(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    double* f = array_of(plan, WEFT_IN, rank, sizeof *f);
    double complex* spectrum = array_of(plan, WEFT_OUT, rank, sizeof *spectrum);
    check(weft_bind(plan, f, spectrum, &fft));

    const weft_box in = own_box(plan, WEFT_IN, rank);
    const weft_box out = own_box(plan, WEFT_OUT, rank);
    set_source(f, &in);
    check(weft_forward(fft));
    divide(spectrum, &out);
    check(weft_backward(fft));
    double worst = error_of(f, &in);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

    char* text = NULL;
    check(weft_plan_explain(plan, &text));
    if (rank == 0) printf("%s\nlargest error %.1e\n", text, worst);
    weft_free(text);

    weft_transform_free(&fft);
    weft_plan_free(&plan);
    weft_free(f);
    weft_free(spectrum);
    MPI_Finalize();
    return worst < 1e-13 ? EXIT_SUCCESS : EXIT_FAILURE;
}
