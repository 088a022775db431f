/* The program of docs/c.md. */
#include <complex.h>
#include <weft/weft.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    int rank = 0;
    int64_t in_size = 0;
    int64_t out_size = 0;
    weft_plan_from_text("c2c:f64:16x12x10", MPI_COMM_WORLD, &plan);
    weft_plan_rank(plan, &rank);
    weft_plan_size(plan, WEFT_IN, rank, &in_size);
    weft_plan_size(plan, WEFT_OUT, rank, &out_size);
    double complex* in = weft_allocate((size_t)in_size * sizeof *in);
    double complex* out = weft_allocate((size_t)out_size * sizeof *out);
    const int failed = weft_bind(plan, in, out, &fft) != WEFT_SUCCESS ||
                       weft_forward(fft) != WEFT_SUCCESS || weft_backward(fft) != WEFT_SUCCESS;
    weft_transform_free(&fft);
    weft_plan_free(&plan);
    weft_free(in);
    weft_free(out);
    MPI_Finalize();
    return failed;
}
