/* The C interface: what it gives, what it refuses, and who owns what. Every rank runs all of it. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <weft/weft.h>

#include "expect.h"

int failures = 0;
int world_rank = 0;
int world_size = 1;

enum { length = 6, elements = length * length * length };

static weft_plan* cube(void) {
    weft_plan* plan = NULL;
    EXPECT_SUCCESS(weft_plan_from_text("c2c:f64:6x6x6", MPI_COMM_WORLD, &plan));
    return plan;
}

static double complex* array_of(const weft_plan* plan, weft_end end) {
    int64_t size = 0;
    EXPECT_SUCCESS(weft_plan_size(plan, end, world_rank, &size));
    return weft_allocate((size_t)size * sizeof(double complex));
}

/* --- before and without MPI ------------------------------------------------------------------ */

static void without_mpi(void) {
    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    EXPECT(strncmp(weft_version(), "0.", 2) == 0);
    EXPECT(strcmp(weft_last_error(), "") == 0);
    EXPECT_ERROR(weft_plan_from_text("c2c:f64:8", MPI_COMM_WORLD, &plan), WEFT_SYSTEM, "MPI_Init");
    EXPECT(plan == NULL);

    int ranks = 0;
    int rank = -1;
    EXPECT_SUCCESS(weft_plan_for_ranks("c2c:f64:8x8; ranks=4", 0, &plan));
    EXPECT_SUCCESS(weft_plan_ranks(plan, &ranks));
    EXPECT_SUCCESS(weft_plan_rank(plan, &rank));
    EXPECT(ranks == 4 && rank == 0);
    EXPECT_ERROR(weft_bind(plan, NULL, NULL, &fft), WEFT_BAD_REQUEST, "without a communicator");
    weft_plan_free(&plan);
    EXPECT_ERROR(weft_plan_for_ranks(NULL, 4, &plan), WEFT_BAD_REQUEST, "'text' is NULL");
    EXPECT_ERROR(weft_plan_for_ranks("c2c:f64:8", 4, NULL), WEFT_BAD_REQUEST, "'plan' is NULL");
}

/* --- queries ---------------------------------------------------------------------------------- */

/* Boxes of all ranks cover the array; strides are those of a dense array in the given order. */
static void boxes_cover(void) {
    const int64_t shape[] = {5, 3, 8};
    const int axes[] = {1, 2};
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.kind = WEFT_R2C;
    problem.precision = WEFT_F32;
    problem.dims = 3;
    problem.shape = shape;
    problem.axis_count = 2;
    problem.axes = axes;
    problem.r2c_axis = 1;
    problem.batch = 2;
    problem.in = "slab(0)@b120";
    problem.out = "slab(2)";
    problem.scale = "none/n";
    weft_plan* plan = NULL;
    char choice[64];
    snprintf(choice, sizeof choice, "via=%s", weft_via_alltoallw);
    EXPECT_SUCCESS(weft_plan_create(&problem, choice, MPI_COMM_WORLD, &plan));

    char* text = NULL;
    EXPECT_SUCCESS(weft_plan_text(plan, &text));
    EXPECT(strstr(text, "r2c:f32:5x3x8*2 axes=1,2 r2c_axis=1 in=slab(0)@") == text);
    EXPECT(strstr(text, "scale=none/n") != NULL && strstr(text, "via=alltoallw") != NULL);
    weft_free(text);
    EXPECT_SUCCESS(weft_plan_explain(plan, &text));
    EXPECT(strstr(text, "r2c") != NULL);
    weft_free(text);

    int order[WEFT_MAX_AXES] = {0};
    int count = 0;
    EXPECT_SUCCESS(weft_plan_order(plan, WEFT_IN, order, &count));
    EXPECT(count == 4 && order[0] == 3 && order[1] == 1 && order[2] == 2 && order[3] == 0);

    int64_t covered[2] = {0, 0};
    for (int end = WEFT_IN; end <= WEFT_OUT; ++end)
        for (int rank = 0; rank < world_size; ++rank) {
            int64_t size = 0;
            EXPECT_SUCCESS(weft_plan_size(plan, (weft_end)end, rank, &size));
            EXPECT_SUCCESS(weft_plan_box_count(plan, (weft_end)end, rank, &count));
            covered[end] += size;
            for (int b = 0; b < count; ++b) {
                weft_box box = WEFT_BOX_INIT;
                EXPECT_SUCCESS(weft_plan_box(plan, (weft_end)end, rank, b, &box));
                EXPECT(box.axes == 4 && box.offset == 0);
                int64_t volume = 1;
                for (int a = 0; a < box.axes; ++a) volume *= box.hi[a] - box.lo[a];
                size -= volume;
                if (end == WEFT_IN) EXPECT(box.stride[0] == 1 && box.stride[3] * 2 == volume);
            }
            EXPECT(size == 0);
        }
    EXPECT(covered[WEFT_IN] == 5 * 3 * 8 * 2 && covered[WEFT_OUT] == 5 * 2 * 8 * 2);

    int64_t bytes = -1;
    EXPECT_SUCCESS(weft_plan_region_bytes(plan, world_rank, &bytes));
    EXPECT(bytes == 0);
    EXPECT_SUCCESS(weft_plan_workspace_bytes(plan, world_rank, &bytes));
    EXPECT(bytes >= 0);
    weft_plan_free(&plan);
    EXPECT(plan == NULL);
    weft_plan_free(&plan);
    weft_plan_free(NULL);
}

/* Ranks that own nothing have a box: where they would begin, whole along the other axes. */
static void empty_parts_have_bounds(void) {
    const char* const problems[] = {"c2c:f64:3x9x4 in=slab(0) out=slab(1)",
                                    "c2c:f64:3x9x4 in=slab(0) out=slab(1) cut=block"};
    for (int p = 0; p < 2; ++p)
        for (int ranks = 1; ranks <= 13; ++ranks) {
            weft_plan* plan = NULL;
            EXPECT_SUCCESS(weft_plan_for_ranks(problems[p], ranks, &plan));
            int64_t next = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                int count = 0;
                weft_box box = WEFT_BOX_INIT;
                EXPECT_SUCCESS(weft_plan_box_count(plan, WEFT_IN, rank, &count));
                EXPECT_SUCCESS(weft_plan_box(plan, WEFT_IN, rank, 0, &box));
                EXPECT(box.axes == 3 && box.lo[0] == next && box.offset == 0);
                EXPECT(count == (box.hi[0] > box.lo[0]));
                EXPECT(box.lo[1] == 0 && box.hi[1] == 9 && box.lo[2] == 0 && box.hi[2] == 4);
                EXPECT(box.stride[0] == 36 && box.stride[1] == 4 && box.stride[2] == 1);
                next = box.hi[0];
                EXPECT_ERROR(weft_plan_box(plan, WEFT_IN, rank, 1, &box), WEFT_BAD_REQUEST,
                             "which owns");
            }
            EXPECT(next == 3);
            weft_plan_free(&plan);
        }
}

/* Binds the plan to new arrays; size[end]: their elements on this rank. */
static weft_transform* bound_to_new(const weft_plan* plan, int64_t size[2], double** in,
                                    double** out) {
    double** arrays[] = {in, out};
    for (int end = WEFT_IN; end <= WEFT_OUT; ++end) {
        int64_t bytes = 0;
        EXPECT_SUCCESS(weft_plan_size(plan, (weft_end)end, world_rank, &size[end]));
        EXPECT_SUCCESS(weft_plan_element_bytes(plan, (weft_end)end, &bytes));
        *arrays[end] = weft_allocate((size_t)(size[end] * bytes));
    }
    weft_transform* fft = NULL;
    EXPECT_SUCCESS(weft_bind(plan, *in, *out, &fft));
    return fft;
}

/* Where element i, j of a box of two axes lies in the rank's array. */
static int64_t place_in(const weft_box* box, int64_t i, int64_t j) {
    return box->offset + (i - box->lo[0]) * box->stride[0] + (j - box->lo[1]) * box->stride[1];
}

/* Each axis has a kind of its own; there and back the values are multiplied by N = 10 * 14. */
static void kinds_of_axes(void) {
    const int64_t shape[] = {6, 7};
    const weft_axis_kind kinds[] = {WEFT_DCT1, WEFT_DST3};
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.kind = WEFT_R2R;
    problem.dims = 2;
    problem.shape = shape;
    problem.kind_count = 2;
    problem.kinds = kinds;
    weft_plan* plan = NULL;
    EXPECT_SUCCESS(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    char* text = NULL;
    EXPECT_SUCCESS(weft_plan_text(plan, &text));
    EXPECT(strstr(text, "r2r:f64:6x7 kinds=dct1,dst3 ") == text);
    weft_free(text);

    int64_t bytes[2] = {0, 0};
    int64_t size[2] = {0, 0};
    for (int end = WEFT_IN; end <= WEFT_OUT; ++end) {
        EXPECT_SUCCESS(weft_plan_element_bytes(plan, (weft_end)end, &bytes[end]));
    }
    EXPECT(bytes[WEFT_IN] == 8 && bytes[WEFT_OUT] == 8);
    double* in = NULL;
    double* out = NULL;
    weft_transform* fft = bound_to_new(plan, size, &in, &out);
    for (int64_t i = 0; i < size[WEFT_IN]; ++i) in[i] = (double)(i % 5) - 2;
    EXPECT_SUCCESS(weft_forward(fft));
    for (int64_t i = 0; i < size[WEFT_IN]; ++i) in[i] = 0;
    EXPECT_SUCCESS(weft_backward(fft));
    for (int64_t i = 0; i < size[WEFT_IN]; ++i) {
        const double error = in[i] - 140 * ((double)(i % 5) - 2);
        EXPECT(error < 1e-11 && error > -1e-11);
    }
    weft_transform_free(&fft);
    weft_free(in);
    weft_free(out);
    weft_plan_free(&plan);

    problem.kinds = NULL;
    EXPECT_ERROR(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan), WEFT_BAD_REQUEST,
                 "kinds");
    const weft_axis_kind wrong[] = {(weft_axis_kind)12};
    problem.kind_count = 1;
    problem.kinds = wrong;
    EXPECT_ERROR(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan), WEFT_BAD_REQUEST,
                 "kinds[0] is 12");
}

/* Of 6 x 8 points the modes of 4 x 5 are kept: a wave of mode (1, -2) has one of them. */
static void modes_of_axes(void) {
    const int64_t shape[] = {6, 8};
    const int64_t modes[] = {4, 5};
    const double pi = 3.14159265358979323846;
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.dims = 2;
    problem.shape = shape;
    problem.mode_count = 2;
    problem.modes = modes;
    problem.even_modes = "zero";
    problem.in = "slab(0)";
    problem.out = "slab(1)";
    weft_plan* plan = NULL;
    EXPECT_SUCCESS(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    char* text = NULL;
    EXPECT_SUCCESS(weft_plan_text(plan, &text));
    EXPECT(strstr(text, "c2c:f64:6x8 modes=4x5 even_modes=zero ") == text);
    weft_free(text);
    int64_t lengths[WEFT_MAX_AXES];
    int dims = 0;
    EXPECT_SUCCESS(weft_plan_shape(plan, WEFT_IN, lengths, &dims));
    EXPECT(dims == 2 && lengths[0] == 6 && lengths[1] == 8);
    EXPECT_SUCCESS(weft_plan_shape(plan, WEFT_OUT, lengths, &dims));
    EXPECT(dims == 2 && lengths[0] == 4 && lengths[1] == 5);

    int64_t size[2] = {0, 0};
    double* in = NULL;
    double* out = NULL;
    weft_transform* fft = bound_to_new(plan, size, &in, &out);
    weft_box box = WEFT_BOX_INIT;
    int boxes = 0;
    EXPECT_SUCCESS(weft_plan_box_count(plan, WEFT_IN, world_rank, &boxes));
    for (int b = 0; b < boxes; ++b) {
        EXPECT_SUCCESS(weft_plan_box(plan, WEFT_IN, world_rank, b, &box));
        for (int64_t i = box.lo[0]; i < box.hi[0]; ++i)
            for (int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
                const int64_t at = place_in(&box, i, j);
                const double angle = 2 * pi * ((double)i / 6 - 2 * (double)j / 8);
                in[2 * at] = cos(angle);
                in[2 * at + 1] = sin(angle);
            }
    }
    EXPECT_SUCCESS(weft_forward(fft));
    EXPECT_SUCCESS(weft_plan_box_count(plan, WEFT_OUT, world_rank, &boxes));
    for (int b = 0; b < boxes; ++b) {
        EXPECT_SUCCESS(weft_plan_box(plan, WEFT_OUT, world_rank, b, &box));
        for (int64_t i = box.lo[0]; i < box.hi[0]; ++i)
            for (int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
                const int64_t at = place_in(&box, i, j);
                const double expected = i == 1 && j == 3 ? 48 : 0;
                EXPECT(fabs(out[2 * at] - expected) < 1e-12 && fabs(out[2 * at + 1]) < 1e-12);
            }
    }
    weft_transform_free(&fft);
    weft_free(in);
    weft_free(out);
    weft_plan_free(&plan);

    const int64_t wrong[] = {7, 5};
    problem.modes = wrong;
    EXPECT_ERROR(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan), WEFT_BAD_REQUEST,
                 "modes=7x5: axis 0 has the length 6");
}

/* A cosine transform beside those of r2c: all zeros but 1 at the origin, whose spectrum is 1. */
static void kinds_of_a_mixture(void) {
    const int64_t shape[] = {4, 5, 6};
    const weft_axis_kind kinds[] = {WEFT_AXIS_C2C, WEFT_DCT3, WEFT_AXIS_R2C};
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.kind = WEFT_R2C;
    problem.dims = 3;
    problem.shape = shape;
    problem.kind_count = 3;
    problem.kinds = kinds;
    problem.in = "single";
    weft_plan* plan = NULL;
    EXPECT_SUCCESS(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    char* text = NULL;
    EXPECT_SUCCESS(weft_plan_text(plan, &text));
    EXPECT(strstr(text, "r2c:f64:4x5x6 kinds=c2c,dct3,r2c ") == text);
    weft_free(text);
    int64_t size[2] = {0, 0};
    double* in = NULL;
    double* out = NULL;
    weft_transform* fft = bound_to_new(plan, size, &in, &out);
    for (int64_t i = 0; i < size[WEFT_IN]; ++i) in[i] = i == 0 ? 1 : 0;
    EXPECT_SUCCESS(weft_forward(fft));
    for (int64_t i = 0; i < size[WEFT_OUT]; ++i) {
        const double error = out[2 * i] - 1 + out[2 * i + 1] * out[2 * i + 1];
        EXPECT(error < 1e-13 && error > -1e-13);
    }
    EXPECT_SUCCESS(weft_backward(fft));
    for (int64_t i = 0; i < size[WEFT_IN]; ++i) {
        const double error = in[i] - (i == 0 ? 4 * 10 * 6 : 0);
        EXPECT(error < 1e-11 && error > -1e-11);
    }
    weft_transform_free(&fft);
    weft_free(in);
    weft_free(out);
    weft_plan_free(&plan);

    const weft_axis_kind wrong[] = {WEFT_AXIS_R2C, WEFT_DCT3, WEFT_AXIS_R2C};
    problem.kinds = wrong;
    EXPECT_ERROR(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan), WEFT_BAD_REQUEST,
                 "axes 0,2 are all r2c");
}

/* The last of the axes as they are listed is the r2c axis, unless another one is named. */
static void last_axis_is_r2c_axis(void) {
    const int64_t shape[] = {8, 6};
    const int axes[] = {1, 0};
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.kind = WEFT_R2C;
    problem.dims = 2;
    problem.shape = shape;
    problem.axis_count = 2;
    problem.axes = axes;
    for (int r2c_axis = -1; r2c_axis < 2; ++r2c_axis) {
        problem.r2c_axis = r2c_axis;
        weft_plan* plan = NULL;
        EXPECT_SUCCESS(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
        int64_t all = 0;
        for (int rank = 0; rank < world_size; ++rank) {
            int64_t size = 0;
            EXPECT_SUCCESS(weft_plan_size(plan, WEFT_OUT, rank, &size));
            all += size;
        }
        EXPECT(all == (r2c_axis == 1 ? 8 * 4 : 5 * 6));
        weft_plan_free(&plan);
    }
}

static void queries_refuse(void) {
    weft_plan* plan = cube();
    weft_box box = WEFT_BOX_INIT;
    int count = 0;
    int64_t size = 0;
    char* text = NULL;
    EXPECT_ERROR(weft_plan_ranks(NULL, &count), WEFT_BAD_REQUEST, "'plan' is NULL");
    EXPECT_ERROR(weft_plan_ranks(plan, NULL), WEFT_BAD_REQUEST, "'ranks' is NULL");
    EXPECT_ERROR(weft_plan_rank(NULL, &count), WEFT_BAD_REQUEST, "'plan' is NULL");
    EXPECT_ERROR(weft_plan_text(NULL, &text), WEFT_BAD_REQUEST, "'plan' is NULL");
    EXPECT_ERROR(weft_plan_explain(plan, NULL), WEFT_BAD_REQUEST, "'text' is NULL");
    EXPECT_ERROR(weft_plan_order(plan, WEFT_IN, NULL, &count), WEFT_BAD_REQUEST, "'order' is NULL");
    EXPECT_ERROR(weft_plan_workspace_bytes(plan, 0, NULL), WEFT_BAD_REQUEST, "'bytes' is NULL");
    EXPECT_ERROR(weft_plan_size(plan, (weft_end)7, 0, &size), WEFT_BAD_REQUEST, "end 7");
    EXPECT_ERROR(weft_plan_size(plan, WEFT_IN, world_size, &size), WEFT_BAD_REQUEST, "rank");
    EXPECT_ERROR(weft_plan_box_count(plan, WEFT_IN, -1, &count), WEFT_BAD_REQUEST, "rank -1");
    EXPECT_ERROR(weft_plan_box(plan, WEFT_IN, 0, 9, &box), WEFT_BAD_REQUEST, "box 9");
    EXPECT_ERROR(weft_plan_box(plan, WEFT_IN, 0, 0, NULL), WEFT_BAD_REQUEST, "'box' is NULL");
    box.struct_size = 8;
    EXPECT_ERROR(weft_plan_box(plan, WEFT_IN, 0, 0, &box), WEFT_BAD_REQUEST,
                 "weft_box.struct_size is 8");
    weft_plan_free(&plan);
}

/* --- a caller's own boxes --------------------------------------------------------------------- */

enum { planes = 7, columns = 5 };

/* The text of a layout in which rank r owns planes r, r + size, .., each a box, and the first of
 * its boxes has `extra` planes too many. */
static char* cyclic_planes(int64_t extra) {
    int64_t lo[planes][2];
    int64_t hi[planes][2];
    int count = 0;
    for (int64_t i = world_rank; i < planes; i += world_size, ++count) {
        lo[count][0] = i, lo[count][1] = 0;
        hi[count][0] = i + 1, hi[count][1] = columns;
    }
    hi[0][0] += extra;
    char* text = NULL;
    EXPECT_SUCCESS(weft_boxes_text(count, 2, &lo[0][0], &hi[0][0], MPI_COMM_WORLD, &text));
    return text;
}

static weft_problem redistribution_problem(const int64_t* shape, const char* in, const char* out) {
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.kind = WEFT_REDISTRIBUTE;
    problem.element_bytes = 24;
    problem.dims = 2;
    problem.shape = shape;
    problem.in = in;
    problem.out = out;
    return problem;
}

typedef struct particle {
    double mass;
    int64_t number[2];
} particle;

/* Sets the elements of all boxes of this rank to their global indices, or looks at them. */
static void visit(const weft_plan* plan, weft_end end, particle* array, int set) {
    int count = 0;
    EXPECT_SUCCESS(weft_plan_box_count(plan, end, world_rank, &count));
    for (int b = 0; b < count; ++b) {
        weft_box box = WEFT_BOX_INIT;
        EXPECT_SUCCESS(weft_plan_box(plan, end, world_rank, b, &box));
        for (int64_t i = box.lo[0]; i < box.hi[0]; ++i)
            for (int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
                particle* found = array + box.offset + (i - box.lo[0]) * box.stride[0] +
                                  (j - box.lo[1]) * box.stride[1];
                if (set) *found = (particle){0.5, {i, j}};
                EXPECT(found->mass == 0.5 && found->number[0] == i && found->number[1] == j);
            }
    }
}

static particle* particles_of(const weft_plan* plan, weft_end end) {
    int64_t size = 0;
    EXPECT_SUCCESS(weft_plan_size(plan, end, world_rank, &size));
    return weft_allocate((size_t)size * sizeof(particle));
}

/* From several boxes a rank to one with gaps behind its lines, and back. */
static void own_boxes_are_moved(void) {
    const int64_t shape[] = {planes, columns};
    char* boxes = cyclic_planes(0);
    EXPECT(strstr(boxes, "boxes([0:1,0:5]") == boxes);
    const weft_problem problem = redistribution_problem(shape, boxes, "slab(1)@10+(3,0)");
    weft_plan* plan = NULL;
    weft_transform* redistribution = NULL;
    EXPECT_SUCCESS(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    int count = 0;
    EXPECT_SUCCESS(weft_plan_box_count(plan, WEFT_IN, 0, &count));
    EXPECT(count == (planes + world_size - 1) / world_size);
    for (int b = 0; b < count; ++b) {
        weft_box box = WEFT_BOX_INIT;
        EXPECT_SUCCESS(weft_plan_box(plan, WEFT_IN, 0, b, &box));
        EXPECT(box.axes == 2 && box.lo[0] == (int64_t)b * world_size);
        EXPECT(box.offset == (int64_t)b * columns && box.stride[1] == 1);
    }
    weft_box box = WEFT_BOX_INIT;
    EXPECT_ERROR(weft_plan_box(plan, WEFT_IN, 0, count, &box), WEFT_BAD_REQUEST, "which owns");
    EXPECT_SUCCESS(weft_plan_box(plan, WEFT_OUT, 0, 0, &box));
    EXPECT(box.stride[0] == 1 && box.stride[1] == planes + 3);

    particle* in = particles_of(plan, WEFT_IN);
    particle* out = particles_of(plan, WEFT_OUT);
    EXPECT_SUCCESS(weft_bind(plan, in, out, &redistribution));
    visit(plan, WEFT_IN, in, 1);
    EXPECT_SUCCESS(weft_forward(redistribution));
    visit(plan, WEFT_OUT, out, 0);
    visit(plan, WEFT_IN, in, 0);
    if (world_rank == 0) in[0].mass = 0;
    EXPECT_SUCCESS(weft_backward(redistribution));
    visit(plan, WEFT_IN, in, 0);
    weft_transform_free(&redistribution);
    weft_plan_free(&plan);
    weft_free(in);
    weft_free(out);
    weft_free(boxes);
}

static void refused(const weft_problem* problem, const char* choice, const char* word) {
    weft_plan* plan = NULL;
    EXPECT_ERROR(weft_plan_create(problem, choice, MPI_COMM_WORLD, &plan), WEFT_BAD_REQUEST, word);
    EXPECT(plan == NULL);
}

static void own_boxes_are_checked(void) {
    const int64_t shape[] = {planes, columns};
    const int last = world_rank == world_size - 1;
    char* boxes = cyclic_planes(last ? 1 : 0);
    weft_problem problem = redistribution_problem(shape, boxes, "slab(0)");
    char word[32];
    snprintf(word, sizeof word, "overlap in [%d:%d,0:5]", world_size, world_size + 1);
    refused(&problem, NULL, word);
    weft_free(boxes);

    boxes = NULL;
    const int64_t lo[] = {0, 0};
    const int64_t hi[] = {planes, columns};
    EXPECT_SUCCESS(weft_boxes_text(last, 2, lo, hi, MPI_COMM_WORLD, &boxes));
    if (world_size == 2) EXPECT(strcmp(boxes, "boxes(|[0:7,0:5])") == 0);
    problem = redistribution_problem(shape, boxes, "single");
    weft_plan* plan = NULL;
    EXPECT_SUCCESS(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    weft_plan_free(&plan);
    weft_free(boxes);

    boxes = NULL;
    EXPECT_SUCCESS(weft_boxes_text(0, 2, NULL, NULL, MPI_COMM_WORLD, &boxes));
    problem = redistribution_problem(shape, boxes, "single");
    refused(&problem, NULL, "no rank owns");
    weft_free(boxes);

    char** text = &boxes;
    boxes = NULL;
    EXPECT_ERROR(weft_boxes_text(1, 2, lo, last ? NULL : hi, MPI_COMM_WORLD, text),
                 WEFT_BAD_REQUEST, "'hi' is NULL");
    EXPECT_ERROR(weft_boxes_text(1, 2, lo, hi, MPI_COMM_WORLD, last ? NULL : text),
                 WEFT_BAD_REQUEST, "'text' is NULL");
    EXPECT_ERROR(weft_boxes_text(last ? -1 : 1, 2, lo, hi, MPI_COMM_WORLD, text), WEFT_BAD_REQUEST,
                 "-1 boxes");
    EXPECT_ERROR(weft_boxes_text(1, last ? 9 : 2, lo, hi, MPI_COMM_WORLD, text), WEFT_BAD_REQUEST,
                 "9 axes");
    EXPECT_ERROR(weft_boxes_text(1, 2, lo, hi, MPI_COMM_NULL, text), WEFT_BAD_REQUEST,
                 "MPI_COMM_NULL");
    EXPECT(boxes == NULL);
}

/* --- planning --------------------------------------------------------------------------------- */

static void planning_refuses(void) {
    const int64_t shape[] = {8, 8};
    weft_problem good = WEFT_PROBLEM_INIT;
    good.dims = 2;
    good.shape = shape;
    weft_problem bad = good;
    bad.struct_size = 0;
    refused(&bad, NULL, "weft_problem.struct_size is 0");
    bad = good, bad.shape = NULL;
    refused(&bad, NULL, "'shape' is NULL");
    bad = good, bad.dims = -1;
    refused(&bad, NULL, "-1 entries of shape");
    bad = good, bad.axis_count = 99;
    refused(&bad, NULL, "99 entries of axes");
    bad = good, bad.kind = (weft_kind)9;
    refused(&bad, NULL, "kind");
    bad = good, bad.batch = 0;
    refused(&bad, NULL, "batch 0");
    bad = good, bad.r2c_axis = 0;
    refused(&bad, NULL, "r2c_axis=0");
    bad = good, bad.in = "heap";
    refused(&bad, NULL, "layout 'heap'");
    bad = good, bad.out = "slab(0) in_place";
    refused(&bad, NULL, "one word");
    bad = good, bad.element_bytes = 8;
    refused(&bad, NULL, "element_bytes=8");
    bad = good, bad.kind = WEFT_REDISTRIBUTE;
    refused(&bad, NULL, "elements of 0 bytes");
    bad.element_bytes = 8;
    refused(&bad, NULL, "in= and out=");
    bad = good, bad.in_place = bad.may_destroy_input = 1;
    refused(&bad, NULL, "may_destroy_input");
    bad = good, bad.dims = 0;
    refused(&bad, NULL, "dims is 0");
    bad = good, bad.scale = "twice/n";
    refused(&bad, NULL, "scale");
    refused(&good, "via=pigeon", "via 'pigeon'");
    refused(NULL, NULL, "'problem' is NULL");

    weft_plan* plan = NULL;
    EXPECT_ERROR(weft_plan_create(&good, NULL, MPI_COMM_WORLD, NULL), WEFT_BAD_REQUEST,
                 "'plan' is NULL");
    EXPECT_ERROR(weft_plan_from_text("c2c:f64:8", MPI_COMM_NULL, &plan), WEFT_BAD_REQUEST,
                 "MPI_COMM_NULL");
}

/* An error of one rank is the error of all. */
static void ranks_fail_together(void) {
    const int last = world_rank == world_size - 1;
    weft_plan* plan = NULL;
    EXPECT_ERROR(weft_plan_from_text(last ? NULL : "c2c:f64:8", MPI_COMM_WORLD, &plan),
                 WEFT_BAD_REQUEST, "'text' is NULL");
    EXPECT(plan == NULL);
    plan = cube();
    double complex* in = array_of(plan, WEFT_IN);
    double complex* out = array_of(plan, WEFT_OUT);
    weft_transform* fft = NULL;
    EXPECT_ERROR(weft_bind(plan, in, out, last ? NULL : &fft), WEFT_BAD_REQUEST,
                 "'transform' is NULL");
    EXPECT_ERROR(weft_bind(plan, last ? NULL : in, out, &fft), WEFT_BAD_REQUEST, "array is null");
    EXPECT_ERROR(weft_bind(plan, in, in, &fft), WEFT_BAD_REQUEST, "overlap");
    EXPECT(fft == NULL);
    EXPECT_ERROR(weft_bind(NULL, in, out, &fft), WEFT_BAD_REQUEST, "'plan' is NULL");
    EXPECT_ERROR(weft_forward(NULL), WEFT_BAD_REQUEST, "'transform' is NULL");
    EXPECT_ERROR(weft_backward(NULL), WEFT_BAD_REQUEST, "'transform' is NULL");
    weft_plan_free(&plan);
    weft_free(in);
    weft_free(out);
}

/* --- transforms ------------------------------------------------------------------------------- */

static double sum(const double complex* array, int64_t size) {
    double total = 0;
    for (int64_t i = 0; i < size; ++i) total += cabs(array[i]);
    return total;
}

/* The transform of ones is N at the origin; the plan is freed before the transform is used. */
static weft_transform* transform_of_ones(double complex** in, double complex** out) {
    weft_plan* plan = cube();
    int64_t in_size = 0;
    int64_t out_size = 0;
    weft_transform* fft = NULL;
    weft_transform* other = NULL;
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_IN, world_rank, &in_size));
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_OUT, world_rank, &out_size));
    *in = array_of(plan, WEFT_IN);
    *out = array_of(plan, WEFT_OUT);
    EXPECT(sum(*in, in_size) == 0);
    EXPECT_SUCCESS(weft_bind(plan, *in, *out, &fft));
    EXPECT_SUCCESS(weft_bind(plan, *in, *out, &other));
    weft_plan_free(&plan);
    weft_transform_free(&other);

    for (int64_t i = 0; i < in_size; ++i) (*in)[i] = 1;
    EXPECT_SUCCESS(weft_forward(fft));
    double total = sum(*out, out_size);
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(total > elements - 1e-10 && total < elements + 1e-10);
    EXPECT_SUCCESS(weft_backward(fft));
    for (int64_t i = 0; i < in_size; ++i) EXPECT(cabs((*in)[i] - elements) < 1e-10);
    return fft;
}

/* Fields of a list are transformed by one call, in a workspace that the caller lends. */
static void fields_share_a_workspace(void) {
    enum { fields = 3 };
    weft_plan* plan = NULL;
    EXPECT_SUCCESS(weft_plan_from_text("c2c:f64:6x6x6 in=slab(0) out=slab(0) may_destroy_input",
                                       MPI_COMM_WORLD, &plan));
    int64_t size = 0;
    int64_t bytes = 0;
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_IN, world_rank, &size));
    EXPECT_SUCCESS(weft_plan_workspace_bytes(plan, world_rank, &bytes));
    void* in[fields];
    void* out[fields];
    for (int f = 0; f < fields; ++f) {
        in[f] = array_of(plan, WEFT_IN);
        out[f] = array_of(plan, WEFT_OUT);
    }
    weft_arrays arrays = WEFT_ARRAYS_INIT;
    arrays.fields = fields;
    arrays.in = in;
    arrays.out = out;
    arrays.workspace = weft_allocate((size_t)bytes + 64);
    arrays.workspace_bytes = bytes;
    unsigned char* behind = (unsigned char*)arrays.workspace + bytes;
    memset(behind, 0xab, 64);
    weft_transform* fft = NULL;
    EXPECT_SUCCESS(weft_bind_arrays(plan, &arrays, &fft));
    for (int f = 0; f < fields; ++f)
        for (int64_t i = 0; i < size; ++i) ((double complex*)in[f])[i] = f + 1;
    EXPECT_SUCCESS(weft_forward(fft));
    for (int f = 0; f < fields; ++f) {
        const double complex* values = out[f];
        for (int64_t i = 0; i < size; ++i) {
            const int mean = world_rank == 0 && i == 0;
            EXPECT(cabs(values[i] - (mean ? elements * (f + 1) : 0)) < 1e-10);
        }
    }
    EXPECT_SUCCESS(weft_backward(fft));
    for (int i = 0; i < 64; ++i) EXPECT(behind[i] == 0xab);
    weft_transform_free(&fft);
    weft_plan_free(&plan);
    for (int f = 0; f < fields; ++f) weft_free(in[f]), weft_free(out[f]);
    weft_free(arrays.workspace);
}

/* A mistake of the last rank alone is told to all. */
static void unfit_arrays_are_refused(void) {
    const int last = world_rank == world_size - 1;
    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    /* Packing by the sender needs a workspace where there is more than one rank. */
    EXPECT_SUCCESS(weft_plan_from_text("c2c:f64:16x16 in=slab(1) out=slab(1); pack=sender",
                                       MPI_COMM_WORLD, &plan));
    int64_t bytes = 0;
    EXPECT_SUCCESS(weft_plan_workspace_bytes(plan, world_rank, &bytes));
    void* in[2] = {array_of(plan, WEFT_IN), array_of(plan, WEFT_IN)};
    void* out[2] = {array_of(plan, WEFT_OUT), array_of(plan, WEFT_OUT)};
    char* memory = weft_allocate((size_t)bytes + 64);
    weft_arrays good = WEFT_ARRAYS_INIT;
    good.fields = 2;
    good.in = in;
    good.out = out;
    good.workspace = memory;
    good.workspace_bytes = bytes;
    weft_arrays bad = good;
    if (last) bad.workspace_bytes = bytes - 1;
    if (bytes > 0)
        EXPECT_ERROR(weft_bind_arrays(plan, &bad, &fft), WEFT_BAD_REQUEST, "workspace has");
    bad = good;
    if (last) bad.workspace = memory + 8;
    EXPECT_ERROR(weft_bind_arrays(plan, &bad, &fft), WEFT_BAD_REQUEST, "not aligned to 64");
    bad = good;
    if (last) bad.in = NULL;
    EXPECT_ERROR(weft_bind_arrays(plan, &bad, &fft), WEFT_BAD_REQUEST, "'weft_arrays.in' is NULL");
    bad = good;
    if (last) bad.fields = 0;
    EXPECT_ERROR(weft_bind_arrays(plan, &bad, &fft), WEFT_BAD_REQUEST, "fields is 0");
    bad = good;
    if (last) bad.fields = 1;
    if (world_size > 1)
        EXPECT_ERROR(weft_bind_arrays(plan, &bad, &fft), WEFT_BAD_REQUEST, "number of fields");
    bad = good;
    if (last) bad.struct_size = 16;
    EXPECT_ERROR(weft_bind_arrays(plan, &bad, &fft), WEFT_BAD_REQUEST,
                 "weft_arrays.struct_size is 16");
    EXPECT_ERROR(weft_bind_arrays(plan, last ? NULL : &good, &fft), WEFT_BAD_REQUEST,
                 "'arrays' is NULL");
    EXPECT_ERROR(weft_bind_arrays(NULL, &good, &fft), WEFT_BAD_REQUEST, "'plan' is NULL");
    EXPECT(fft == NULL);
    weft_plan_free(&plan);
    for (int f = 0; f < 2; ++f) weft_free(in[f]), weft_free(out[f]);
    weft_free(memory);
}

/* Kinds differ in their element types, which C does not see. */
static void kinds_find_their_types(void) {
    const char* texts[] = {"r2c:f64:6x4", "r2c:f32:6x4",          "c2r:f64:6x4",
                           "c2r:f32:6x4", "c2c:f32:6x4 in_place", "r2c:f64:6x5 in_place"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        weft_plan* plan = NULL;
        weft_transform* fft = NULL;
        EXPECT_SUCCESS(weft_plan_from_text(texts[i], MPI_COMM_WORLD, &plan));
        void* in = array_of(plan, WEFT_IN);
        void* out = array_of(plan, WEFT_OUT);
        const int in_place = strstr(texts[i], "in_place") != NULL;
        EXPECT_SUCCESS(weft_bind(plan, in, in_place ? in : out, &fft));
        EXPECT_SUCCESS(weft_forward(fft));
        EXPECT_SUCCESS(weft_backward(fft));
        weft_transform_free(&fft);
        weft_plan_free(&plan);
        weft_free(in);
        weft_free(out);
    }
}

int main(int argc, char** argv) {
    without_mpi();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    boxes_cover();
    empty_parts_have_bounds();
    kinds_of_axes();
    kinds_of_a_mixture();
    modes_of_axes();
    last_axis_is_r2c_axis();
    queries_refuse();
    own_boxes_are_moved();
    own_boxes_are_checked();
    planning_refuses();
    ranks_fail_together();
    kinds_find_their_types();
    started_transforms_go_on_together();
    communicators_are_freed_first();
    arrays_are_given_to_calls();
    fields_share_a_workspace();
    wisdom_comes_and_goes();
    plans_tell_their_problem();
    unfit_arrays_are_refused();
    structs_grow();
    EXPECT(weft_allocate((size_t)-1) == NULL && strstr(weft_last_error(), "memory") != NULL);
    double complex* in = NULL;
    double complex* out = NULL;
    weft_transform* late = transform_of_ones(&in, &out);
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    weft_transform_free(&late);
    weft_transform_free(&late);
    weft_transform_free(NULL);
    weft_free(in);
    weft_free(out);
    weft_free(NULL);
    if (world_rank == 0) printf("%d failures\n", failures);
    return failures != 0;
}
