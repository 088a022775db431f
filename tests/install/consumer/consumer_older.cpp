// A program in an older C++ than weft.hpp's, which uses the C interface.
#include <weft/weft.h>

static_assert(__cplusplus == 201703L, "weft::c asks for no other C++ than the program's");

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    weft_plan* plan = nullptr;
    const int failed = weft_plan_from_text("c2c:f64:16x12x10", MPI_COMM_WORLD, &plan);
    weft_plan_free(&plan);
    MPI_Finalize();
    return failed;
}
