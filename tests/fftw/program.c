/* A program for FFTW's MPI interface that knows nothing of weft: every kind of plan. It is run with
   FFTW's library alone and with weft's in front of it, and compare.py compares the records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "named.h"
#include "record.h"
#include "trial.h"

static const unsigned orders[] = {0, FFTW_MPI_TRANSPOSED_IN, FFTW_MPI_TRANSPOSED_OUT,
                                  FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT};

/* In every order, in place and not, of one field and of three. */
static void try_orders(trial_t t) {
    int order, in_place, three;
    for (order = 0; order < 4; ++order) {
        t.flags = FFTW_ESTIMATE | orders[order];
        for (in_place = 0; in_place < 2; ++in_place) {
            for (three = 0; three < 2; ++three) {
                t.in_place = in_place;
                t.howmany = three ? 3 : 1;
                try_case(t, "orders", plan_many);
            }
        }
    }
}

static void try_shapes(void) {
    static const trial_t shapes[] = {
        {dft, 2, {8, 6}},       {dft, 2, {7, 5}},    {dft, 2, {3, 13}},
        {dft, 3, {8, 6, 4}},    {dft, 3, {7, 5, 3}}, {dft, 3, {2, 11, 1}},
        {dft, 4, {3, 4, 5, 2}}, {dft, 2, {1, 6}},    {dft, 3, {16, 12, 10}},
    };
    size_t i;
    for (i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        trial_t t = shapes[i];
        try_orders(t);
        t.backward = 1;
        try_orders(t);
        t.backward = 0;
        t.family = r2c;
        try_orders(t);
        t.family = c2r;
        try_orders(t);
        if (t.dims == 2) {
            t.family = transposition;
            try_orders(t);
        }
    }
}

/* The caller's own block sizes: larger than FFTW's, and all but one on the first rank. */
static void try_blocks(void) {
    static const ptrdiff_t lengths[2] = {11, 9};
    int order, family, ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (order = 0; order < 4; ++order) {
        for (family = 0; family < 4; ++family) {
            trial_t t = {dft, 3, {11, 9, 6}};
            const int in_axis = (orders[order] & FFTW_MPI_TRANSPOSED_IN) != 0;
            const int out_axis = (orders[order] & FFTW_MPI_TRANSPOSED_OUT) != 0;
            t.family = family == 3 ? transposition : (enum family)family;
            t.flags = FFTW_ESTIMATE | orders[order];
            if (family == 3) t.dims = 2;
            t.in_block = (lengths[in_axis] + ranks - 1) / ranks + 1;
            t.out_block = ranks == 1 ? 0 : lengths[out_axis] - 1;
            /* FFTW 3.3.10 computes something else where only the blocks of c2r differ. */
            if (family == c2r && orders[order] == 0) t.out_block = t.in_block;
            if (family == 3) t.in_block = 12, t.out_block = (9 + ranks - 1) / ranks + 1;
            try_case(t, "blocks", plan_many);
            t.in_place = 1;
            t.howmany = 2;
            try_case(t, "blocks", plan_many);
        }
    }
}

/* Within a limit FFTW's own ranks may come to different plans, and then wait for ever. */
static void try_rigours(double limit) {
    static const unsigned rigours[] = {
        FFTW_MEASURE,
        FFTW_MEASURE | FFTW_DESTROY_INPUT,
        FFTW_MEASURE | FFTW_PRESERVE_INPUT,
        FFTW_MEASURE | FFTW_UNALIGNED | FFTW_CONSERVE_MEMORY,
        FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT,
        FFTW_PATIENT | FFTW_MPI_TRANSPOSED_OUT,
        FFTW_EXHAUSTIVE | FFTW_MPI_TRANSPOSED_OUT,
    };
    size_t i;
    X(set_timelimit)(limit);
    for (i = 0; i < sizeof rigours / sizeof rigours[0]; ++i) {
        trial_t t = {dft, 3, {6, 5, 4}};
        t.flags = rigours[i];
        try_case(t, "rigours", plan_many);
        t.backward = 1;
        t.in_place = 1;
        try_case(t, "rigours", plan_many);
        t.family = r2c;
        t.backward = 0;
        try_case(t, "rigours", plan_many);
        t.family = c2r;
        t.in_place = 0;
        try_case(t, "rigours", plan_many);
    }
    X(set_timelimit)(FFTW_NO_TIMELIMIT);
}

/* Every kind along either axis, in every order. */
static void try_kinds(void) {
    static const kind_t kinds[8] = {FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                                    FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
    int kind;
    for (kind = 0; kind < 8; ++kind) {
        trial_t t = {r2r, 2, {8, 7}};
        t.kinds[0] = kinds[kind];
        t.kinds[1] = kinds[(kind * 3 + 1) % 8];
        t.kinds[2] = kinds[(kind * 5 + 2) % 8];
        t.flags = FFTW_ESTIMATE | orders[kind % 4];
        t.howmany = kind % 3 == 0 ? 3 : 1;
        try_case(t, "kinds", plan_many);
        t.dims = 3;
        t.n[2] = 5;
        t.in_place = kind % 2;
        t.flags = FFTW_ESTIMATE | orders[kind / 2];
        try_case(t, "kinds", plan_many);
    }
}

/* What weft leaves to FFTW. */
static void try_others(void) {
    trial_t line = {dft, 1, {16}};
    trial_t kinds = {r2r, 2, {8, 6}};
    const unsigned scrambled[] = {0, FFTW_MPI_SCRAMBLED_IN, FFTW_MPI_SCRAMBLED_OUT};
    int i;
    for (i = 0; i < 3; ++i) {
        line.flags = FFTW_ESTIMATE | scrambled[i];
        line.backward = i == 1;
        try_case(line, "line", plan_many);
    }
    line.n[0] = 13;
    line.flags = FFTW_ESTIMATE;
    line.howmany = 3;
    try_case(line, "line", plan_many);
    kinds.kinds[0] = FFTW_REDFT10;
    kinds.kinds[1] = FFTW_RODFT11;
    kinds.flags = FFTW_ESTIMATE;
    try_case(kinds, "kinds", plan_many);
    kinds.dims = 3;
    kinds.n[2] = 4;
    kinds.in_place = 1;
    kinds.kinds[2] = FFTW_R2HC;
    kinds.flags = FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT;
    try_case(kinds, "kinds", plan_many);
}

/* On other communicators than all ranks', which are freed before the plan is executed. */
static plan_t plan_and_free(const trial_t* t, void* in, void* out) {
    trial_t own = *t;
    plan_t plan;
    MPI_Comm_dup(t->comm, &own.comm);
    plan = plan_many(&own, in, out);
    MPI_Comm_free(&own.comm);
    return plan;
}

static void try_communicators(void) {
    trial_t t = {dft, 3, {6, 4, 5}};
    int rank, i;
    t.flags = FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT;
    for (i = 0; i < 2; ++i) try_case(t, "freed", plan_and_free);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &t.comm);
    try_case(t, "split", plan_many);
    try_case(t, "split", plan_many);
    MPI_Comm_free(&t.comm);
}

int main(int argc, char** argv) {
    if (argc != 3) return fprintf(stderr, "program FOLDER SECONDS\n"), 2;
    MPI_Init(&argc, &argv);
    XM(init)();
    open_records(argv[1]);
    try_shapes();
    try_blocks();
    try_rigours(atof(argv[2]));
    try_kinds();
    try_others();
    try_communicators();
    try_named();
    close_records();
    XM(cleanup)();
    MPI_Finalize();
    return 0;
}
