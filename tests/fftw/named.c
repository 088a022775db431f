#include "named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fortran.h"
#include "record.h"
#include "trial.h"

static int sign_of(const trial_t* t) { return t->backward ? FFTW_BACKWARD : FFTW_FORWARD; }

static plan_t plan_general(const trial_t* t, void* in, void* out) {
    const MPI_Comm comm = t->comm;
    if (t->family == dft) return XM(plan_dft)(t->dims, t->n, in, out, comm, sign_of(t), t->flags);
    if (t->family == r2c) return XM(plan_dft_r2c)(t->dims, t->n, in, out, comm, t->flags);
    if (t->family == c2r) return XM(plan_dft_c2r)(t->dims, t->n, in, out, comm, t->flags);
    if (t->family == r2r) return XM(plan_r2r)(t->dims, t->n, in, out, comm, t->kinds, t->flags);
    return XM(plan_transpose)(t->n[0], t->n[1], in, out, comm, t->flags);
}

static plan_t plan_by_dims(const trial_t* t, void* in, void* out) {
    const ptrdiff_t* n = t->n;
    const unsigned flags = t->flags;
    const MPI_Comm comm = t->comm;
    if (t->dims == 1) return XM(plan_dft_1d)(n[0], in, out, comm, sign_of(t), flags);
    if (t->dims == 2) {
        if (t->family == dft) return XM(plan_dft_2d)(n[0], n[1], in, out, comm, sign_of(t), flags);
        if (t->family == r2c) return XM(plan_dft_r2c_2d)(n[0], n[1], in, out, comm, flags);
        if (t->family == c2r) return XM(plan_dft_c2r_2d)(n[0], n[1], in, out, comm, flags);
        return XM(plan_r2r_2d)(n[0], n[1], in, out, comm, t->kinds[0], t->kinds[1], flags);
    }
    if (t->family == dft) {
        return XM(plan_dft_3d)(n[0], n[1], n[2], in, out, comm, sign_of(t), flags);
    }
    if (t->family == r2c) return XM(plan_dft_r2c_3d)(n[0], n[1], n[2], in, out, comm, flags);
    if (t->family == c2r) return XM(plan_dft_c2r_3d)(n[0], n[1], n[2], in, out, comm, flags);
    return XM(plan_r2r_3d)(n[0], n[1], n[2], in, out, comm, t->kinds[0], t->kinds[1], t->kinds[2],
                           flags);
}

static void try_planners(void) {
    int family, dims;
    for (family = 0; family < 4; ++family) {
        for (dims = 2; dims <= 3; ++dims) {
            trial_t t = {dft, 2, {6, 5, 4}};
            t.family = (enum family)family;
            t.dims = dims;
            t.flags = FFTW_ESTIMATE;
            t.kinds[0] = t.kinds[1] = t.kinds[2] = FFTW_REDFT00;
            try_case(t, "general", plan_general);
            try_case(t, "dims", plan_by_dims);
            t.flags |= FFTW_MPI_TRANSPOSED_OUT;
            try_case(t, "general", plan_general);
            try_case(t, "fortran", plan_in_fortran);
        }
    }
    {
        trial_t line = {dft, 1, {16}};
        trial_t turn = {transposition, 2, {6, 5}};
        line.flags = turn.flags = FFTW_ESTIMATE;
        try_case(line, "dims", plan_by_dims);
        try_case(turn, "general", plan_general);
        try_case(turn, "fortran", plan_in_fortran);
    }
}

static void try_sizes(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2) {
    const ptrdiff_t n[] = {n0, n1, n2};
    ptrdiff_t s[5];
    memset(s, 0, sizeof s);
    s[0] = XM(local_size)(3, n, MPI_COMM_WORLD, &s[1], &s[2]);
    record_sizes("local_size", s, 5);
    s[0] = XM(local_size_transposed)(3, n, MPI_COMM_WORLD, &s[1], &s[2], &s[3], &s[4]);
    record_sizes("local_size_transposed", s, 5);
    s[0] = XM(local_size_many)(2, n, 3, FFTW_MPI_DEFAULT_BLOCK, MPI_COMM_WORLD, &s[1], &s[2]);
    record_sizes("local_size_many", s, 5);
    s[0] = XM(local_size_2d)(n0, n1, MPI_COMM_WORLD, &s[1], &s[2]);
    record_sizes("local_size_2d", s, 5);
    s[0] = XM(local_size_2d_transposed)(n0, n1, MPI_COMM_WORLD, &s[1], &s[2], &s[3], &s[4]);
    record_sizes("local_size_2d_transposed", s, 5);
    s[0] = XM(local_size_3d)(n0, n1, n2, MPI_COMM_WORLD, &s[1], &s[2]);
    record_sizes("local_size_3d", s, 5);
    s[0] = XM(local_size_3d_transposed)(n0, n1, n2, MPI_COMM_WORLD, &s[1], &s[2], &s[3], &s[4]);
    record_sizes("local_size_3d_transposed", s, 5);
    s[0] = XM(local_size_1d)(n0 * n1, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE, &s[1], &s[2],
                             &s[3], &s[4]);
    record_sizes("local_size_1d", s, 5);
    sizes_in_fortran(n0, n1, n2, s);
    record_sizes("fortran", s, 5);
}

/* FFTW's serial plans and weft's go through the same functions. */
static void try_serial(void) {
    complex_t* array = X(malloc)(sizeof(complex_t) * 12);
    plan_t plan = X(plan_dft_1d)(12, array, array, FFTW_FORWARD, FFTW_ESTIMATE);
    double add, mul, fma;
    real numbers[4];
    char* text = X(sprint_plan)(plan);
    int i;
    expect(text != NULL && text[0] == '(', "a serial plan is not printed", "serial");
    free(text);
    X(flops)(plan, &add, &mul, &fma);
    numbers[0] = (real)add;
    numbers[1] = (real)mul;
    numbers[2] = (real)fma;
    numbers[3] = (real)X(cost)(plan);
    record("exact", "serial", numbers, 4);
    for (i = 0; i < 12; ++i) array[i][0] = i, array[i][1] = -i;
    X(execute)(plan);
    X(execute_dft)(plan, array, array);
    record("values", "serial", &array[0][0], 24);
    X(destroy_plan)(plan);
    X(free)(array);
}

/* What can be asked of an MPI plan. */
static void try_questions(void) {
    complex_t* array = X(malloc)(sizeof(complex_t) * 8 * 8 * 8);
    plan_t plan =
        XM(plan_dft_3d)(8, 8, 8, array, array, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    FILE* file = tmpfile();
    double add = -1, mul = -1, fma = -1;
    char* text = X(sprint_plan)(plan);
    expect(text != NULL && text[0] == '(', "a plan is not printed", "questions");
    X(fprint_plan)(plan, file);
    expect(ftell(file) == (long)strlen(text), "a file gets another text", "questions");
    fclose(file);
    free(text);
    X(flops)(plan, &add, &mul, &fma);
    expect(add >= 0 && mul >= 0 && fma >= 0, "no flops", "questions");
    expect(X(cost)(plan) >= 0 && X(estimate_cost)(plan) >= 0, "no cost", "questions");
    X(destroy_plan)(plan);
    X(destroy_plan)(NULL);
    X(free)(array);
}

void try_named(void) {
    try_sizes(10, 7, 3);
    try_sizes(3, 16, 5);
    try_planners();
    try_serial();
    try_questions();
    XM(gather_wisdom)(MPI_COMM_WORLD);
    XM(broadcast_wisdom)(MPI_COMM_WORLD);
}
