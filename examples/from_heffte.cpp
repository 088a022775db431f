// Real data in boxes there and back, by a program for heffte::fft3d_r2c that was moved to weft
// (docs/from/heffte.md).
//
//     cmake --build build --target example_from_heffte
//     mpirun -n 2 build/bin/example_from_heffte
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double error = 0;
    try {
        int me = 0;
        int ranks = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);

        // The boxes of heffte::split_world in a grid of 1 x 1 x ranks: heFFTe's direction 2, the
        // slowest, is axis 0. Bounds are half open: heFFTe's {low, high} is [low, high + 1).
        const weft::Index n[] = {18, 20, 24};
        const weft::Index low = n[0] * me / ranks;
        const weft::Index high = n[0] * (me + 1) / ranks - 1;
        std::vector<weft::Box> inbox;
        if (low <= high) inbox.push_back({{low, 0, 0}, {high + 1, n[1], n[2]}});

        weft::Problem problem;  // fft3d_r2c<backend::fftw>(inbox, outbox, r2c_direction, comm)
        problem.kind = weft::Kind::r2c;
        problem.precision = weft::Precision::f32;
        problem.shape = {n[0], n[1], n[2]};
        problem.in = weft::own_boxes(weft::collect(inbox, MPI_COMM_WORLD));
        problem.backward_scale.rule = weft::Scale::Rule::by_n;  // scale::full of backward
        const weft::Plan plan(problem, MPI_COMM_WORLD);

        auto input = weft::allocate<float>(plan.in_size());  // size_inbox()
        auto output = weft::allocate<std::complex<float>>(plan.out_size());
        for (weft::Index i = 0; i < plan.in_size(); ++i) input[i] = static_cast<float>(i % 7);
        weft::Transform fft = plan.bind(input.data(), output.data());
        fft.forward();
        fft.backward();
        for (weft::Index i = 0; i < plan.in_size(); ++i) {
            error = std::max<double>(error, std::abs(input[i] - static_cast<float>(i % 7)));
        }
        MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (me == 0) std::printf("%s\nerror %.1e\n", plan.explain().c_str(), error);
    } catch (const weft::Error& caught) {
        std::fprintf(stderr, "%s\n", caught.what());
        error = 1;
    }
    MPI_Finalize();
    return error < 1e-5 ? 0 : 1;
}
