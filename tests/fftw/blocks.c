/* Arrays of exactly the size that local_size* promise: every plan leaves the guard behind them as
   it was, and puts each element where the sizes say it is. All blocks of the caller's from 1 to the
   length and one more, at both ends, in every order, in place and not. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    n0 = 4,
    n1 = 2,
    n2 = 3,
    half = n2 / 2 + 1,
    volume = n0 * n1 * n2,
    guard_bytes = 32 * volume
};
enum family { forward, backward, r2c, c2r, transposition };

static int rank, ranks, plans;
/* A real and a complex field, and what the transforms make of them. */
static double complex waves[volume], spectrum[volume], inverse[volume];
static double reals[volume];
static double complex halved[volume];

/* One end of a transform on this rank: `count` of `axis` from `start` on, lines of `line` numbers.
 */
typedef struct {
    int axis, is_real;
    ptrdiff_t block, count, start, last, line;
} end_t;

static void expect(int right, const char* message, const char* name) {
    if (right) return;
    fprintf(stderr, "wrong on rank %d: %s: %s\n", rank, name, message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double complex phase(int sign, ptrdiff_t i, ptrdiff_t k, int n) {
    return cexp(I * sign * 2 * acos(-1) * (double)(i * k % n) / n);
}

static void transform(int sign, const double complex* in, double complex* out) {
    int i, k;
    for (k = 0; k < volume; ++k) {
        out[k] = 0;
        for (i = 0; i < volume; ++i) {
            out[k] += in[i] * phase(sign, i / (n1 * n2), k / (n1 * n2), n0) *
                      phase(sign, i / n2 % n1, k / n2 % n1, n1) * phase(sign, i % n2, k % n2, n2);
        }
    }
}

static void make_fields(void) {
    double complex real_waves[volume];
    int i;
    for (i = 0; i < volume; ++i) {
        waves[i] = i * 7 % 11 + I * (i * 5 % 13);
        real_waves[i] = reals[i] = i * 3 % 17;
    }
    transform(-1, waves, spectrum);
    transform(1, waves, inverse);
    transform(-1, real_waves, halved);
}

/* What local_size* promise for blocks of these two ends together. */
static ptrdiff_t room_of(enum family family, end_t* in, end_t* out) {
    const ptrdiff_t last = family == r2c || family == c2r ? half : n2;
    const ptrdiff_t n[3] = {n0, n1, last};
    const int dims = family == transposition ? 2 : 3;
    const ptrdiff_t fields = family == transposition ? 2 : 1;
    end_t* ends[2] = {in, out};
    ptrdiff_t room = 0, unused[4];
    int i;
    for (i = 0; i < 2; ++i) {
        end_t* end = ends[i];
        const end_t* other = ends[1 - i];
        ptrdiff_t size;
        if (end->axis == 0 && other->axis == 0) {
            size = fftw_mpi_local_size_many(dims, n, fields, end->block, MPI_COMM_WORLD,
                                            &end->count, &end->start);
        } else if (end->axis == 0) {
            size = fftw_mpi_local_size_many_transposed(dims, n, fields, end->block, other->block,
                                                       MPI_COMM_WORLD, &end->count, &end->start,
                                                       &unused[0], &unused[1]);
        } else {
            size = fftw_mpi_local_size_many_transposed(
                dims, n, fields, other->axis == 0 ? other->block : 0, end->block, MPI_COMM_WORLD,
                &unused[0], &unused[1], &end->count, &end->start);
        }
        if (size > room) room = size;
        end->last = end->is_real ? n2 : last;
        end->line = end->is_real ? 2 * half : last;
    }
    return room;
}

/* Calls `visit` for each element of an end, in the order of memory. `swapped`: axis 1 is slowest.
 */
typedef void (*visit_t)(enum family, int is_in, void* array, ptrdiff_t at, int i0, int i1, int i2,
                        const char* name);
static void walk(enum family family, int is_in, int swapped, const end_t* end, void* array,
                 visit_t visit, const char* name) {
    ptrdiff_t lo[2] = {0, 0}, hi[2] = {n0, n1}, i[2], k, at = 0;
    const int slow = swapped ? 1 : 0, fast = 1 - slow;
    lo[end->axis] = end->start;
    hi[end->axis] = end->start + end->count;
    for (i[slow] = lo[slow]; i[slow] < hi[slow]; ++i[slow]) {
        for (i[fast] = lo[fast]; i[fast] < hi[fast]; ++i[fast]) {
            for (k = 0; k < end->last; ++k) {
                visit(family, is_in, array, at + k, (int)i[0], (int)i[1], (int)k, name);
            }
            at += end->line;
        }
    }
}

static double complex value_of(enum family family, int is_in, int i0, int i1, int i2) {
    const int i = (i0 * n1 + i1) * n2 + i2;
    switch (family) {
        case forward:
            return is_in ? waves[i] : spectrum[i];
        case backward:
            return is_in ? waves[i] : inverse[i];
        case r2c:
            return is_in ? reals[i] : halved[i];
        case c2r:
            return is_in ? halved[i] : volume * reals[i];
        default:
            return reals[i];
    }
}

static int holds_reals(enum family family, int is_in) {
    return family == transposition || (family == r2c && is_in) || (family == c2r && !is_in);
}

static void put(enum family family, int is_in, void* array, ptrdiff_t at, int i0, int i1, int i2,
                const char* name) {
    const double complex value = value_of(family, is_in, i0, i1, i2);
    (void)name;
    if (holds_reals(family, is_in))
        ((double*)array)[at] = creal(value);
    else
        ((double complex*)array)[at] = value;
}

static void check(enum family family, int is_in, void* array, ptrdiff_t at, int i0, int i1, int i2,
                  const char* name) {
    const double complex value = value_of(family, is_in, i0, i1, i2);
    const double complex found =
        holds_reals(family, is_in) ? ((double*)array)[at] : ((double complex*)array)[at];
    expect(cabs(found - value) < 1e-9, "an element has another value", name);
}

static fftw_plan plan_of(enum family family, const end_t* in, const end_t* out, void* x, void* y,
                         unsigned flags) {
    static const ptrdiff_t n[3] = {n0, n1, n2};
    const MPI_Comm comm = MPI_COMM_WORLD;
    switch (family) {
        case r2c:
            return fftw_mpi_plan_many_dft_r2c(3, n, 1, in->block, out->block, x, y, comm, flags);
        case c2r:
            return fftw_mpi_plan_many_dft_c2r(3, n, 1, in->block, out->block, x, y, comm, flags);
        case transposition:
            return fftw_mpi_plan_many_transpose(n0, n1, 2, in->block, out->block, x, y, comm,
                                                flags);
        default:
            return fftw_mpi_plan_many_dft(3, n, 1, in->block, out->block, x, y, comm,
                                          family == forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
    }
}

static void* guarded(size_t bytes) {
    char* array = fftw_malloc(bytes + guard_bytes);
    memset(array, 0, bytes);
    memset(array + bytes, 0x5a, guard_bytes);
    return array;
}

static void expect_guard(const char* array, size_t bytes, const char* name) {
    int i;
    for (i = 0; i < guard_bytes; ++i) {
        expect(array[bytes + (size_t)i] == 0x5a, "memory behind an array was overwritten", name);
    }
}

static void try_plan(enum family family, unsigned order, int in_place, ptrdiff_t in_block,
                     ptrdiff_t out_block) {
    const int in_turned = (order & FFTW_MPI_TRANSPOSED_IN) != 0;
    const int out_turned = (order & FFTW_MPI_TRANSPOSED_OUT) != 0;
    const int is_transposition = family == transposition;
    end_t in = {is_transposition ? 0 : in_turned, family == r2c, in_block, 0, 0, 0, 0};
    end_t out = {is_transposition ? 1 : out_turned, family == c2r, out_block, 0, 0, 0, 0};
    const ptrdiff_t room = room_of(family, &in, &out);
    const size_t bytes = (size_t)room * (is_transposition ? 8 : 16);
    char name[128];
    void *x, *y;
    fftw_plan plan;
    snprintf(name, sizeof name, "family %d, order %x, in place %d, blocks %td, %td", family, order,
             in_place, in_block, out_block);
    if (is_transposition) in.last = in.line = out.last = out.line = 2;
    x = guarded(bytes);
    y = in_place ? x : guarded(bytes);
    plan = plan_of(family, &in, &out, x, y, FFTW_ESTIMATE | order);
    expect(plan != NULL, "no plan", name);
    walk(family, 1, in_turned, &in, x, put, name);
    fftw_execute(plan);
    /* A transposed array has columns slowest at the input, and rows at the output. */
    walk(family, 0, is_transposition ? !out_turned : out_turned, &out, y, check, name);
    expect_guard(x, bytes, name);
    expect_guard(y, bytes, name);
    fftw_destroy_plan(plan);
    if (y != x) fftw_free(y);
    fftw_free(x);
    ++plans;
}

int main(int argc, char** argv) {
    static const ptrdiff_t n[2] = {n0, n1};
    int order, family;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    make_fields();
    for (order = 0; order < 4; ++order) {
        const unsigned flags =
            (order & 1 ? FFTW_MPI_TRANSPOSED_IN : 0) | (order & 2 ? FFTW_MPI_TRANSPOSED_OUT : 0);
        for (family = backward; family <= transposition; ++family) {
            const ptrdiff_t in_n = n[family == transposition ? 0 : order & 1];
            const ptrdiff_t out_n = n[family == transposition ? 1 : order >> 1];
            ptrdiff_t in, out;
            for (in = (in_n + ranks - 1) / ranks; in <= in_n + 1; ++in) {
                for (out = (out_n + ranks - 1) / ranks; out <= out_n + 1; ++out) {
                    if (family == r2c || family == c2r) {
                        try_plan(family, flags, 0, in, out);
                        try_plan(family, flags, 1, in, out);
                    } else {
                        const int turns = family == backward && (in + out) % 2;
                        try_plan(turns ? forward : family, flags, (int)(in % 2), in, out);
                    }
                }
            }
        }
    }
    expect(plans >= 96, "few plans", "all");
    fftw_mpi_cleanup();
    MPI_Finalize();
    return 0;
}
