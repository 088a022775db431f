/* Transforms on arrays that are given to the call, in C. */
#include <complex.h>

#include "expect.h"

enum { turns = 3, elements = 6 * 6 * 6 };

static double complex* array_of(const weft_plan* plan, weft_end end, double value) {
    int64_t size = 0;
    EXPECT_SUCCESS(weft_plan_size(plan, end, world_rank, &size));
    double complex* array = weft_allocate((size_t)size * sizeof *array);
    for (int64_t i = 0; i < size; ++i) array[i] = value;
    return array;
}

/* The sum of the spectrum of a constant is N times it. */
static void expect_spectrum(const weft_plan* plan, const double complex* out, double value) {
    int64_t size = 0;
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_OUT, world_rank, &size));
    double total = 0;
    for (int64_t i = 0; i < size; ++i) total += cabs(out[i]);
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(total > value * elements - 1e-9 && total < value * elements + 1e-9);
}

static void in_rotation(const weft_plan* plan, weft_transform* fft) {
    void* in[turns];
    void* out[turns];
    for (int t = 0; t < turns; ++t) {
        in[t] = array_of(plan, WEFT_IN, 1 + t);
        out[t] = array_of(plan, WEFT_OUT, -1);
        EXPECT_SUCCESS(weft_forward_on(fft, &in[t], &out[t]));
    }
    for (int t = 0; t < turns; ++t) expect_spectrum(plan, out[t], 1 + t);
    EXPECT_SUCCESS(weft_start_backward_on(fft, &in[1], &out[0]));
    EXPECT_SUCCESS(weft_wait(fft));
    EXPECT_SUCCESS(weft_start_forward_on(fft, &in[1], &out[2]));
    EXPECT_SUCCESS(weft_wait(fft));
    expect_spectrum(plan, out[2], elements);
    EXPECT_SUCCESS(weft_backward_on(fft, &in[0], &out[2]));
    for (int t = 0; t < turns; ++t) {
        weft_free(in[t]);
        weft_free(out[t]);
    }
}

static void arrays_are_checked(const weft_plan* plan, weft_transform* fft) {
    void* in = array_of(plan, WEFT_IN, 1);
    void* none = NULL;
    char* text = NULL;
    char* asked = NULL;
    int64_t size = 0;
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_IN, world_rank, &size));
    EXPECT_ERROR(weft_forward(fft), WEFT_BAD_REQUEST, "bound to no arrays");
    EXPECT_ERROR(weft_forward_on(fft, NULL, &in), WEFT_BAD_REQUEST, "'in' is NULL");
    EXPECT_ERROR(weft_backward_on(fft, &in, NULL), WEFT_BAD_REQUEST, "'out' is NULL");
    EXPECT_ERROR(weft_start_forward_on(NULL, &in, &in), WEFT_BAD_REQUEST, "'transform' is NULL");
    if (size > 0) {
        EXPECT_ERROR(weft_forward_on(fft, &none, &in), WEFT_BAD_REQUEST, "array is null");
        EXPECT_ERROR(weft_start_backward_on(fft, &in, &in), WEFT_BAD_REQUEST, "overlap");
    }
    EXPECT_ERROR(weft_transform_plan_text(fft, NULL), WEFT_BAD_REQUEST, "'text' is NULL");
    EXPECT_SUCCESS(weft_transform_plan_text(fft, &text));
    EXPECT_SUCCESS(weft_plan_text(plan, &asked));
    EXPECT(text != NULL && (world_size == 1 || strstr(text, "; carrier=") != NULL));
    EXPECT(asked != NULL && strstr(asked, "; carrier=") == NULL);
    weft_free(text);
    weft_free(asked);
    weft_free(in);
}

void arrays_are_given_to_calls(void) {
    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    EXPECT_SUCCESS(weft_plan_from_text("c2c:f64:6x6x6", MPI_COMM_WORLD, &plan));
    EXPECT_SUCCESS(weft_bind_any(plan, NULL, &fft));
    in_rotation(plan, fft);
    arrays_are_checked(plan, fft);
    weft_transform_free(&fft);

    weft_arrays arrays = WEFT_ARRAYS_INIT;
    EXPECT_ERROR(weft_bind_any(plan, &arrays, &fft), WEFT_BAD_REQUEST, "fields is 0");
    EXPECT_ERROR(weft_bind_any(NULL, &arrays, &fft), WEFT_BAD_REQUEST, "'plan' is NULL");
    arrays.fields = 2;
    void* in[] = {array_of(plan, WEFT_IN, 3), array_of(plan, WEFT_IN, 4)};
    void* out[] = {array_of(plan, WEFT_OUT, 0), array_of(plan, WEFT_OUT, 0)};
    arrays.in = in;
    EXPECT_ERROR(weft_bind_any(plan, &arrays, &fft), WEFT_BAD_REQUEST, "is given arrays");
    arrays.in = NULL;
    EXPECT_SUCCESS(weft_bind_any(plan, &arrays, &fft));
    EXPECT_SUCCESS(weft_forward_on(fft, in, out));
    for (int f = 0; f < 2; ++f) {
        expect_spectrum(plan, out[f], 3 + f);
        weft_free(in[f]);
        weft_free(out[f]);
    }
    weft_transform_free(&fft);
    weft_plan_free(&plan);
}
