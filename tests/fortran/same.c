/* One forward transform in C: the text of a plan, and the bytes that it makes of others. */
#include <string.h>
#include <weft/weft.h>

/* Copies `in` and transforms the copy; 1 if the result is, to the bit, `out`. */
int same_in_c(const char* text, MPI_Fint comm, int in_place, const void* in, int64_t in_bytes,
              const void* out, int64_t out_bytes);

int same_in_c(const char* text, MPI_Fint comm, int in_place, const void* in, int64_t in_bytes,
              const void* out, int64_t out_bytes) {
    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    const int64_t most = in_bytes > out_bytes ? in_bytes : out_bytes;
    void* c_in = weft_allocate((size_t)most + 64);
    void* c_out = in_place ? c_in : weft_allocate((size_t)most + 64);
    if (in_bytes > 0) memcpy(c_in, in, (size_t)in_bytes);
    const int done = weft_plan_from_text(text, MPI_Comm_f2c(comm), &plan) == WEFT_SUCCESS &&
                     weft_bind(plan, c_in, c_out, &fft) == WEFT_SUCCESS &&
                     weft_forward(fft) == WEFT_SUCCESS;
    const int same = done && (out_bytes == 0 || memcmp(c_out, out, (size_t)out_bytes) == 0);
    weft_transform_free(&fft);
    weft_plan_free(&plan);
    weft_free(c_in);
    if (!in_place) weft_free(c_out);
    return same;
}
