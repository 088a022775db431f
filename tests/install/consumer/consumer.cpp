// The program of the README.
#include <complex>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        weft::Plan plan({.shape = {16, 12, 10}}, MPI_COMM_WORLD);
        auto in = weft::allocate<std::complex<double>>(plan.in_size());
        auto out = weft::allocate<std::complex<double>>(plan.out_size());
        weft::Transform fft = plan.bind(in.data(), out.data());
        fft.forward();
        fft.backward();
    }
    MPI_Finalize();
    return 0;
}
