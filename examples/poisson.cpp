// Solves the Poisson equation -laplace u = f on a periodic cube and compares with the solution.
//
//     cmake --build build --target example_poisson
//     mpirun -n 2 build/bin/example_poisson
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <weft/weft.hpp>

using weft::Index;

constexpr Index n = 32;

// u is an eigenfunction of the Laplace operator: f = (1 + 4 + 9) u.
double solution(Index i, Index j, Index k) {
    const double h = 2 * M_PI / double(n);
    return std::sin(h * double(i)) * std::cos(2 * h * double(j)) * std::sin(3 * h * double(k) + 1);
}

// Of index i along an axis: 0 to n/2, then the negative ones.
double wave_number(Index i) { return double(i <= n / 2 ? i : i - n); }

// Calls visit(i, j, k, element) for all of this rank's part of an end.
template <class Visit>
void for_each(const std::vector<weft::Box>& boxes, const std::vector<Index>& stride, Visit visit) {
    for (const weft::Box& box : boxes)  // one, or none
        for (Index i = box.lo[0]; i < box.hi[0]; ++i)
            for (Index j = box.lo[1]; j < box.hi[1]; ++j)
                for (Index k = box.lo[2]; k < box.hi[2]; ++k)
                    visit(i, j, k,
                          (i - box.lo[0]) * stride[0] + (j - box.lo[1]) * stride[1] +
                              (k - box.lo[2]) * stride[2]);
}

double solve(MPI_Comm comm) {
    weft::Problem problem;
    problem.kind = weft::Kind::r2c;
    problem.shape = {n, n, n};
    problem.forward_scale.rule = weft::Scale::Rule::by_n;
    const weft::Plan plan(problem, comm);
    auto f = weft::allocate<double>(plan.in_size());
    auto spectrum = weft::allocate<std::complex<double>>(plan.out_size());
    weft::Transform fft = plan.bind(f.data(), spectrum.data());
    const auto boxes = plan.in_boxes(plan.rank());
    const auto stride = plan.in_strides(plan.rank());

    for_each(boxes, stride,
             [&](Index i, Index j, Index k, Index at) { f[at] = 14 * solution(i, j, k); });

    // In Fourier space a division by |k|^2; the mean of u is free and set to 0.
    fft.forward();
    for_each(plan.out_boxes(plan.rank()), plan.out_strides(plan.rank()),
             [&](Index i, Index j, Index k, Index at) {
                 const double x = wave_number(i);
                 const double y = wave_number(j);
                 const double z = wave_number(k);
                 const double k2 = x * x + y * y + z * z;
                 spectrum[at] = k2 == 0 ? 0 : spectrum[at] / k2;
             });
    fft.backward();

    double worst = 0;
    for_each(boxes, stride, [&](Index i, Index j, Index k, Index at) {
        worst = std::max(worst, std::abs(f[at] - solution(i, j, k)));
    });
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (plan.rank() == 0) std::printf("%s\nlargest error %.1e\n", plan.explain().c_str(), worst);
    return worst;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double worst = 1;
    try {
        worst = solve(MPI_COMM_WORLD);
    } catch (const weft::Error& error) {  // the same on every rank
        std::fprintf(stderr, "%s\n", error.what());
    }
    MPI_Finalize();
    return worst < 1e-13 ? 0 : 1;
}
