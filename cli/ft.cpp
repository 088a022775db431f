// NAS Parallel Benchmark FT on weft's public interface. The problem is specified in Bailey et al.,
// The NAS Parallel Benchmarks, RNR-94-007, section 2.5; classes, checksums, timing and rate are
// those of NAS Parallel Benchmarks 3.x.
#include "ft.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "ft/classes.hpp"
#include "ft/report.hpp"
#include "net/agree.hpp"

namespace weft::cli {

namespace {

/// NAS' random numbers (RNR-94-007, section 2.3): x <- 5^13 x mod 2^46 from 314159265, as
/// fractions of 2^46. 64-bit arithmetic is exact here, for it wraps at a multiple of 2^46.
class NasRandom {
  public:
    /// The sequence without its first `skip` numbers.
    explicit NasRandom(Index skip) {
        std::uint64_t factor = multiplier;
        for (auto power = static_cast<std::uint64_t>(skip); power != 0; power >>= 1) {
            if ((power & 1) != 0) x_ *= factor;
            factor *= factor;
        }
    }
    double next() {
        x_ = (x_ * multiplier) & mask;
        return static_cast<double>(x_) * unit;
    }

  private:
    static constexpr std::uint64_t multiplier = 1220703125;  // 5^13
    static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;
    static constexpr double unit = 0x1p-46;

    std::uint64_t x_ = 314159265;
};

/// The factors by which one time step damps the modes lo <= i < hi of an axis of n.
std::vector<double> damping(Index n, Index lo, Index hi) {
    constexpr double alpha = 1e-6;
    constexpr double rate = 4 * alpha * std::numbers::pi * std::numbers::pi;
    std::vector<double> factors;
    for (Index i = lo; i < hi; ++i) {
        const auto k = static_cast<double>(i < n / 2 ? i : i - n);
        factors.push_back(std::exp(-rate * k * k));
    }
    return factors;
}

/// Collective: one rank may have too little memory, and then all must know.
Array<Complex> allocate_on_all(MPI_Comm comm, Index size) {
    Array<Complex> array;
    core::all_or_none(comm, [&] { array = allocate<Complex>(size); });
    return array;
}

/// The state of the benchmark on one rank. Two arrays are enough: weft keeps the input of a
/// transform, so the spectrum outlives every backward() and is damped further step by step.
class Diffusion {
  public:
    Diffusion(const ProblemClass& problem, const Plan& plan, MPI_Comm comm)
        : shape_(problem.shape),
          plan_(plan),
          comm_(comm),
          field_(allocate_on_all(comm, plan.in_size())),
          spectrum_(allocate_on_all(comm, plan.out_size())),
          transform_(plan.bind(field_.data(), spectrum_.data())) {
        find_probes();
    }

    void initialise();
    void forward() { transform_.forward(); }
    void damp();
    void backward() { transform_.backward(); }
    /// On rank 0; elsewhere nothing of use.
    Complex checksum() const;

  private:
    void find_probes();

    std::array<Index, 3> shape_;
    const Plan& plan_;
    MPI_Comm comm_;
    Array<Complex> field_;
    Array<Complex> spectrum_;
    Transform transform_;
    std::array<std::vector<double>, 3> damping_;  ///< by axis, slowest in memory first
    std::vector<Index> probes_;                   ///< where this rank holds terms of the checksum
};

/// Fills the field with random numbers and tabulates the damping: NAS times both.
void Diffusion::initialise() {
    const std::vector<Index> stride = plan_.in_strides(plan_.rank());
    for (const Box& box : plan_.in_boxes(plan_.rank())) {
        for (Index z = box.lo[0]; z < box.hi[0]; ++z) {
            for (Index y = box.lo[1]; y < box.hi[1]; ++y) {
                NasRandom random(2 * ((z * shape_[1] + y) * shape_[2] + box.lo[2]));
                Index at = (z - box.lo[0]) * stride[0] + (y - box.lo[1]) * stride[1];
                for (Index x = box.lo[2]; x < box.hi[2]; ++x, at += stride[2]) {
                    const double real = random.next();
                    field_[at] = {real, random.next()};
                }
            }
        }
    }
    const std::vector<int> order = plan_.out_order();
    for (const Box& box : plan_.out_boxes(plan_.rank())) {
        for (std::size_t level = 0; level < order.size(); ++level) {
            const auto axis = static_cast<std::size_t>(order[level]);
            damping_[level] = damping(shape_[axis], box.lo[axis], box.hi[axis]);
        }
    }
}

/// One time step. The box is dense in its order of axes, so one walk through memory meets all
/// modes. Damping again and again rounds 20 times at most, far from the 1e-12 of the verification.
void Diffusion::damp() {
    Complex* mode = spectrum_.data();
    for (const double slow : damping_[0]) {
        for (const double middle : damping_[1]) {
            const double outer = slow * middle;
            for (const double fast : damping_[2]) *mode++ *= outer * fast;
        }
    }
}

/// The checksum's terms are u(j mod nx, 3j mod ny, 5j mod nz) for j = 1 .. 1024.
void Diffusion::find_probes() {
    const std::vector<Index> stride = plan_.in_strides(plan_.rank());
    for (const Box& box : plan_.in_boxes(plan_.rank())) {
        for (Index j = 1; j <= 1024; ++j) {
            const std::array<Index, 3> index = {5 * j % shape_[0], 3 * j % shape_[1],
                                                j % shape_[2]};
            bool mine = true;
            Index at = 0;
            for (std::size_t axis = 0; axis < index.size(); ++axis) {
                mine = mine && box.lo[axis] <= index[axis] && index[axis] < box.hi[axis];
                at += (index[axis] - box.lo[axis]) * stride[axis];
            }
            if (mine) probes_.push_back(at);
        }
    }
}

Complex Diffusion::checksum() const {
    Complex mine = 0;
    for (const Index at : probes_) mine += field_[at];
    Complex all = 0;
    MPI_Reduce(&mine, &all, 2, MPI_DOUBLE, MPI_SUM, 0, comm_);
    return all / static_cast<double>(shape_[0] * shape_[1] * shape_[2]);
}

/// What NAS times, "all operations, in contrast to other benchmarks": from the making of the
/// initial conditions to the last checksum, after a pass that touches all data. The times are the
/// slowest rank's, the checksums rank 0's on every rank, so that all come to the same verdict.
FtOutcome measure(Diffusion& diffusion, std::size_t iterations, MPI_Comm comm) {
    diffusion.initialise();
    diffusion.forward();
    diffusion.backward();

    FtOutcome outcome;
    outcome.checksums.reserve(iterations);
    MPI_Barrier(comm);
    const double start = MPI_Wtime();
    diffusion.initialise();
    const double initialised = MPI_Wtime();
    diffusion.forward();
    for (std::size_t t = 0; t < iterations; ++t) {
        diffusion.damp();
        diffusion.backward();
        outcome.checksums.push_back(diffusion.checksum());
    }
    const double end = MPI_Wtime();

    const std::array<double, 2> mine = {end - start, initialised - start};
    std::array<double, 2> slowest{};
    MPI_Allreduce(mine.data(), slowest.data(), 2, MPI_DOUBLE, MPI_MAX, comm);
    outcome.seconds = slowest[0];
    outcome.initialising_seconds = slowest[1];
    MPI_Bcast(outcome.checksums.data(), static_cast<int>(2 * iterations), MPI_DOUBLE, 0, comm);
    return outcome;
}

}  // namespace

bool run_ft(const FtOptions& options, MPI_Comm comm) {
    const ProblemClass& problem = find_class(options.problem_class);
    Problem question;
    question.shape.assign(problem.shape.begin(), problem.shape.end());
    question.in = options.in;
    question.out = options.out;
    const Plan plan(question, comm, parse_choice(options.choice));
    if (plan.rank() == 0 && !options.json) print_problem(problem, plan);
    Diffusion diffusion(problem, plan, comm);
    const FtOutcome outcome = measure(diffusion, problem.published.size(), comm);
    if (plan.rank() == 0 && options.json) print_json(problem, plan, outcome);
    if (plan.rank() == 0 && !options.json) print_outcome(problem, outcome);
    return all_agree(outcome.checksums, problem.published);
}

}  // namespace weft::cli
