// Solves the Poisson equation -laplace u = f in free space, of a Gaussian charge in a cube, and
// compares with the potential that is known.
//
// Nothing is outside the cube, and u goes to zero far away. Its transform is f's times that of
// 1/(4 pi r), cut off at the distance L, which no two points of the cube have: 2 (sin(k L/2) / k)^2
// (F. Vico, L. Greengard, M. Ferrando, Fast convolution with free-space Green's functions, J. Comput.
// Phys. 323 (2016) 191). A period of 1 + L edges keeps images apart; here it is three edges. The
// charge and the potential are kept inside the cube only: 1/27 of the points.
//
//     cmake --build build --target example_free_space
//     mpirun -n 2 build/bin/example_free_space
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <weft/weft.hpp>

using weft::Index;

constexpr Index n = 40;  // points along the edge, which is 1
constexpr Index period = 3 * n;
constexpr double width = 0.06;   // of the Gaussian
constexpr double cut_off = 1.8;  // > sqrt(3)

// From the middle of the cube.
double distance(Index i, Index j, Index k) {
    const auto along = [](Index index) { return (double(index) + 0.5) / double(n) - 0.5; };
    return std::hypot(along(i), along(j), along(k));
}

double charge(double r) {
    return std::exp(-r * r / (2 * width * width)) / std::pow(2 * M_PI * width * width, 1.5);
}

double solution(double r) { return std::erf(r / (std::sqrt(2.0) * width)) / (4 * M_PI * r); }

double green(double k) {
    return k == 0 ? cut_off * cut_off / 2 : 2 * std::pow(std::sin(k * cut_off / 2) / k, 2);
}

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
    problem.shape = {period, period, period};
    problem.inside = {n, n, n};
    problem.forward_scale.rule = weft::Scale::Rule::by_n;
    const weft::Plan plan(problem, comm);
    auto u = weft::allocate<double>(plan.in_size());
    auto spectrum = weft::allocate<std::complex<double>>(plan.out_size());
    weft::Transform fft = plan.bind(u.data(), spectrum.data());
    const auto boxes = plan.in_boxes(plan.rank());
    const auto stride = plan.in_strides(plan.rank());

    for_each(boxes, stride,
             [&](Index i, Index j, Index k, Index at) { u[at] = charge(distance(i, j, k)); });
    fft.forward();
    for_each(plan.out_boxes(plan.rank()), plan.out_strides(plan.rank()),
             [&](Index i, Index j, Index k, Index at) {
                 const auto wave = [](Index index) {
                     const Index number = index <= period / 2 ? index : index - period;
                     return 2 * M_PI / 3 * double(number);
                 };
                 spectrum[at] *= green(std::hypot(wave(i), wave(j), wave(k)));
             });
    fft.backward();

    double worst = 0;
    for_each(boxes, stride, [&](Index i, Index j, Index k, Index at) {
        worst = std::max(worst, std::abs(u[at] - solution(distance(i, j, k))));
    });
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    const double highest = solution(width / 100);
    if (plan.rank() == 0)
        std::printf("%s\nlargest error %.1e of %.3f\n", plan.explain().c_str(), worst, highest);
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
