// NAS Parallel Benchmark FT on weft's public interface. The problem is specified in Bailey et al.,
// The NAS Parallel Benchmarks, RNR-94-007, section 2.5; classes, checksums, timing and rate are
// those of NAS Parallel Benchmarks 3.x.
#include "ft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <span>
#include <vector>

#include "measure/json.hpp"
#include "net/agree.hpp"

namespace weft::cli {

namespace {

using Complex = std::complex<double>;

constexpr std::array<Complex, 6> checksums_s = {{
    {5.546087004964e+02, 4.845363331978e+02},
    {5.546385409189e+02, 4.865304269511e+02},
    {5.546148406171e+02, 4.883910722336e+02},
    {5.545423607415e+02, 4.901273169046e+02},
    {5.544255039624e+02, 4.917475857993e+02},
    {5.542683411902e+02, 4.932597244941e+02},
}};

constexpr std::array<Complex, 6> checksums_w = {{
    {5.673612178944e+02, 5.293246849175e+02},
    {5.631436885271e+02, 5.282149986629e+02},
    {5.594024089970e+02, 5.270996558037e+02},
    {5.560698047020e+02, 5.260027904925e+02},
    {5.530898991250e+02, 5.249400845633e+02},
    {5.504159734538e+02, 5.239212247086e+02},
}};

constexpr std::array<Complex, 6> checksums_a = {{
    {5.046735008193e+02, 5.114047905510e+02},
    {5.059412319734e+02, 5.098809666433e+02},
    {5.069376896287e+02, 5.098144042213e+02},
    {5.077892868474e+02, 5.101336130759e+02},
    {5.085233095391e+02, 5.104914655194e+02},
    {5.091487099959e+02, 5.107917842803e+02},
}};

constexpr std::array<Complex, 20> checksums_b = {{
    {5.177643571579e+02, 5.077803458597e+02}, {5.154521291263e+02, 5.088249431599e+02},
    {5.146409228649e+02, 5.096208912659e+02}, {5.142378756213e+02, 5.101023387619e+02},
    {5.139626667737e+02, 5.103976610617e+02}, {5.137423460082e+02, 5.105948019802e+02},
    {5.135547056878e+02, 5.107404165783e+02}, {5.133910925466e+02, 5.108576573661e+02},
    {5.132470705390e+02, 5.109577278523e+02}, {5.131197729984e+02, 5.110460304483e+02},
    {5.130070319283e+02, 5.111252433800e+02}, {5.129070537032e+02, 5.111968077718e+02},
    {5.128182883502e+02, 5.112616233064e+02}, {5.127393733383e+02, 5.113203605551e+02},
    {5.126691062020e+02, 5.113735928093e+02}, {5.126064276004e+02, 5.114218460548e+02},
    {5.125504076570e+02, 5.114656139760e+02}, {5.125002331720e+02, 5.115053595966e+02},
    {5.124551951846e+02, 5.115415130407e+02}, {5.124146770029e+02, 5.115744692211e+02},
}};

constexpr std::array<Complex, 20> checksums_c = {{
    {5.195078707457e+02, 5.149019699238e+02}, {5.155422171134e+02, 5.127578201997e+02},
    {5.144678022222e+02, 5.122251847514e+02}, {5.140150594328e+02, 5.121090289018e+02},
    {5.137550426810e+02, 5.121143685824e+02}, {5.135811056728e+02, 5.121496764568e+02},
    {5.134569343165e+02, 5.121870921893e+02}, {5.133651975661e+02, 5.122193250322e+02},
    {5.132955192805e+02, 5.122454735794e+02}, {5.132410471738e+02, 5.122663649603e+02},
    {5.131971141679e+02, 5.122830879827e+02}, {5.131605205716e+02, 5.122965869718e+02},
    {5.131290734194e+02, 5.123075927445e+02}, {5.131012720314e+02, 5.123166486553e+02},
    {5.130760908195e+02, 5.123241541685e+02}, {5.130528295923e+02, 5.123304037599e+02},
    {5.130310107773e+02, 5.123356167976e+02}, {5.130103090133e+02, 5.123399592211e+02},
    {5.129905029333e+02, 5.123435588985e+02}, {5.129714421109e+02, 5.123465164008e+02},
}};

struct ProblemClass {
    char name;
    std::array<Index, 3> shape;          ///< nz, ny, nx: NAS' u(nx,ny,nz) has x fastest
    std::span<const Complex> published;  ///< one checksum for each iteration
};

constexpr std::array<ProblemClass, 5> classes = {{
    {'S', {64, 64, 64}, checksums_s},
    {'W', {32, 128, 128}, checksums_w},
    {'A', {128, 256, 256}, checksums_a},
    {'B', {256, 256, 512}, checksums_b},
    {'C', {512, 512, 512}, checksums_c},
}};

const ProblemClass& find_class(char name) {
    for (const ProblemClass& problem : classes) {
        if (problem.name == name) return problem;
    }
    throw Error(ErrorCode::bad_request,
                fmt::format("class '{}' is unknown; FT has S, W, A, B, C", name));
}

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

struct Outcome {
    std::vector<Complex> checksums;
    double seconds = 0;               ///< of the whole
    double initialising_seconds = 0;  ///< of its first part
};

/// What NAS times, "all operations, in contrast to other benchmarks": from the making of the
/// initial conditions to the last checksum, after a pass that touches all data. The times are the
/// slowest rank's, the checksums rank 0's on every rank, so that all come to the same verdict.
Outcome measure(Diffusion& diffusion, std::size_t iterations, MPI_Comm comm) {
    diffusion.initialise();
    diffusion.forward();
    diffusion.backward();

    Outcome outcome;
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

/// Millions of operations per second by NAS' count, whatever the transform really does.
double rate(const ProblemClass& problem, double seconds) {
    const auto n = static_cast<double>(problem.shape[0] * problem.shape[1] * problem.shape[2]);
    const auto iterations = static_cast<double>(problem.published.size());
    const double log_n = std::log(n);
    const double once = 14.8157 + 7.19641 * log_n;
    const double each = 5.23518 + 7.21113 * log_n;
    return 1e-6 * n * (once + each * iterations) / seconds;
}

double relative_error(const Complex& computed, const Complex& published) {
    return std::abs((computed - published) / published);
}

/// Whether a checksum is right. Not a number is not.
bool agrees(const Complex& computed, const Complex& published) {
    return relative_error(computed, published) <= 1e-12;
}

bool all_agree(const std::vector<Complex>& computed, std::span<const Complex> published) {
    bool all = computed.size() == published.size();
    for (std::size_t t = 0; all && t < computed.size(); ++t)
        all = agrees(computed[t], published[t]);
    return all;
}

std::string digits(const Complex& value) {
    return fmt::format("{:20.12e} {:20.12e}", value.real(), value.imag());
}

void print_problem(const ProblemClass& problem, const Plan& plan) {
    fmt::print("NAS Parallel Benchmark FT, weft {}\n\n", version());
    fmt::print("Class         {}\n", problem.name);
    fmt::print("Size          {} x {} x {}\n", problem.shape[2], problem.shape[1],
               problem.shape[0]);
    fmt::print("Iterations    {}\n", problem.published.size());
    fmt::print("Ranks         {}\n", plan.ranks());
    fmt::print("Plan          {}\n\n", plan.text());
    std::fflush(stdout);
}

void print_outcome(const ProblemClass& problem, const Outcome& outcome) {
    double worst = 0;
    for (std::size_t t = 0; t < outcome.checksums.size(); ++t) {
        fmt::print("T = {:4}      Checksum = {}\n", t + 1, digits(outcome.checksums[t]));
        worst = std::max(worst, relative_error(outcome.checksums[t], problem.published[t]));
    }
    if (all_agree(outcome.checksums, problem.published)) {
        fmt::print("\nVerification  SUCCESSFUL, relative error {:.1e}\n", worst);
    } else {
        fmt::print("\nVerification  FAILED\n");
        for (std::size_t t = 0; t < outcome.checksums.size(); ++t) {
            const Complex& computed = outcome.checksums[t];
            const Complex& published = problem.published[t];
            if (agrees(computed, published)) continue;
            fmt::print("  iteration {:2}  computed  {}\n", t + 1, digits(computed));
            fmt::print("                published {}, relative error {:.1e}\n", digits(published),
                       relative_error(computed, published));
        }
    }
    fmt::print("Time          {:.4f} s, of which initial conditions {:.4f} s\n", outcome.seconds,
               outcome.initialising_seconds);
    fmt::print("Rate          {:.2f} Mop/s\n", rate(problem, outcome.seconds));
    std::fflush(stdout);
}

std::array<double, 2> parts(const Complex& value) { return {value.real(), value.imag()}; }

void print_json(const ProblemClass& problem, const Plan& plan, const Outcome& outcome) {
    double worst = 0;
    Json checksums = Json::array();
    for (std::size_t t = 0; t < outcome.checksums.size(); ++t) {
        const double error = relative_error(outcome.checksums[t], problem.published[t]);
        worst = std::max(worst, error);
        checksums.push_back({{"computed", parts(outcome.checksums[t])},
                             {"published", parts(problem.published[t])},
                             {"error", error}});
    }
    const bool right = all_agree(outcome.checksums, problem.published);
    const Json all = {
        {"verdict", fmt::format("class {} on {} ranks: {}, relative error {:.1e}", problem.name,
                                plan.ranks(), right ? "SUCCESSFUL" : "FAILED", worst)},
        {"right", right},
        {"class", std::string(1, problem.name)},
        {"shape", problem.shape},
        {"ranks", plan.ranks()},
        {"plan", plan.text()},
        {"checksums", checksums},
        {"seconds", outcome.seconds},
        {"initial_conditions_s", outcome.initialising_seconds},
        {"mops", rate(problem, outcome.seconds)}};
    fmt::print("{}\n", all.dump(1));
    std::fflush(stdout);
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
    const Outcome outcome = measure(diffusion, problem.published.size(), comm);
    if (plan.rank() == 0 && options.json) print_json(problem, plan, outcome);
    if (plan.rank() == 0 && !options.json) print_outcome(problem, outcome);
    return all_agree(outcome.checksums, problem.published);
}

}  // namespace weft::cli
