/* Ranks whose planner calls differ get no plan, on all ranks, and a line on stderr; neither weft
   nor FFTW waits. Calls that differ in nothing that weft's plan depends on get one.

   usage: weft_fftw_disagree [VARIABLE=VALUE]     a variable of the last rank: every call differs
   prints how many calls differed, for disagree.sh to compare with the lines. */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 6, room = 8 * n * n };

static int rank, ranks, last, other_variable, off, refused;
static fftw_complex *a, *b;

/* Collective. `right`: whether the ranks make one call. */
static void expect_plan(int right, fftw_plan plan, const char* name) {
    int plans = plan != NULL;
    if (other_variable) right = 0;
    MPI_Allreduce(MPI_IN_PLACE, &plans, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (plans != (right ? ranks : 0)) {
        fprintf(stderr, "wrong: %d plans on %d ranks: %s\n", plans, ranks, name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (!right) {
        ++refused;
        return;
    }
    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

static fftw_plan many(ptrdiff_t n0, ptrdiff_t howmany, ptrdiff_t in_block, ptrdiff_t out_block,
                      int in_place, int sign, unsigned flags) {
    const ptrdiff_t lengths[] = {n0, n, n};
    return fftw_mpi_plan_many_dft(3, lengths, howmany, in_block, out_block, a, in_place ? a : b,
                                  MPI_COMM_WORLD, sign, flags);
}

static void try_flags(void) {
    static const unsigned same[][2] = {
        {FFTW_ESTIMATE, FFTW_MEASURE},
        {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_UNALIGNED},
        {FFTW_MEASURE, FFTW_MEASURE | FFTW_CONSERVE_MEMORY},
        {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT},
    };
    static const unsigned different[][2] = {
        {FFTW_ESTIMATE, FFTW_PATIENT},
        {FFTW_PATIENT, FFTW_EXHAUSTIVE},
        {FFTW_PATIENT, FFTW_PATIENT | FFTW_WISDOM_ONLY},
        {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_DESTROY_INPUT},
        {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_IN},
        {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT},
        {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_OUT},
    };
    size_t i;
    for (i = 0; i < sizeof same / sizeof same[0]; ++i) {
        expect_plan(!off, many(n, 1, 0, 0, 0, FFTW_FORWARD, same[i][last]),
                    "flags of one plan to weft");
    }
    for (i = 0; i < sizeof different / sizeof different[0]; ++i) {
        expect_plan(0, many(n, 1, 0, 0, 0, FFTW_FORWARD, different[i][last]), "flags");
    }
    /* In place nothing is kept. */
    expect_plan(!off, many(n, 1, 0, 0, 1, FFTW_FORWARD, last ? FFTW_DESTROY_INPUT : FFTW_ESTIMATE),
                "overwriting in place");
}

static void try_arguments(void) {
    const unsigned flags = FFTW_ESTIMATE;
    const ptrdiff_t block = (n + ranks - 1) / ranks;
    expect_plan(0, many(n + last, 1, 0, 0, 0, FFTW_FORWARD, flags), "lengths");
    expect_plan(0, many(n, 1 + last, 0, 0, 0, FFTW_FORWARD, flags), "fields");
    expect_plan(0, many(n, 1, last ? n : 0, 0, 0, FFTW_FORWARD, flags), "input blocks");
    expect_plan(0, many(n, 1, 0, last ? n : 0, 0, FFTW_FORWARD, flags), "output blocks");
    expect_plan(1, many(n, 1, last ? block : 0, last ? 0 : block, 0, FFTW_FORWARD, flags),
                "the default block said");
    expect_plan(0, many(n, 1, last ? 1 : n, 0, 0, FFTW_FORWARD, flags), "more blocks than ranks");
    expect_plan(0, many(n, 1, last ? -1 : 0, 0, 0, FFTW_FORWARD, flags), "a block that is none");
    expect_plan(0, many(n, 1, 0, 0, last, FFTW_FORWARD, flags), "in place");
    expect_plan(0, many(n, 1, 0, 0, 0, last ? FFTW_BACKWARD : FFTW_FORWARD, flags), "directions");
    if (off) return; /* FFTW itself may wait for ever. */
    /* Of the first rank alone: the others own nothing, and may give what they like. */
    expect_plan(1, many(n, 1, n, n, last && ranks > 1, FFTW_FORWARD, flags), "no part, in place");
    expect_plan(1, many(n, 1, n, n, !last, FFTW_FORWARD, flags), "no part, not in place");
}

static void try_functions(void) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const unsigned flags = FFTW_ESTIMATE;
    double *x = a[0], *y = b[0];
    expect_plan(0,
                last ? fftw_mpi_plan_dft_r2c_2d(n, n, x, b, comm, flags)
                     : fftw_mpi_plan_dft_2d(n, n, a, b, comm, FFTW_FORWARD, flags),
                "kinds of transforms");
    expect_plan(0,
                last ? fftw_mpi_plan_dft_2d(n, n, a, b, comm, FFTW_FORWARD, flags)
                     : fftw_mpi_plan_dft_3d(n, n, 1, a, b, comm, FFTW_FORWARD, flags),
                "dimensions");
    expect_plan(0, fftw_mpi_plan_dft_c2r_2d(n, n, a, y, comm, last ? FFTW_PRESERVE_INPUT : 0),
                "kept input of c2r");
    expect_plan(0,
                fftw_mpi_plan_r2r_2d(n, n, x, y, comm, last ? FFTW_REDFT10 : FFTW_RODFT10,
                                     FFTW_REDFT10, flags),
                "kinds");
    expect_plan(
        0, fftw_mpi_plan_r2r_2d(n, n, x, y, comm, last ? FFTW_DHT : FFTW_R2HC, FFTW_DHT, flags),
        "kinds of FFTW's");
    expect_plan(0, fftw_mpi_plan_transpose(n, n + last, x, y, comm, flags), "transposes");
    /* Whatever is passed on to FFTW is one call to FFTW. */
    expect_plan(0, fftw_mpi_plan_dft_1d(16 << last, a, b, comm, FFTW_FORWARD, flags), "lines");
    expect_plan(
        0, fftw_mpi_plan_dft_1d(16, a, b, comm, FFTW_FORWARD, last ? FFTW_MEASURE : FFTW_ESTIMATE),
        "flags of a line");
    expect_plan(1,
                last ? fftw_mpi_plan_many_dft(2, (const ptrdiff_t[]){n, n}, 1, 0, 0, a, b, comm,
                                              FFTW_FORWARD, flags)
                     : fftw_mpi_plan_dft_2d(n, n, a, b, comm, FFTW_FORWARD, flags),
                "two names of one function");
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    last = rank == ranks - 1;
    other_variable = argc > 1;
    off = getenv("WEFT_FFTW") != NULL && strcmp(getenv("WEFT_FFTW"), "off") == 0;
    if (other_variable && last) putenv(argv[1]);
    fftw_mpi_init();
    fftw_set_timelimit(0.1);
    a = fftw_alloc_complex(room);
    b = fftw_alloc_complex(room);
    if (ranks > 1) {
        try_flags();
        try_arguments();
        try_functions();
    }
    if (rank == 0) printf("%d calls differed\n", refused);
    fftw_free(a);
    fftw_free(b);
    fftw_mpi_cleanup();
    MPI_Finalize();
    return 0;
}
