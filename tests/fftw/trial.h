/* One planner call of FFTW's MPI interface: its arrays, its plan and what executing it gives. */
#ifndef WEFT_TESTS_FFTW_TRIAL_H
#define WEFT_TESTS_FFTW_TRIAL_H

#include "names.h"

enum family { dft, r2c, c2r, r2r, transposition };

typedef struct {
    enum family family;
    int dims;
    ptrdiff_t n[4];
    ptrdiff_t howmany; /* 0 stands for 1, in all cases below */
    ptrdiff_t in_block, out_block;
    int backward;
    int in_place;
    unsigned flags;
    kind_t kinds[4];
    MPI_Comm comm; /* 0: MPI_COMM_WORLD, by MPI_COMM_NULL */
} trial_t;

/* How a trial gets its plan; the usual one is plan_many. */
typedef plan_t (*planner_t)(const trial_t* trial, void* in, void* out);
plan_t plan_many(const trial_t* trial, void* in, void* out);

/* Collective. Plans, executes on the planner's arrays and on others, and records sizes, results and
   inputs that are to be kept. Returns whether there was a plan. */
int try_case(trial_t trial, const char* label, planner_t planner);

#endif
