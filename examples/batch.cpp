// The three components of a velocity in one call: interleaved in one array, and as three arrays.
// Both spectra agree, and have no divergence, as the velocity has none.
//
//     cmake --build build --target example_batch
//     mpirun -n 2 build/bin/example_batch
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <weft/weft.hpp>

using Complex = std::complex<double>;
using Vector = std::array<double, 3>;

constexpr weft::Index n = 24;
constexpr double elements = double(n * n * n);

// A Taylor-Green vortex on [0, 2 pi)^3.
Vector velocity(weft::Index i, weft::Index j, weft::Index k) {
    const auto angle = [](weft::Index index) { return 2 * M_PI * double(index) / double(n); };
    const double x = angle(i);
    const double y = angle(j);
    const double z = angle(k);
    return {2 * std::sin(x) * std::cos(y) * std::cos(z), -std::cos(x) * std::sin(y) * std::cos(z),
            -std::cos(x) * std::cos(y) * std::sin(z)};
}

// Index 0 .. n-1 to wave number -n/2+1 .. n/2.
double wave_number(weft::Index index) { return double(index <= n / 2 ? index : index - n); }

weft::LayoutRequest stored(weft::LayoutRequest layout, const std::vector<int>& order) {
    layout.order = order;
    return layout;
}

// Calls visit(i, j, k, element) for all of a rank's part; a batch axis is left to the caller.
template <class Visit>
void for_each(const std::vector<weft::Box>& boxes, const std::vector<weft::Index>& stride,
              Visit visit) {
    for (const weft::Box& box : boxes)  // one, or none
        for (weft::Index i = box.lo[0]; i < box.hi[0]; ++i)
            for (weft::Index j = box.lo[1]; j < box.hi[1]; ++j)
                for (weft::Index k = box.lo[2]; k < box.hi[2]; ++k)
                    visit(i, j, k,
                          (i - box.lo[0]) * stride[0] + (j - box.lo[1]) * stride[1] +
                              (k - box.lo[2]) * stride[2]);
}

// One array of vectors. The batch is axis 3, the fastest in memory: u v w u v w .. (text: @012b).
weft::Array<Complex> interleaved_spectrum(weft::Problem problem, MPI_Comm comm) {
    problem.batch = 3;
    problem.in = stored(problem.in, {0, 1, 2, 3});
    problem.out = stored(problem.out, {0, 1, 2, 3});
    const weft::Plan plan(problem, comm);
    auto in = weft::allocate<double>(plan.in_size());
    auto out = weft::allocate<Complex>(plan.out_size());
    weft::Transform fft = plan.bind(in.data(), out.data());
    for_each(plan.in_boxes(plan.rank()), plan.in_strides(plan.rank()),
             [&](weft::Index i, weft::Index j, weft::Index k, weft::Index at) {
                 const Vector value = velocity(i, j, k);
                 std::copy(value.begin(), value.end(), &in[at]);
             });
    fft.forward();
    if (plan.rank() == 0) std::printf("%s\n", plan.explain().c_str());
    return out;
}

// Three arrays, which may lie anywhere: a plan for one field, bound to a list of them.
std::array<weft::Array<Complex>, 3> separate_spectra(const weft::Plan& plan) {
    std::array<weft::Array<double>, 3> in;
    std::array<weft::Array<Complex>, 3> out;
    std::vector<double*> sources;
    std::vector<Complex*> targets;
    for (std::size_t c = 0; c < 3; ++c) {
        in[c] = weft::allocate<double>(plan.in_size());
        out[c] = weft::allocate<Complex>(plan.out_size());
        sources.push_back(in[c].data());
        targets.push_back(out[c].data());
    }
    weft::Transform fft = plan.bind(sources, targets);
    for_each(plan.in_boxes(plan.rank()), plan.in_strides(plan.rank()),
             [&](weft::Index i, weft::Index j, weft::Index k, weft::Index at) {
                 const Vector value = velocity(i, j, k);
                 for (std::size_t c = 0; c < 3; ++c) in[c][at] = value[c];
             });
    fft.forward();
    return out;
}

double transform_and_compare(MPI_Comm comm) {
    weft::Problem problem;
    problem.kind = weft::Kind::r2c;
    problem.shape = {n, n, n};
    problem.in = weft::slab(0);
    problem.out = weft::slab(1);
    const weft::Plan plan(problem, comm);
    const auto uvw = interleaved_spectrum(problem, comm);
    const auto spectra = separate_spectra(plan);

    double worst = 0;
    for_each(plan.out_boxes(plan.rank()), plan.out_strides(plan.rank()),
             [&](weft::Index i, weft::Index j, weft::Index k, weft::Index at) {
                 const Vector wave = {wave_number(i), wave_number(j), wave_number(k)};
                 Complex divergence;
                 for (std::size_t c = 0; c < 3; ++c) {
                     const Complex value = spectra[c][at];
                     const Complex same = uvw[3 * at + weft::Index(c)];
                     worst = std::max(worst, std::abs(same - value) / elements);
                     divergence += wave[c] * value;
                 }
                 worst = std::max(worst, std::abs(divergence) / elements / double(n));
                 if (i == 1 && j == 1 && k == 1)  // 2 sin x cos y cos z has this mode
                     worst =
                         std::max(worst, std::abs(spectra[0][at] / elements + Complex(0, 0.25)));
             });
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (plan.rank() == 0) std::printf("error %.1e\n", worst);
    return worst;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double worst = 1;
    try {
        worst = transform_and_compare(MPI_COMM_WORLD);
    } catch (const weft::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    MPI_Finalize();
    return worst < 1e-14 ? 0 : 1;
}
