#include "api/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "api/state.hpp"
#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "fft/engine.hpp"
#include "fft/planning_limit.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "weft/allocate.hpp"

namespace weft {

/// An array of the kind that the caller has.
class TuningArray : core::NoCopy {
  public:
    TuningArray(Index bytes, bool plain) : bytes_(bytes), plain_(plain) {
        data_ = static_cast<std::byte*>(plain ? core::allocate_bytes(bytes)
                                              : detail::allocate_bytes(bytes));
    }
    /// Gives it all of its memory, and zeros; by that time of MPI_Wtime, or it throws.
    void fill(double end) {
        constexpr Index piece = Index{1} << 24;
        for (Index done = 0; done < bytes_; done += piece) {
            if (MPI_Wtime() > end) {
                throw Error(ErrorCode::not_available,
                            fmt::format("the time limit ended before an array of {} MiB for the "
                                        "transform was allocated",
                                        bytes_ >> 20));
            }
            std::fill_n(data_ + done, std::min(piece, bytes_ - done), std::byte{0});
        }
    }
    ~TuningArray() { plain_ ? core::free_bytes(data_) : detail::free_bytes(data_); }

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] Index bytes() const { return bytes_; }

  private:
    Index bytes_;
    bool plain_;
    std::byte* data_;
};

namespace {

/// Choices that stay bound.
constexpr std::size_t most_bound = 2;

[[noreturn]] void throw_too_long(double seconds, double left) {
    throw Error(ErrorCode::not_available,
                fmt::format("a transform takes {:.2g} s, which is more than the {:.2g} s that are "
                            "left of the limit",
                            seconds, std::max(left, 0.0)));
}

/// Seconds of the transforms of a program on one core, by the engine's estimate.
double estimate(const core::FftEngine& engine, const core::Program& program) {
    const core::CoreRates rates = core::core_rates(core::modest_machine(), engine.name());
    double seconds = 0;
    for (const core::Operation& operation : program.operations) {
        const auto* transform = std::get_if<core::TransformOp>(&operation.what);
        if (transform != nullptr) seconds += engine.cost(transform->task, rates);
    }
    return seconds;
}

}  // namespace

std::array<double, 2> slowest(MPI_Comm comm, std::array<double, 2> mine) {
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, mine.data(), 2, MPI_DOUBLE, MPI_MAX, comm),
                        "MPI_Allreduce");
    });
    return mine;
}

Stopwatch::Stopwatch(MPI_Comm comm, const core::Topology& nodes, const Problem& problem, bool plain)
    : comm_(comm), nodes_(nodes), problem_(problem), plain_(plain) {}
Stopwatch::~Stopwatch() = default;

void Stopwatch::operator()(const Choice& choice, const core::RunTerms& terms,
                           core::RunSeconds& took) {
    left_ = terms.all;
    find_or_bind(choice, terms, took);
    Bound& bound = bound_.back();
    try {
        const int others = terms.backward ? 1 : 0;
        if (terms.forward) took.forward = time(bound, false, others, terms);
        const bool is_behind = terms.forward && took.forward > terms.behind;
        if (is_behind) took.backward = took.forward;
        if (terms.backward && !is_behind) took.backward = time(bound, true, 0, terms);
    } catch (...) {
        bound_.pop_back();
        throw;
    }
    keep_fastest(std::max(terms.forward ? took.forward : 0, terms.backward ? took.backward : 0));
}

void Stopwatch::find_or_bind(const Choice& choice, const core::RunTerms& terms,
                             core::RunSeconds& took) {
    // To name the choice and to make room may fail on one rank: all ranks agree on it first.
    std::string text;
    core::all_or_none(comm_, [&] {
        text = to_string(choice);
        bound_.reserve(most_bound + 1);
    });
    const auto known = std::find_if(bound_.begin(), bound_.end(),
                                    [&](const Bound& one) { return one.choice == text; });
    if (known != bound_.end()) {
        std::rotate(known, known + 1, bound_.end());
        return;
    }
    double start = MPI_Wtime();
    const Plan plan = prepare(choice);
    took.preparing = slowest(comm_, {MPI_Wtime() - start})[0];
    left_ -= took.preparing;
    start = MPI_Wtime();
    try {
        bound_.push_back({std::move(text), bind(plan, std::min(terms.binding, left_))});
    } catch (...) {
        took.binding = MPI_Wtime() - start;
        throw;
    }
    took.binding = slowest(comm_, {MPI_Wtime() - start})[0];
    left_ -= took.binding;
    try {
        require_time_for(bound_.back().transform, choice);
    } catch (...) {
        bound_.pop_back();
        throw;
    }
}

void Stopwatch::keep_fastest(double seconds) {
    bound_.back().seconds = seconds;
    if (bound_.size() <= most_bound) return;
    bound_.erase(std::max_element(bound_.begin(), bound_.end(), [](const Bound& a, const Bound& b) {
        return a.seconds < b.seconds;
    }));
}

Plan Stopwatch::prepare(const Choice& choice) {
    std::optional<Plan> plan;
    bool grows = false;
    core::all_or_none(comm_, [&] {
        Plan::State state;
        state.rank = core::rank_in(comm_);
        state.plan = core::make_plan(problem_, choice, core::ranks_in(comm_));
        state.comm = comm_;
        state.environment = core::environment_of(state.plan, nodes_);
        grows = must_grow(state.plan);
        plan = Internals::plan(state);
    });
    // What is bound is so to the arrays that make room.
    if (core::on_any_rank(comm_, grows)) bound_.clear();
    core::all_or_none(comm_, [&] { provide(Internals::plan(*plan)); });
    return *plan;
}

bool Stopwatch::must_grow(const core::Plan& plan) const {
    const int rank = core::rank_in(comm_);
    const Index in = plan.at.front().bytes(rank);
    const Index out = plan.at.back().bytes(rank);
    const auto holds = [](const std::unique_ptr<TuningArray>& array, Index bytes) {
        return array && array->bytes() >= bytes;
    };
    if (problem_.in_place) return !holds(in_, std::max(in, out));
    return !holds(in_, in) || !holds(out_, out);
}

void Stopwatch::provide(const core::Plan& plan) {
    const int rank = core::rank_in(comm_);
    const double end = MPI_Wtime() + left_;  // of both arrays together
    const Index in = plan.at.front().bytes(rank);
    const Index out = plan.at.back().bytes(rank);
    provide(in_, problem_.in_place ? std::max(in, out) : in, end);
    if (!problem_.in_place) provide(out_, out, end);
}

void Stopwatch::provide(std::unique_ptr<TuningArray>& array, Index bytes, double end) const {
    if (array && array->bytes() >= bytes) return;
    array.reset();
    auto fresh = std::make_unique<TuningArray>(std::max<Index>(bytes, 64), plain_);
    fresh->fill(end);
    array = std::move(fresh);
}

Transform Stopwatch::bind(const Plan& plan, double limit) {
    const core::PlanningLimit planning(limit);
    return plan.bind_untyped(in_->data(), problem_.in_place ? in_->data() : out_->data());
}

void Stopwatch::require_time_for(const Transform& transform, const Choice& choice) const {
    core::all_or_none(comm_, [&] {
        // What a device takes is not estimated by its engine.
        if (core::Placements(choice).first().own_engines) return;
        // Estimates are good to a factor of two, on machines that may be faster than this one.
        constexpr double doubt = 4;
        const core::Programs& programs = Internals::programs(transform);
        const core::FftEngine& engine = core::engine(choice.engine);
        const double seconds = estimate(engine, programs.forward) / choice.threads;
        if (seconds > doubt * std::max(left_, 0.0)) throw_too_long(seconds, left_);
    });
}

double Stopwatch::time(Bound& bound, bool backward, int others, const core::RunTerms& terms) {
    // One that has run and is long need not fill caches first.
    Transform& transform = bound.transform;
    const Run first = run_once(transform, backward);
    left_ -= first.with_agreeing;
    if (bound.seconds > core::long_run) return first.seconds;
    if (others * first.seconds > left_) {
        core::all_or_none(comm_, [&] { throw_too_long(first.seconds, left_); });
    }
    // What one run of a short one takes says little, and the first one less.
    const bool is_hopeless = first.seconds > std::max(terms.hopeless, core::long_run);
    if ((1 + others) * first.seconds > left_ || is_hopeless) return first.seconds;
    constexpr int most = 9;
    const int runs = std::clamp(static_cast<int>(terms.timing / first.with_agreeing), 1, most);
    std::array<double, most> times{};
    for (int i = 0; i < runs; ++i) {
        const Run run = run_once(transform, backward);
        times[core::usize(i)] = run.seconds;
        left_ -= run.with_agreeing;
    }
    std::nth_element(times.begin(), times.begin() + runs / 2, times.begin() + runs);
    return times[core::usize(runs / 2)];
}

Stopwatch::Run Stopwatch::run_once(Transform& transform, bool backward) const {
    double seconds = 0;
    const double begin = MPI_Wtime();
    core::all_or_none(comm_, [] {});  // They start together.
    core::all_or_none(comm_, [&] {
        const double start = MPI_Wtime();
        backward ? transform.backward() : transform.forward();
        seconds = MPI_Wtime() - start;
    });
    const std::array<double, 2> slow = slowest(comm_, {seconds, MPI_Wtime() - begin});
    return {slow[0], slow[1]};
}

}  // namespace weft
