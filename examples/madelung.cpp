// Madelung's constant of rock salt by particle mesh Ewald, the smooth one with B-splines:
// U. Essmann et al., A smooth particle mesh Ewald method, J. Chem. Phys. 103 (1995) 8577, below
// [essmann].
//
// The energy of point charges in a periodic cell is a short-ranged sum over pairs, a sum over wave
// vectors and a constant. The charges are spread on a mesh, of which each rank has a slab; two
// transforms give the potential there. The crystal is shifted, so that ions lie between mesh
// points.
//
//     cmake --build build --target example_madelung
//     mpirun -n 2 build/bin/example_madelung
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numeric>
#include <vector>
#include <weft/weft.hpp>

using weft::Index;
using Complex = std::complex<double>;

constexpr Index ions_along = 4;            // the nearest ions are 1 apart
constexpr auto edge = double(ions_along);  // of the cell
constexpr Index mesh = 40;                 // points along the edge
constexpr double per_length = double(mesh) / edge;
constexpr int order = 8;                     // of the splines
constexpr double split = 1.2;                // the width that divides the two sums, 1/length
constexpr double cut_off = 4;                // of the pairs: erfc(4.8) is 1e-11
constexpr double madelung = 1.747564594633;  // per pair of ions, in units of the distance

struct Ion {
    std::array<double, 3> at;
    double charge;
};

// All ions of the cell. They are 64 and the cut-off is its edge, so every rank needs all of them.
std::vector<Ion> rock_salt() {
    std::vector<Ion> ions;
    for (Index x = 0; x < ions_along; ++x)
        for (Index y = 0; y < ions_along; ++y)
            for (Index z = 0; z < ions_along; ++z)
                ions.push_back({{double(x) + 0.123, double(y) + 0.456, double(z) + 0.789},
                                (x + y + z) % 2 == 0 ? 1.0 : -1.0});
    return ions;
}

// M(x), M(x+1), .. M(x+order-1) of the cardinal B-spline, 0 <= x < 1 ([essmann] eq. 4.1).
std::array<double, order> spline(double x) {
    std::array<double, order> value{};
    value[0] = x;
    value[1] = 1 - x;
    for (int m = 3; m <= order; ++m) {
        value[m - 1] = 0;
        for (int j = m - 1; j >= 0; --j) {
            const double below = j > 0 ? value[j - 1] : 0;
            value[j] = ((x + j) * value[j] + (m - x - j) * below) / (m - 1);
        }
    }
    return value;
}

// |b|^2 of each mesh point, which corrects what the splines do to a wave ([essmann] eq. 4.4).
std::vector<double> spline_correction() {
    const auto at_integers = spline(0);
    std::vector<double> correction;
    for (Index k = 0; k < mesh; ++k) {
        Complex sum;
        for (int j = 1; j < order; ++j)
            sum += at_integers[j] * std::polar(1.0, 2 * M_PI * double(k * j % mesh) / double(mesh));
        correction.push_back(1 / std::norm(sum));
    }
    return correction;
}

// Where an ion is spread along an axis: `weight[j]` belongs to mesh point `point(j)`.
struct Spread {
    Index cell;
    std::array<double, order> weight;

    explicit Spread(double at)
        : cell(Index(at * per_length)), weight(spline(at * per_length - double(cell))) {}
    [[nodiscard]] Index point(int j) const { return (cell - j + mesh) % mesh; }
};

// A rank's part of the mesh, as the plan has it; an empty box if it has nothing.
struct Part {
    weft::Box box{{0, 0, 0}, {0, 0, 0}};
    std::vector<Index> stride{0, 0, 0};

    Part(const std::vector<weft::Box>& boxes, std::vector<Index> strides)
        : stride(std::move(strides)) {
        if (!boxes.empty()) box = boxes.front();
    }
    [[nodiscard]] Index at(Index i, Index j, Index k) const {
        return (i - box.lo[0]) * stride[0] + (j - box.lo[1]) * stride[1] +
               (k - box.lo[2]) * stride[2];
    }
};

// Adds an ion's charge to the planes of the mesh that this rank has ([essmann] eq. 4.6).
void add_charge(const Ion& ion, const Part& part, double* charges) {
    const Spread x(ion.at[0]);
    const Spread y(ion.at[1]);
    const Spread z(ion.at[2]);
    for (int i = 0; i < order; ++i) {
        const Index plane = x.point(i);
        if (plane < part.box.lo[0] || plane >= part.box.hi[0]) continue;
        for (int j = 0; j < order; ++j)
            for (int k = 0; k < order; ++k)
                charges[part.at(plane, y.point(j), z.point(k))] +=
                    ion.charge * x.weight[i] * y.weight[j] * z.weight[k];
    }
}

// Multiplies by the transform of the smooth part of 1/r ([essmann] eq. 4.7).
void multiply(Complex* spectrum, const Part& part) {
    const auto correction = spline_correction();
    const auto wave_number = [](Index i) { return double(i <= mesh / 2 ? i : i - mesh) / edge; };
    for (Index i = part.box.lo[0]; i < part.box.hi[0]; ++i)
        for (Index j = part.box.lo[1]; j < part.box.hi[1]; ++j)
            for (Index k = part.box.lo[2]; k < part.box.hi[2]; ++k) {
                const double k2 = std::pow(wave_number(i), 2) + std::pow(wave_number(j), 2) +
                                  std::pow(wave_number(k), 2);
                // A neutral cell has no value at wave number 0, which conducting walls would add.
                const double factor = k2 == 0 ? 0
                                              : std::exp(-k2 * std::pow(M_PI / split, 2)) /
                                                    (M_PI * edge * edge * edge * k2);
                spectrum[part.at(i, j, k)] *=
                    factor * correction[i] * correction[j] * correction[k];
            }
}

// The sum over wave vectors, of this rank's planes.
double reciprocal_energy(const std::vector<Ion>& ions, const weft::Plan& plan) {
    auto charges = weft::allocate<double>(plan.in_size());
    auto potential = weft::allocate<double>(plan.in_size());
    auto spectrum = weft::allocate<Complex>(plan.out_size());
    weft::Transform fft = plan.bind();
    const Part part(plan.in_boxes(plan.rank()), plan.in_strides(plan.rank()));

    std::fill(charges.begin(), charges.end(), 0.0);
    for (const Ion& ion : ions) add_charge(ion, part, charges.data());
    fft.forward(charges.data(), spectrum.data());
    multiply(spectrum.data(), Part(plan.out_boxes(plan.rank()), plan.out_strides(plan.rank())));
    fft.backward(potential.data(), spectrum.data());
    return std::inner_product(charges.begin(), charges.end(), potential.begin(), 0.0) / 2;
}

// The sum over pairs: each rank takes every size-th ion, with all others and all images.
double pair_energy(const std::vector<Ion>& ions, int rank, int size) {
    double energy = 0;
    for (std::size_t a = std::size_t(rank); a < ions.size(); a += std::size_t(size))
        for (const Ion& other : ions)
            for (int image = 0; image < 27; ++image) {
                const std::array<int, 3> shift{image / 9 - 1, image / 3 % 3 - 1, image % 3 - 1};
                double r2 = 0;
                for (std::size_t d = 0; d < 3; ++d) {
                    const double apart = std::remainder(ions[a].at[d] - other.at[d], edge);
                    r2 += std::pow(apart + edge * shift[d], 2);
                }
                const double r = std::sqrt(r2);
                if (r > 0.5 && r <= cut_off)
                    energy += ions[a].charge * other.charge * std::erfc(split * r) / r / 2;
            }
    return energy;
}

double energy_of(const std::vector<Ion>& ions, MPI_Comm comm) {
    weft::Problem problem;
    problem.kind = weft::Kind::r2c;
    problem.shape = {mesh, mesh, mesh};
    problem.in = weft::slab(0);
    const weft::Plan plan(problem, comm);
    double energy = pair_energy(ions, plan.rank(), plan.ranks()) + reciprocal_energy(ions, plan);
    MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, comm);
    // Each charge's own smooth potential is in the sum over wave vectors.
    for (const Ion& ion : ions) energy -= split / std::sqrt(M_PI) * ion.charge * ion.charge;
    return energy;
}

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double error = 1;
    try {
        const auto ions = rock_salt();
        const double found = -energy_of(ions, MPI_COMM_WORLD) / (double(ions.size()) / 2);
        error = std::abs(found - madelung);
        if (rank == 0) std::printf("Madelung's constant %.9f, error %.1e\n", found, error);
    } catch (const weft::Error& thrown) {  // the same on every rank
        std::fprintf(stderr, "%s\n", thrown.what());
    }
    MPI_Finalize();
    return error < 1e-9 ? 0 : 1;
}
