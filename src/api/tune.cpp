#include "api/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "api/known_plan.hpp"
#include "api/state.hpp"
#include "exchange/via.hpp"
#include "fft/engine.hpp"
#include "model/machine_file.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "plan/choice.hpp"
#include "plan/fuse.hpp"
#include "weft/allocate.hpp"

namespace weft {

namespace {

/// Arrays of the kind that the caller has.
class TuningArray {
  public:
    TuningArray(Index bytes, bool plain) : bytes_(bytes), plain_(plain) {
        data_ = static_cast<std::byte*>(plain ? core::allocate_bytes(bytes)
                                              : detail::allocate_bytes(bytes));
        std::fill_n(data_, bytes, std::byte{0});
    }
    ~TuningArray() { plain_ ? core::free_bytes(data_) : detail::free_bytes(data_); }
    TuningArray(const TuningArray&) = delete;
    TuningArray& operator=(const TuningArray&) = delete;

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] Index bytes() const { return bytes_; }

  private:
    Index bytes_;
    bool plain_;
    std::byte* data_;
};

/// Seconds of the slowest rank, in each direction.
struct Seconds {
    double forward = 0;
    double backward = 0;
};

/// Binds and times choices, all ranks the same ones.
class Stopwatch {
  public:
    Stopwatch(MPI_Comm comm, const core::Topology& nodes, const Problem& problem, bool plain)
        : comm_(comm), nodes_(nodes), problem_(problem), plain_(plain) {}

    /// Collective. Throws the same Error on every rank. The first run is not timed: it reaches
    /// memory that nothing has touched before.
    Seconds time(const Choice& choice, bool forward, bool backward) {
        std::optional<Plan> plan;
        core::all_or_none(comm_, [&] {
            int ranks = 0;
            Plan::State state;
            core::check_mpi(MPI_Comm_size(comm_, &ranks), "MPI_Comm_size");
            core::check_mpi(MPI_Comm_rank(comm_, &state.rank), "MPI_Comm_rank");
            state.plan = core::make_plan(problem_, choice, ranks);
            state.comm = comm_;
            state.environment = core::environment_of(state.plan, nodes_);
            provide(in_, state.plan.at.front().bytes(state.rank), state.plan);
            provide(out_, state.plan.at.back().bytes(state.rank), state.plan);
            plan = Internals::plan(state);
        });
        void* const in = in_->data();
        Transform transform = plan->bind_untyped(in, problem_.in_place ? in : out_->data());
        Seconds seconds;
        if (forward) seconds.forward = time(transform, false);
        if (backward) seconds.backward = time(transform, true);
        return seconds;
    }

  private:
    void provide(std::unique_ptr<TuningArray>& array, Index bytes, const core::Plan& plan) const {
        if (problem_.in_place) {
            int rank = 0;
            MPI_Comm_rank(comm_, &rank);
            bytes = std::max(plan.at.front().bytes(rank), plan.at.back().bytes(rank));
        }
        if (array && array->bytes() >= bytes) return;
        array.reset();
        array = std::make_unique<TuningArray>(std::max<Index>(bytes, 64), plain_);
    }

    double time(Transform& transform, bool backward) const {
        double took = 0;
        for (int run = 0; run < 2; ++run) {
            core::all_or_none(comm_, [] {});  // They start together.
            core::all_or_none(comm_, [&] {
                const double start = MPI_Wtime();
                backward ? transform.backward() : transform.forward();
                took = MPI_Wtime() - start;
            });
        }
        double slowest = 0;
        core::all_or_none(comm_, [&] {
            core::check_mpi(MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm_),
                            "MPI_Allreduce");
        });
        return slowest;
    }

    MPI_Comm comm_;
    const core::Topology& nodes_;
    const Problem& problem_;
    bool plain_;
    std::unique_ptr<TuningArray> in_;
    std::unique_ptr<TuningArray> out_;
};

/// Collective. The methods and engines that all ranks can run.
core::Means means_of(MPI_Comm comm, const core::Topology& nodes, const core::Amounts& amounts) {
    core::Means means;
    means.nodes = nodes;
    means.by_move = amounts.by_move;
    means.shrinks = amounts.shrinks;
    for (const core::Method& method : core::methods()) {
        bool possible = false;
        core::all_or_none(comm, [&] {
            possible = core::why_unavailable(method.via.how()).empty();
            if (possible) means.vias.emplace_back(method.name);
        });
        if (core::on_any_rank(comm, !possible) && possible) means.vias.pop_back();
    }
    for (const core::EngineInfo& info : core::engines()) {
        const bool usable = !core::attempt([&] { (void)core::engine(info.name); }).happened;
        const bool everywhere = !core::on_any_rank(comm, !usable);
        core::all_or_none(comm, [&] {
            if (everywhere && info.name != "reference") means.engines.emplace_back(info.name);
        });
    }
    return means;
}

/// The description that predictions start from, with the nodes that are there.
core::Machine machine_of(const core::Topology& nodes, int ranks) {
    core::Machine machine = core::named_machine(core::default_machine);
    std::vector<int> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int> sizes = nodes.sizes(all);
    machine.ranks_per_node = *std::max_element(sizes.begin(), sizes.end());
    return machine;
}

/// `FB CHOICE`: what rank 0 tells the others to run; empty: the end.
std::string command_text(const core::NextRun& run, const core::Tuner& tuner) {
    return fmt::format("{}{} {}", run.forward ? 'F' : '-', run.backward ? 'B' : '-',
                       to_string(tuner.trial(run.trial).plan.choice));
}

/// One tuning: what rank 0 decides, all ranks do.
class TuningRun {
  public:
    TuningRun(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
              const Choice& constraint, const Tuning& tuning, const TuningObserver& observer)
        : comm_(comm),
          tuning_(tuning),
          observer_(observer),
          start_(MPI_Wtime()),
          stopwatch_(comm, nodes, problem, tuning.plain_arrays) {
        const core::Amounts amounts = core::amounts_of(tuning.effort);
        const core::Means means = means_of(comm, nodes, amounts);
        core::all_or_none(comm, [&] {
            int ranks = 0;
            core::check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
            core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
            if (rank_ != 0) return;
            tuner_.emplace(problem, constraint, ranks, means, machine_of(nodes, ranks), amounts,
                           core::Weights{tuning.forward, tuning.backward});
        });
    }

    /// Collective. Where to start from, if something is known of a similar case.
    void suggest(const std::optional<Choice>& start) {
        core::all_or_none(comm_, [&] {
            if (tuner_ && start) tuner_->suggest(*start);
        });
    }
    /// Collective.
    void run() {
        while (step()) {
        }
    }
    /// Collective: the winner's choice.
    Choice best() {
        std::string mine;
        core::all_or_none(comm_, [&] {
            if (rank_ != 0) return;
            outcome_ = tuner_->outcome();
            mine = to_string(outcome_->trials[outcome_->winner].plan.choice);
        });
        const std::string text = core::broadcast_text(comm_, 0, mine);
        Choice choice;
        core::all_or_none(comm_, [&] { choice = parse_choice(text); });
        return choice;
    }
    [[nodiscard]] std::optional<core::Outcome>& outcome() { return outcome_; }
    [[nodiscard]] double spent() const { return MPI_Wtime() - start_; }

  private:
    [[nodiscard]] double left() const {
        if (tuning_.limit < 0) return std::numeric_limits<double>::infinity();
        return tuning_.limit - spent();
    }

    /// On rank 0.
    std::string next_command() {
        // Most of the time is for runs.
        constexpr double share = 0.25;
        const auto may_think = [&] {
            return tuning_.limit < 0 || thought_ < share * tuning_.limit;
        };
        const double before = spent();
        const double thought_before = thought_;
        while (may_think() && tuner_->think()) thought_ = thought_before + spent() - before;
        const auto run = tuner_->ask(left());
        return run ? command_text(*run, *tuner_) : "";
    }

    /// Whether there was something to run.
    bool step() {
        const double before = spent();
        std::string mine;
        core::all_or_none(comm_, [&] {
            if (rank_ == 0) mine = next_command();
        });
        const std::string command = core::broadcast_text(comm_, 0, mine);
        if (command.empty()) return false;
        Seconds seconds;
        const core::Failure failure = core::attempt([&] {
            Choice choice;
            core::all_or_none(comm_, [&] {
                choice = parse_choice(command.substr(3));
                if (observer_.before) observer_.before(choice);
            });
            seconds = stopwatch_.time(choice, command[0] == 'F', command[1] == 'B');
        });
        core::all_or_none(comm_, [&] {
            if (rank_ != 0) return;
            const double took = spent() - before;
            if (failure.happened) {
                tuner_->fail(failure.message, took);
            } else {
                tuner_->tell(seconds.forward, seconds.backward, took);
            }
            if (observer_.after) observer_.after(tuner_->last(), left());
        });
        return true;
    }

    MPI_Comm comm_;
    const Tuning& tuning_;
    const TuningObserver& observer_;
    double start_;
    double thought_ = 0;  ///< seconds
    int rank_ = 0;
    Stopwatch stopwatch_;
    std::optional<core::Tuner> tuner_;  ///< on rank 0
    std::optional<core::Outcome> outcome_;
};

core::Measured measured(const core::Trial& trial) {
    const auto [low, high] = std::minmax_element(trial.seconds.begin(), trial.seconds.end());
    return {core::median(trial.seconds), *low, *high, static_cast<int>(trial.seconds.size())};
}

core::Evidence evidence_of(const core::Outcome& outcome, const Tuning& tuning, double spent) {
    core::Evidence evidence;
    evidence.tuning = to_string(tuning.effort);
    evidence.spent = spent;
    evidence.evaluations = outcome.evaluations;
    for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
        const core::Trial& trial = outcome.trials[i];
        if (i == outcome.winner) {
            evidence.winner = measured(trial);
            if (outcome.interval) evidence.winner.low = outcome.interval->low;
            if (outcome.interval) evidence.winner.high = outcome.interval->high;
        } else if (trial.has_run()) {
            core::Loser loser{to_string(trial.plan.choice), {}, trial.dropped};
            if (!trial.failed) loser.time = measured(trial);
            evidence.losers.push_back(std::move(loser));
        }
    }
    return evidence;
}

/// What wisdom has to know besides the constraint.
std::string conditions_of(const Tuning& tuning) {
    Tuning conditions = tuning;
    conditions.effort = TuningEffort::none;
    conditions.limit = -1;
    return conditions == Tuning{} ? "" : to_string(conditions);
}

/// Whether a known plan may be run to see if it takes as long as is remembered.
bool may_check(const KnownPlan& known, const Tuning& tuning) {
    if (!known.choice || !known.entry || tuning.effort == TuningEffort::frozen) return false;
    // Two runs in each direction, and as much again for all that belongs to them.
    constexpr double runs = 8;
    return tuning.limit < 0 || tuning.limit > runs * known.entry->evidence.winner.high;
}

/// Collective: runs what is known. On rank 0 whether it takes another time now, or fails; otherwise
/// empty.
std::string stale_text_of(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
                          const Tuning& tuning, const KnownPlan& known) {
    Seconds took;
    try {
        Stopwatch stopwatch(comm, nodes, problem, tuning.plain_arrays);
        took = stopwatch.time(*known.choice, tuning.forward > 0, tuning.backward > 0);
    } catch (const Error& error) {  // On all ranks.
        return error.what();
    }
    const double seconds = (tuning.forward * took.forward + tuning.backward * took.backward) /
                           (tuning.forward + tuning.backward);
    std::string text;
    core::all_or_none(comm, [&] {
        if (core::is_stale(*known.entry, seconds)) {
            text = core::stale_text(*known.entry, seconds);
        }
    });
    return text;
}

}  // namespace

TunedPlan tuned_plan(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
                     const Choice& constraint, const Tuning& tuning,
                     const TuningObserver& observer) {
    std::optional<PlanQuestion> question;
    int ranks = 0;
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
        question =
            PlanQuestion{problem, constraint, conditions_of(tuning), to_string(tuning.effort)};
    });
    TunedPlan result;
    const KnownPlan known = known_plan(comm, nodes, *question);
    std::optional<Choice> best = known.choice;
    if (tuning.effort == TuningEffort::frozen) best = require_known(known);
    std::string known_text = known.why;
    if (observer.checks_known && may_check(known, tuning)) {
        known_text = stale_text_of(comm, nodes, problem, tuning, known);
    }
    if (!best) {
        TuningRun run(comm, nodes, problem, constraint, tuning, observer);
        run.suggest(known.start);
        run.run();
        best = run.best();
        result.outcome = std::move(run.outcome());
        // A plan that little was tried for is not to be taken for the fastest one later.
        constexpr int enough = 6;
        core::Evidence evidence;
        int evaluations = 0;
        core::all_or_none(comm, [&] {
            if (!result.outcome) return;
            const core::Trial& winner = result.outcome->trials[result.outcome->winner];
            if (winner.seconds.empty()) return;
            evidence = evidence_of(*result.outcome, tuning, run.spent());
            evaluations = evidence.evaluations;
        });
        if (core::highest(comm, evaluations) >= enough) {
            (void)remember_plan(comm, nodes, *question, *best, std::move(evidence));
        }
    }
    core::all_or_none(comm, [&] {
        result.known = known_text;
        result.plan = core::make_plan(problem, *best, ranks);
    });
    core::require_same(comm, "the plan that tuning found",
                       [&] { return core::to_string(result.plan); });
    return result;
}

}  // namespace weft
