/* Transforms that are started, tested and waited for in C. */
#include <complex.h>

#include "expect.h"

enum { count = 2, elements = 6 * 6 * 6 };

/* Transforms of an array of one number, which N times that number comes of. */
typedef struct constant {
    weft_transform* fft;
    double complex* in;
    double complex* out;
    int64_t in_size;
    int64_t out_size;
    double value;
} constant;

/* A communicator other than that of all is freed before the plan is bound. */
static constant bound(const char* text, MPI_Comm comm, double value) {
    constant one = {NULL, NULL, NULL, 0, 0, value};
    weft_plan* plan = NULL;
    EXPECT_SUCCESS(weft_plan_from_text(text, comm, &plan));
    if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_IN, world_rank, &one.in_size));
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_OUT, world_rank, &one.out_size));
    one.in = weft_allocate((size_t)one.in_size * sizeof *one.in);
    one.out = weft_allocate((size_t)one.out_size * sizeof *one.out);
    EXPECT_SUCCESS(weft_bind(plan, one.in, one.out, &one.fft));
    weft_plan_free(&plan);
    for (int64_t i = 0; i < one.in_size; ++i) one.in[i] = value;
    return one;
}

static void expect_spectrum(const constant* one) {
    double total = 0;
    for (int64_t i = 0; i < one->out_size; ++i) total += cabs(one->out[i]);
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double expected = one->value * (double)elements;
    EXPECT(total > expected - 1e-9 && total < expected + 1e-9);
}

static void expect_back(const constant* one) {
    for (int64_t i = 0; i < one->in_size; ++i) {
        EXPECT(cabs(one->in[i] - one->value * (double)elements) < 1e-9);
    }
}

static void null_is_refused(weft_transform* fft) {
    int complete = 0;
    EXPECT_ERROR(weft_test(fft, NULL), WEFT_BAD_REQUEST, "'complete' is NULL");
    EXPECT_ERROR(weft_test(NULL, &complete), WEFT_BAD_REQUEST, "'transform' is NULL");
    EXPECT_ERROR(weft_wait(NULL), WEFT_BAD_REQUEST, "'transform' is NULL");
    EXPECT_ERROR(weft_start_forward(NULL), WEFT_BAD_REQUEST, "'transform' is NULL");
    EXPECT_ERROR(weft_start_backward(NULL), WEFT_BAD_REQUEST, "'transform' is NULL");
}

void started_transforms_go_on_together(void) {
    constant all[count] = {bound("c2c:f64:6x6x6", MPI_COMM_WORLD, 1),
                           bound("c2c:f64:6x6x6; via=alltoallv", MPI_COMM_WORLD, 2)};
    const int first = world_rank % count;
    int complete = 0;
    EXPECT_SUCCESS(weft_test(all[0].fft, &complete));
    EXPECT(complete == 1);
    EXPECT_SUCCESS(weft_wait(all[0].fft));

    for (int t = 0; t < count; ++t) EXPECT_SUCCESS(weft_start_forward(all[t].fft));
    EXPECT_ERROR(weft_start_backward(all[0].fft), WEFT_BAD_REQUEST, "started already");
    EXPECT_ERROR(weft_forward(all[0].fft), WEFT_BAD_REQUEST, "started already");
    null_is_refused(all[0].fft);
    for (complete = 0; !complete;) EXPECT_SUCCESS(weft_test(all[first].fft, &complete));
    EXPECT_SUCCESS(weft_wait(all[1 - first].fft));
    for (int t = 0; t < count; ++t) expect_spectrum(&all[t]);

    for (int t = 0; t < count; ++t) EXPECT_SUCCESS(weft_start_backward(all[t].fft));
    EXPECT_SUCCESS(weft_wait(all[first].fft));
    expect_back(&all[first]);
    weft_transform_free(&all[1 - first].fft); /* Completes it. */
    expect_back(&all[1 - first]);
    for (int t = 0; t < count; ++t) {
        weft_transform_free(&all[t].fft);
        weft_free(all[t].in);
        weft_free(all[t].out);
    }
}

void communicators_are_freed_first(void) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    constant one = bound("c2c:f64:6x6x6", copy, 3);
    EXPECT_SUCCESS(weft_forward(one.fft));
    expect_spectrum(&one);
    EXPECT_SUCCESS(weft_backward(one.fft));
    expect_back(&one);
    weft_transform_free(&one.fft);
    weft_free(one.in);
    weft_free(one.out);
}
