// Whatever fails on whichever ranks while a plan is made, tuned and bound: all ranks end alike,
// none hangs, and the communicator serves the next plan.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <complex>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "expect.hpp"
#include "faults.hpp"
#include "outcome.hpp"
#include "weft/weft.h"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// What is tried now, for whoever looks at a hang: `timeout -s ABRT` ends one.
std::array<char, 400> now{};

void tell_and_end(int /*signal*/) {
    (void)!write(STDERR_FILENO, now.data(), std::strlen(now.data()));
    (void)!write(STDERR_FILENO, "\n", 1);
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
}

struct Scenario {
    const char* name;
    const char* text;
    int samples = 10;  ///< of the calls of each kind, times three: as many for each victim
    bool own_boxes = false;
    bool of_weft = false;  ///< arrays that peers can map
    bool lends_workspace = false;
    bool by_c = false;
    bool passes_over = false;
};

constexpr std::array<Scenario, 18> scenarios = {{
    {"shared", "c2c:f64:24x20x16"},
    {"shared_by_name", "c2c:f64:24x20x16; via=shared"},
    {"shared_with_workspace", "c2c:f64:24x20x16", 10, false, false, true},
    {"c", "c2c:f64:24x20x16", 10, false, false, false, true},
    {"shared_pencils", "c2c:f64:12x12x10*3 in=brick out=brick; decomposition=pencil"},
    {"exposed_arrays", "c2c:f64:32x24x32 in=slab(0) out=slab(0)", 10, false, true},
    {"exposed_array_in_place", "c2c:f64:32x24x32 in=slab(0) out=slab(0) in_place", 8, false, true},
    {"messages", "c2c:f64:12x12x10; via=isend-waitall"},
    {"datatypes", "c2c:f64:12x10x9; decomposition=pencil; via=alltoallw"},
    {"fused_alltoallv", "c2c:f64:24x20x16; via=alltoallv; pack=fused"},
    {"persistent", "c2c:f64:24x20x16; via=persistent"},
    {"one_sided", "c2c:f64:24x20x16; via=one-sided"},
    {"tiles", "c2c:f64:24x20x16; tile=(axis:2,T:4,W:2)"},
    {"cma", "c2c:f64:24x20x16; via=cma"},
    {"fftw", "c2c:f64:24x20x16; via=fftw"},
    {"own_boxes", "c2c:f64:16x12x10", 10, true},
    // Each bind times all methods.
    {"tuned", "c2c:f64:12x10; via=auto", 3, false, false, false, false, true},
    // Each plan times all engines, since what is known of them is forgotten before.
    {"fastest_engine", "c2c:f64:12x10; engine=auto", 3, false, false, false, false, true},
}};

/// Arrays that are there before anything fails.
class Arrays {
  public:
    Arrays(const Plan& plan, bool of_weft) {
        const Index sizes[2] = {plan.in_size(), plan.out_size()};
        for (int end = 0; end < 2; ++end) {
            if (of_weft) {
                allocated_[end] = allocate<Complex>(sizes[end]);
            } else {
                vectors_[end].resize(static_cast<std::size_t>(sizes[end]));
            }
            sizes_[end] = sizes[end];
        }
        in_place_ = plan.problem().in_place;
    }
    [[nodiscard]] Complex* in() { return at(0); }
    [[nodiscard]] Complex* out() { return at(in_place_ ? 0 : 1); }
    [[nodiscard]] Index out_size() const { return sizes_[1]; }
    void fill() {
        double value = world_rank();
        for (Index i = 0; i < sizes_[0]; ++i) in()[i] = std::polar(1.0, value += 0.25);
    }

  private:
    Complex* at(int end) {
        return vectors_[end].empty() ? allocated_[end].data() : vectors_[end].data();
    }

    std::array<std::vector<Complex>, 2> vectors_;
    std::array<Array<Complex>, 2> allocated_;
    std::array<Index, 2> sizes_{};
    bool in_place_ = false;
};

/// A transform, made in C++ or in C.
class Bound {
  public:
    explicit Bound(Transform transform) : transform_(std::move(transform)) {}
    Bound(const char* text, MPI_Comm comm, void* in, void* out) {
        weft_plan* plan = nullptr;
        weft_code code = weft_plan_from_text(text, comm, &plan);
        if (code == WEFT_SUCCESS) code = weft_bind(plan, in, out, &c_);
        weft_plan_free(&plan);
        if (code != WEFT_SUCCESS) throw Error(static_cast<ErrorCode>(code), weft_last_error());
    }
    ~Bound() { weft_transform_free(&c_); }
    Bound(Bound&& other) noexcept
        : transform_(std::move(other.transform_)), c_(std::exchange(other.c_, nullptr)) {}
    Bound& operator=(Bound&&) = delete;

    void forward() {
        if (transform_) {
            transform_->forward();
        } else {
            ASSERT_EQ(weft_forward(c_), WEFT_SUCCESS) << weft_last_error();
        }
    }

  private:
    std::optional<Transform> transform_;
    weft_transform* c_ = nullptr;
};

/// One scenario on this rank, with what comes out where nothing fails.
class Trial {
  public:
    explicit Trial(const Scenario& scenario) : scenario_(scenario) {
        if (scenario.own_boxes) {
            const Index n = 16;
            const Index ranks = world_size();
            mine_ = {{{n * world_rank() / ranks, 0, 0}, {n * (world_rank() + 1) / ranks, 12, 10}}};
            with_boxes_.shape = {n, 12, 10};
            with_boxes_.in = weft::own_boxes(collect(mine_, MPI_COMM_WORLD));
        }
        const Plan plan = made(MPI_COMM_WORLD);
        arrays_.emplace(plan, scenario.of_weft);
        if (scenario.lends_workspace) {
            memory_ = allocate<std::byte>(plan.workspace_bytes(plan.rank()));
            workspace_ = {memory_.data(), memory_.size()};
        }
        Bound transform = bound(MPI_COMM_WORLD);
        run(transform);
        right_.assign(arrays_->out(), arrays_->out() + arrays_->out_size());
    }

    /// The calls of a kind, on the rank that makes most of them.
    long calls(Fault kind) {
        MPI_Comm comm = copy();
        wisdom::forget();
        {
            std::optional<Bound> transform;
            const std::function<void()> work = [&] { transform.emplace(bound(comm)); };
            arm(kind, never);
            work();
        }
        long seen = disarm();
        PMPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
        MPI_Comm_free(&comm);
        return seen;
    }

    /// Lets the call of that number fail on a rank, or on all (-1); whether all ranks got an error.
    bool fail(Fault kind, long number, int victim) {
        MPI_Comm comm = copy();
        wisdom::forget();
        std::optional<Bound> transform;
        const bool here = victim == -1 || victim == world_rank();
        const std::function<void()> work = [&] {
            try {
                transform.emplace(bound(comm));
            } catch (...) {
                // Where another rank failed first, that call is still to come: not in the test.
                if (here) disarm();
                throw;
            }
        };
        std::snprintf(now.data(), now.size(), "rank %d: %s, fault %d, call %ld of rank %d",
                      world_rank(), scenario_.name, static_cast<int>(kind), number, victim);
        if (here) arm(kind, number);
        const Outcome outcome = outcome_of(work);
        if (here) disarm();
        const std::string what = std::string(now.data()) + " (" + (here ? failed_call() : "") + ")";
        expect_same(outcome, what);
        if (transform) {
            run(*transform);
            expect_right(what);
        }
        transform.reset();
        {
            Bound next = bound(comm);
            run(next);
            expect_right(what + ", the next one");
        }
        MPI_Comm_free(&comm);
        return !outcome.fine();
    }

  private:
    static MPI_Comm copy() {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return comm;
    }
    [[nodiscard]] Plan made(MPI_Comm comm) const {
        if (!scenario_.own_boxes) return Plan::parse(scenario_.text, comm);
        (void)collect(mine_, comm);
        return {with_boxes_, comm};
    }
    [[nodiscard]] Bound bound(MPI_Comm comm) {
        if (scenario_.by_c) return Bound(scenario_.text, comm, arrays_->in(), arrays_->out());
        return Bound(made(comm).bind(arrays_->in(), arrays_->out(), workspace_));
    }
    void run(Bound& transform) {
        arrays_->fill();
        transform.forward();
    }
    void expect_right(const std::string& what) {
        double difference = 0;
        for (std::size_t i = 0; i < right_.size(); ++i) {
            difference = std::max(difference, std::abs(arrays_->out()[i] - right_[i]));
        }
        EXPECT_LE(difference, 1e-9) << what;
    }

    Scenario scenario_;
    std::vector<Box> mine_;
    Problem with_boxes_;
    std::optional<Arrays> arrays_;
    Array<std::byte> memory_;
    Workspace workspace_;
    std::vector<Complex> right_;
};

/// Open files, and mappings of weft's shared memory, of this process.
struct Held {
    long files = 0;
    long mappings = 0;

    static Held by_process() {
        Held held;
        DIR* directory = opendir("/proc/self/fd");
        while (readdir(directory) != nullptr) ++held.files;
        closedir(directory);
        std::ifstream maps("/proc/self/maps");
        for (std::string line; std::getline(maps, line);) {
            if (line.find("memfd:weft") != std::string::npos) ++held.mappings;
        }
        return held;
    }
};

/// With WEFT_FAULT_SAMPLES in the environment so many instead of ten: 100000 tries every call.
long samples_of(const Scenario& scenario) {
    const char* text = std::getenv("WEFT_FAULT_SAMPLES");
    const long of_ten = text == nullptr ? 10 : std::atol(text);
    return (scenario.samples * of_ten + 9) / 10;
}

/// Whether any rank says so.
bool any_rank(bool here) {
    int any = here ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return any != 0;
}

/// Whether an error comes of some call, each of which fails on all ranks in its turn until one
/// does.
bool some_call_matters(Trial& trial, Fault kind, long calls) {
    for (long number = 0; number < calls; ++number) {
        if (any_rank(trial.fail(kind, number, -1))) return true;
    }
    return false;
}

using Parameters = std::tuple<Scenario, Fault>;

std::string name_of(const Parameters& parameters) {
    constexpr std::array<const char*, 4> kinds = {"allocation", "exhaustion", "system", "mpi"};
    const auto& [scenario, kind] = parameters;
    return std::string(scenario.name) + "_" + kinds[static_cast<std::size_t>(kind)];
}

class Faults : public ::testing::TestWithParam<Parameters> {};

/// Takes samples of all calls of a kind that a scenario makes.
TEST_P(Faults, EndAlikeOnAllRanks) {
    std::signal(SIGABRT, &tell_and_end);
    // What is forgotten is this process's; files of the user's stay as they are.
    setenv("WEFT_WISDOM", "", 1);
    const auto& [scenario, kind] = GetParam();
    std::optional<Trial> trial;
    try {
        trial.emplace(scenario);
    } catch (const Error& error) {  // On all ranks.
        ASSERT_EQ(error.code(), ErrorCode::not_available) << error.what();
        GTEST_SKIP() << error.what();
    }
    const long calls = trial->calls(kind);
    const long samples = std::min<long>(calls, samples_of(scenario));
    if (samples == 0) GTEST_SKIP() << "nothing to fail";
    Held before;
    long errors = 0;
    for (long i = 0; i < samples; ++i) {
        // Other calls for each victim, and at other numbers of ranks, so that together they miss
        // few.
        for (int which = 0; which < 3; ++which) {
            const int victim = which == 0 ? -1 : (which == 1 ? 0 : world_size() - 1);
            const long sample = 3 * (3 * i + which) + world_size() % 3;
            const long number = sample * calls / (9 * samples);
            if (trial->fail(kind, number, victim)) ++errors;
        }
        // The first round makes what stays with the process.
        if (i == 0) before = Held::by_process();
    }
    const Held after = Held::by_process();
    EXPECT_LE(after.files, before.files);
    EXPECT_LE(after.mappings, before.mappings);
    // Where shared memory fails, messages may do, and where one method fails, the tuning passes it
    // over. One rank makes few calls of MPI that matter.
    const bool matters = kind == Fault::allocation || (kind == Fault::mpi && world_size() > 1);
    if (matters && !scenario.passes_over) {
        // Samples may all be of calls that can be done without.
        EXPECT_TRUE(any_rank(errors > 0) || some_call_matters(*trial, kind, calls));
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Faults,
                         ::testing::Combine(::testing::ValuesIn(scenarios),
                                            ::testing::Values(Fault::allocation, Fault::exhaustion,
                                                              Fault::system, Fault::mpi)),
                         [](const auto& about) { return name_of(about.param); });

}  // namespace
}  // namespace weft::test
