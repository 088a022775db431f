// What a plane-wave code does most: bands, of which only the modes within a sphere exist, go to the
// grid, are multiplied by a local potential there, and come back to the sphere. Compared with dense
// transforms of the same bands, with zeros outside the sphere.
//
// A Bloch state is exp(i q.r) times u(r), which has the period of the cell; the modes are those of u,
// so q is in neither transform. All bands are one batch.
//
//     cmake --build build --target example_plane_wave
//     mpirun -n 2 build/bin/example_plane_wave
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <weft/weft.hpp>

using weft::Index;
using Complex = std::complex<double>;

constexpr Index n = 32;      // points along the cell's edge
constexpr Index radius = 8;  // of the sphere of modes: of a product only those are wanted
constexpr Index modes = 2 * radius + 1;
constexpr int bands = 3;

// The modes -m/2 .. m/2 in FFT's order.
Index mode(Index index, Index m) { return index <= m / 2 ? index : index - m; }

bool inside(Index k1, Index k2, Index k3) { return k1 * k1 + k2 * k2 + k3 * k3 <= radius * radius; }

// Some coefficients of a band that fall off as smooth states' do.
Complex coefficient(Index k1, Index k2, Index k3, Index band) {
    const double fall = std::exp(-0.05 * double(k1 * k1 + k2 * k2 + k3 * k3));
    const auto phase = double(3 * k1 - 2 * k2 + 5 * k3 + 7 * band * (k1 + 2 * k2 + 1));
    return inside(k1, k2, k3) ? fall * std::polar(1.0, phase) : Complex(0);
}

double potential(Index i, Index j, Index k) {
    const auto wave = [](Index x) { return std::cos(2 * M_PI * double(x) / double(n)); };
    return -1.5 + wave(i) * wave(j) + 0.5 * wave(2 * k) + 0.25 * wave(i + j + k);
}

// Calls visit(i, j, k, band, element) for all that this rank has of the input (output) array.
template <class Visit>
void for_each(const weft::Plan& plan, bool input, Visit visit) {
    const int rank = plan.rank();
    const auto boxes = input ? plan.in_boxes(rank) : plan.out_boxes(rank);
    Index begin = 0;  // boxes lie one after the other
    for (int b = 0; b < int(boxes.size()); ++b) {
        const weft::Box& box = boxes[b];
        const auto stride = input ? plan.in_strides(rank, b) : plan.out_strides(rank, b);
        for (Index i = box.lo[0]; i < box.hi[0]; ++i)
            for (Index j = box.lo[1]; j < box.hi[1]; ++j)
                for (Index k = box.lo[2]; k < box.hi[2]; ++k)
                    for (Index band = box.lo[3]; band < box.hi[3]; ++band)
                        visit(i, j, k, band,
                              begin + (i - box.lo[0]) * stride[0] + (j - box.lo[1]) * stride[1] +
                                  (k - box.lo[2]) * stride[2] + (band - box.lo[3]) * stride[3]);
        begin += box.volume();
    }
}

// The potential times the bands, on the modes of the sphere: by sphere or dense, whose spectrum has
// `m` modes along each axis. On rank 0 all modes -radius .. radius of all bands.
std::vector<Complex> apply(weft::Problem problem, Index m, MPI_Comm comm) {
    problem.shape = {n, n, n};
    problem.batch = bands;
    problem.forward_scale.rule = weft::Scale::Rule::by_n;
    const weft::Plan plan(problem, comm);
    auto field = weft::allocate<Complex>(plan.in_size());
    auto spectrum = weft::allocate<Complex>(plan.out_size());
    weft::Transform fft = plan.bind(field.data(), spectrum.data());

    for_each(plan, false, [&](Index i, Index j, Index k, Index band, Index at) {
        spectrum[at] = coefficient(mode(i, m), mode(j, m), mode(k, m), band);
    });
    fft.backward();
    for_each(plan, true,
             [&](Index i, Index j, Index k, Index, Index at) { field[at] *= potential(i, j, k); });
    fft.forward();

    std::vector<Complex> mine(modes * modes * modes * bands);
    for_each(plan, false, [&](Index i, Index j, Index k, Index band, Index at) {
        const Index k1 = mode(i, m), k2 = mode(j, m), k3 = mode(k, m);
        if (!inside(k1, k2, k3)) return;
        mine[((k1 + radius) * modes + k2 + radius) * modes * bands + (k3 + radius) * bands + band] =
            spectrum[at];
    });
    std::vector<Complex> all(mine.size());
    MPI_Reduce(mine.data(), all.data(), int(mine.size()), MPI_C_DOUBLE_COMPLEX, MPI_SUM, 0, comm);
    if (plan.rank() == 0) std::printf("%s\n", plan.explain().c_str());
    return all;
}

// On rank 0 the largest difference to dense transforms, relative to the largest value.
double solve(MPI_Comm comm) {
    weft::Problem sphere;
    sphere.modes = {modes, modes, modes};
    sphere.out = weft::sphere(radius);
    const std::vector<Complex> result = apply(sphere, modes, comm);
    const std::vector<Complex> expected = apply({}, n, comm);
    double difference = 0;
    double largest = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        difference = std::max(difference, std::abs(result[i] - expected[i]));
        largest = std::max(largest, std::abs(expected[i]));
    }
    double worst = largest > 0 ? difference / largest : 1;
    MPI_Bcast(&worst, 1, MPI_DOUBLE, 0, comm);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) std::printf("relative difference to dense transforms %.1e\n", worst);
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
    return worst < 1e-12 ? 0 : 1;
}
