// Forward and backward transform of a slab-distributed array; checks that N x comes back.
//
//     cmake --build build --target example_slab
//     mpirun -n 2 build/bin/example_slab
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double worst = 0;
    try {
        weft::Problem problem;
        problem.shape = {24, 20, 18};
        problem.in = weft::slab(0);
        problem.backward_scale.rule = weft::Scale::Rule::by_n;
        const weft::Plan plan(problem, MPI_COMM_WORLD);

        auto in = weft::allocate<std::complex<double>>(plan.in_size());
        auto out = weft::allocate<std::complex<double>>(plan.out_size());
        weft::Transform fft = plan.bind(in.data(), out.data());

        // A plane wave along axis 1: value exp(2 pi i 3 y / 20) at (x, y, z).
        const auto stride = plan.in_strides(plan.rank());
        const auto wave = [](weft::Index y) {
            return std::polar(1.0, 2 * M_PI * 3 * double(y) / 20);
        };
        for (const weft::Box& box : plan.in_boxes(plan.rank())) {
            for (weft::Index x = box.lo[0]; x < box.hi[0]; ++x)
                for (weft::Index y = box.lo[1]; y < box.hi[1]; ++y)
                    for (weft::Index z = box.lo[2]; z < box.hi[2]; ++z)
                        in[(x - box.lo[0]) * stride[0] + (y - box.lo[1]) * stride[1] +
                           (z - box.lo[2]) * stride[2]] = wave(y);
        }
        fft.forward();

        // Its spectrum is N at (0, 3, 0) and nothing else.
        const double n = 24 * 20 * 18;
        const auto out_stride = plan.out_strides(plan.rank());
        for (const weft::Box& box : plan.out_boxes(plan.rank())) {
            for (weft::Index x = box.lo[0]; x < box.hi[0]; ++x)
                for (weft::Index y = box.lo[1]; y < box.hi[1]; ++y)
                    for (weft::Index z = box.lo[2]; z < box.hi[2]; ++z) {
                        const auto value =
                            out[(x - box.lo[0]) * out_stride[0] + (y - box.lo[1]) * out_stride[1] +
                                (z - box.lo[2]) * out_stride[2]];
                        const double expected = x == 0 && y == 3 && z == 0 ? n : 0;
                        worst = std::max(worst, std::abs(value - expected) / n);
                    }
        }
        fft.backward();
        MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (plan.rank() == 0) std::printf("%s\nerror %.1e\n", plan.explain().c_str(), worst);
    } catch (const weft::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        worst = 1;
    }
    MPI_Finalize();
    return worst < 1e-14 ? 0 : 1;
}
