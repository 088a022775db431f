// The Taylor-Green vortex: a direct numerical simulation of 16^3 modes at 24^3 points (the 3/2 rule).
//
//     cmake --build build --target example_taylor_green
//     mpirun -n 2 build/bin/example_taylor_green
//     mpirun -n 2 build/bin/example_taylor_green 64
//
// It starts from u = (sin x cos y cos z, -cos x sin y cos z, 0) on a cube of 2 pi, and checks that
// the flow loses as much energy as viscosity dissipates, stays free of divergence, and has the energy
// and the dissipation at t = 1 that 48^3 points give by the convective form, dealiased by the 2/3
// rule. taylor_green.py and taylor_green.f90 compute the same.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <weft/weft.hpp>

using weft::Index;
using Complex = std::complex<double>;
using Wave = std::array<double, 3>;

constexpr double viscosity = 0.05;
constexpr double dt = 0.02;
constexpr int steps = 50;

template <class T>
std::array<T, 3> cross(const std::array<T, 3>& a, const std::array<T, 3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The three components of a vector field, or its spectrum, on this rank.
template <class T>
struct Vectors {
    std::array<weft::Array<T>, 3> of;

    explicit Vectors(Index size)
        : of{weft::allocate<T>(size), weft::allocate<T>(size), weft::allocate<T>(size)} {}
    [[nodiscard]] std::array<T, 3> at(Index i) const { return {of[0][i], of[1][i], of[2][i]}; }
    void set(Index i, const std::array<T, 3>& value) {
        for (std::size_t c = 0; c < 3; ++c) of[c][i] = value[c];
    }
};

template <class T>
std::vector<T*> listed(std::initializer_list<Vectors<T>*> fields) {
    std::vector<T*> arrays;
    for (Vectors<T>* field : fields)
        for (auto& array : field->of) arrays.push_back(array.data());
    return arrays;
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

// Of the spectrum of n^3 points m^3 modes are kept, and of these the ones of m/2 are zero: they would
// stand for -m/2 as well, and have no derivative. Spectra are Fourier coefficients.
weft::Problem problem_of(Index m) {
    const Index n = m * 3 / 2;
    weft::Problem problem;
    problem.kind = weft::Kind::r2c;
    problem.shape = {n, n, n};
    problem.modes = {m, m, m};
    problem.even_modes = weft::EvenModes::zero;
    problem.in = weft::slab(0);
    problem.forward_scale.rule = weft::Scale::Rule::by_n;
    return problem;
}

class Flow {
  public:
    Flow(Index modes, MPI_Comm comm)
        : m_(modes),
          comm_(comm),
          plan_(problem_of(modes), comm),
          u_(plan_.in_size()),
          w_(plan_.in_size()),
          u_hat_(plan_.out_size()),
          w_hat_(plan_.out_size()),
          begin_(plan_.out_size()),
          total_(plan_.out_size()),
          // Velocity and vorticity go to the points in one call, their product comes back in
          // another.
          both_(plan_.bind(listed<double>({&u_, &w_}), listed<Complex>({&u_hat_, &w_hat_}))),
          product_(plan_.bind(listed<double>({&u_}), listed<Complex>({&w_hat_}))) {
        const double h = 4 * M_PI / double(3 * m_);
        for_each(plan_.in_boxes(plan_.rank()), plan_.in_strides(plan_.rank()),
                 [&](Index i, Index j, Index k, Index at) {
                     const double x = h * double(i);
                     const double y = h * double(j);
                     const double z = h * double(k);
                     u_.set(at, {std::sin(x) * std::cos(y) * std::cos(z),
                                 -std::cos(x) * std::sin(y) * std::cos(z), 0});
                 });
        product_.forward();
        for_each_mode([&](const Wave&, Index at) { u_hat_.set(at, w_hat_.at(at)); });
    }

    // By the four stages of Runge and Kutta.
    void step() {
        constexpr std::array<double, 4> weight{1, 2, 2, 1};
        constexpr std::array<double, 4> ahead{0.5, 0.5, 1, 0};
        for_each_mode([&](const Wave&, Index at) {
            begin_.set(at, u_hat_.at(at));
            total_.set(at, u_hat_.at(at));
        });
        for (std::size_t stage = 0; stage < 4; ++stage) {
            find_change();
            for_each_mode([&](const Wave&, Index at) {
                for (std::size_t c = 0; c < 3; ++c) {
                    total_.of[c][at] += weight[stage] / 6 * dt * w_hat_.of[c][at];
                    u_hat_.of[c][at] = begin_.of[c][at] + ahead[stage] * dt * w_hat_.of[c][at];
                }
            });
        }
        for_each_mode([&](const Wave&, Index at) { u_hat_.set(at, total_.at(at)); });
    }

    // Of all ranks.
    [[nodiscard]] std::array<double, 2> energy_and_dissipation() const {
        std::array<double, 2> sums{};
        for_each_mode([&](const Wave& k, Index at) {
            // Each value of the r2c axis stands for k and -k, but that of k = 0 for itself.
            const double stands_for = k[2] == 0 ? 1 : 2;
            for (const Complex& value : u_hat_.at(at)) {
                sums[0] += stands_for * std::norm(value) / 2;
                sums[1] += stands_for * viscosity * square(k) * std::norm(value);
            }
        });
        MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm_);
        return sums;
    }
    [[nodiscard]] double largest_divergence() const {
        double largest = 0;
        for_each_mode([&](const Wave& k, Index at) {
            largest = std::max(largest, std::abs(along(k, u_hat_.at(at))));
        });
        MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm_);
        return largest;
    }
    [[nodiscard]] int rank() const { return plan_.rank(); }

  private:
    static double square(const Wave& k) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; }
    static Complex along(const Wave& k, const std::array<Complex, 3>& value) {
        return k[0] * value[0] + k[1] * value[1] + k[2] * value[2];
    }

    // Calls visit(k, element) for all of this rank's part of the spectrum. Along an axis modes are 0,
    // 1, .. -1, along the last one, the r2c axis, 0 to m/2.
    template <class Visit>
    void for_each_mode(Visit visit) const {
        const auto number = [&](Index i) { return double(i <= m_ / 2 ? i : i - m_); };
        for_each(plan_.out_boxes(plan_.rank()), plan_.out_strides(plan_.rank()),
                 [&](Index i, Index j, Index k, Index at) {
                     visit(Wave{number(i), number(j), number(k)}, at);
                 });
    }

    // du/dt in Fourier space, in w_hat_: u x curl u without its gradient part, and viscosity.
    void find_change() {
        for_each_mode([&](const Wave& k, Index at) {
            const std::array<Complex, 3> ik{Complex(0, k[0]), Complex(0, k[1]), Complex(0, k[2])};
            w_hat_.set(at, cross(ik, u_hat_.at(at)));
        });
        both_.backward();
        for (Index i = 0; i < plan_.in_size(); ++i) u_.set(i, cross(u_.at(i), w_.at(i)));
        product_.start_forward();
        // Meanwhile what needs no product: viscosity.
        for_each_mode([&](const Wave& k, Index at) {
            for (auto& array : u_hat_.of) array[at] *= -viscosity * square(k);
        });
        product_.wait();
        for_each_mode([&](const Wave& k, Index at) {
            const Complex gradient = along(k, w_hat_.at(at)) / std::max(square(k), 1.0);
            for (std::size_t c = 0; c < 3; ++c)
                w_hat_.of[c][at] += u_hat_.of[c][at] - k[c] * gradient;
        });
    }

    Index m_;
    MPI_Comm comm_;
    weft::Plan plan_;
    Vectors<double> u_;
    Vectors<double> w_;
    Vectors<Complex> u_hat_;
    Vectors<Complex> w_hat_;
    Vectors<Complex> begin_;
    Vectors<Complex> total_;
    weft::Transform both_;
    weft::Transform product_;
};

bool simulate(Index modes) {
    Flow flow(modes, MPI_COMM_WORLD);
    std::vector<std::array<double, 2>> history{flow.energy_and_dissipation()};
    for (int step = 0; step < steps; ++step) {
        flow.step();
        history.push_back(flow.energy_and_dissipation());
    }
    const auto [energy, dissipation] = history.back();
    double lost = history[0][1] + dissipation;  // by Simpson's rule
    for (std::size_t i = 1; i < steps; ++i) lost += (i % 2 == 1 ? 4 : 2) * history[i][1];
    const double balance = std::abs(history[0][0] - energy - dt / 3 * lost);
    const double divergence = flow.largest_divergence();
    if (flow.rank() == 0) {
        std::printf("energy %.6f -> %.12f in %g units of time\n", history[0][0], energy,
                    dt * steps);
        std::printf("not accounted for %.1e, divergence %.1e\n", balance, divergence);
    }
    return std::abs(energy - 0.091872284215) < 1e-9 &&
           std::abs(dissipation - 0.029548013135) < 1e-7 && balance < 1e-10 && divergence < 1e-14;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool right = false;
    try {
        right = simulate(argc > 1 ? std::atol(argv[1]) : 16);  // even
    } catch (const weft::Error& error) {                       // the same on every rank
        std::fprintf(stderr, "%s\n", error.what());
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
