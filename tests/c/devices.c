/* Arrays and streams of a device, in C. */
#include <complex.h>
#include <stdlib.h>

#include "expect.h"
#include "fake_memory.h"

int failures = 0;
int world_rank = 0;
int world_size = 1;

enum { elements = 6 * 6 * 6 };

/* A plan and what one rank has at its ends, on the host and on the device. */
typedef struct ends {
    weft_plan* plan;
    int64_t in_bytes, out_bytes;
    double complex *in, *out;
    void *device_in, *device_out;
} ends;

static ends ends_of(const char* text) {
    ends all = {NULL, 0, 0, NULL, NULL, NULL, NULL};
    EXPECT_SUCCESS(weft_plan_from_text(text, MPI_COMM_WORLD, &all.plan));
    EXPECT_SUCCESS(weft_plan_size(all.plan, WEFT_IN, world_rank, &all.in_bytes));
    EXPECT_SUCCESS(weft_plan_size(all.plan, WEFT_OUT, world_rank, &all.out_bytes));
    all.in_bytes *= (int64_t)sizeof *all.in;
    all.out_bytes *= (int64_t)sizeof *all.out;
    all.in = weft_allocate((size_t)all.in_bytes);
    all.out = weft_allocate((size_t)all.out_bytes);
    all.device_in = fake_allocate(all.in_bytes);
    all.device_out = fake_allocate(all.out_bytes);
    for (int64_t i = 0; i < all.in_bytes / 16; ++i) all.in[i] = 1;
    return all;
}

static void free_ends(ends* all) {
    weft_free(all->in);
    weft_free(all->out);
    fake_free(all->device_in);
    fake_free(all->device_out);
    weft_plan_free(&all->plan);
}

/* The spectrum of ones is their number, at frequency 0. */
static void expect_spectrum(const ends* all) {
    double total = 0;
    for (int64_t i = 0; i < all->out_bytes / 16; ++i) total += cabs(all->out[i]);
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(total > elements - 1e-9 && total < elements + 1e-9);
}

static void arrays_of_the_device(void) {
    ends all = ends_of("c2c:f64:6x6x6; space=fake");
    weft_transform* fft = NULL;
    fake_copy(all.in, all.device_in, all.in_bytes);
    EXPECT_SUCCESS(weft_bind(all.plan, all.device_in, all.device_out, &fft));
    EXPECT_SUCCESS(weft_forward(fft));
    weft_transform_free(&fft);
    fake_copy(all.device_out, all.out, all.out_bytes);
    expect_spectrum(&all);

    weft_arrays arrays = WEFT_ARRAYS_INIT;
    arrays.fields = 1;
    arrays.memory = WEFT_MEMORY_DEVICE;
    EXPECT_SUCCESS(weft_bind_any(all.plan, &arrays, &fft));
    void* const host_in = all.in;
    void* const host_out = all.out;
    if (all.in_bytes > 0) {
        EXPECT_ERROR(weft_forward_on(fft, &host_in, &host_out), WEFT_BAD_REQUEST,
                     "memory of the host");
        EXPECT_ERROR(weft_start_forward_on(fft, &host_in, &all.device_out), WEFT_BAD_REQUEST,
                     "the input array is memory of the host");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_SUCCESS(weft_forward_on(fft, &all.device_in, &all.device_out));
    fake_copy(all.device_out, all.out, all.out_bytes);
    expect_spectrum(&all);
    weft_transform_free(&fft);
    free_ends(&all);
}

static void streams(void) {
    ends all = ends_of("c2c:f64:6x6x6; space=fake");
    void* stream = fake_stream_new();
    weft_transform* fft = NULL;
    int other = 0;
    EXPECT_SUCCESS(weft_bind(all.plan, all.device_in, all.device_out, &fft));
    EXPECT_ERROR(weft_set_stream(NULL, stream), WEFT_BAD_REQUEST, "'transform' is NULL");
    EXPECT_ERROR(weft_set_stream(fft, &other), WEFT_BAD_REQUEST, "not belong to device fake");
    EXPECT_SUCCESS(weft_set_stream(fft, stream));
    fake_stream_copy(stream, all.in, all.device_in, all.in_bytes);
    EXPECT_SUCCESS(weft_start_forward(fft));
    EXPECT_ERROR(weft_unset_stream(fft), WEFT_BAD_REQUEST, "is started already");
    EXPECT_SUCCESS(weft_wait(fft));
    fake_stream_copy(stream, all.device_out, all.out, all.out_bytes);
    fake_stream_wait(stream);
    expect_spectrum(&all);
    EXPECT_SUCCESS(weft_unset_stream(fft));
    EXPECT_SUCCESS(weft_forward(fft));
    weft_transform_free(&fft);
    fake_stream_free(stream);
    free_ends(&all);
}

static void what_does_not_fit(void) {
    ends all = ends_of("c2c:f64:6x6x6; space=host");
    weft_transform* fft = NULL;
    weft_arrays arrays = WEFT_ARRAYS_INIT;
    arrays.fields = 1;
    arrays.memory = WEFT_MEMORY_DEVICE;
    EXPECT_ERROR(weft_bind_any(all.plan, &arrays, &fft), WEFT_BAD_REQUEST, "computed on the host");
    arrays.memory = (weft_memory)7;
    EXPECT_ERROR(weft_bind_any(all.plan, &arrays, &fft), WEFT_BAD_REQUEST,
                 "weft_arrays.memory is 7");
    EXPECT_ERROR(weft_bind(all.plan, all.device_in, all.device_out, &fft), WEFT_BAD_REQUEST,
                 "memory of a device");
    EXPECT_SUCCESS(weft_bind(all.plan, all.in, all.out, &fft));
    EXPECT_ERROR(weft_set_stream(fft, NULL), WEFT_BAD_REQUEST, "computed on the host");
    weft_transform_free(&fft);
    free_ends(&all);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    arrays_of_the_device();
    streams();
    what_does_not_fit();
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (world_rank == 0) printf("%d failures\n", failures);
    return failures != 0;
}
