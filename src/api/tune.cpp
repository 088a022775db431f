#include "api/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "api/described_machine.hpp"
#include "api/device_here.hpp"
#include "api/estimate.hpp"
#include "api/known_plan.hpp"
#include "api/stopwatch.hpp"
#include "api/transports.hpp"
#include "api/usable_engines.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_cores.hpp"
#include "plan/choice.hpp"
#include "tune/evidence.hpp"
#include "tune/methods.hpp"

namespace weft {

namespace {

/// Collective. The methods and engines that all ranks can run.
core::Means means_of(MPI_Comm comm, const core::Topology& nodes, const core::Amounts& amounts,
                     const Space& space) {
    core::Means means;
    means.nodes = nodes;
    means.by_move = amounts.by_move;
    means.shrinks = amounts.shrinks;
    if (amounts.threads) means.most_threads = core::cores_of_each_rank(comm, nodes);
    means.vias = methods_of_all(comm, space);
    means.engines = engines_of_all(comm, space);
    return means;
}

/// What rank 0 tells the others to run.
struct Command {
    std::string text{};  ///< `FB CHOICE`, the directions first; empty: the end
    RunLimits limits{};
};

/// Collective: rank 0's, on all ranks.
Command told(MPI_Comm comm, const Command& mine) {
    Command command{core::broadcast_text(comm, 0, mine.text), {}};
    std::array<double, 3> seconds = {mine.limits.binding, mine.limits.all, mine.limits.hopeless};
    core::all_or_none(comm, [&] {
        core::check_mpi(
            MPI_Bcast(seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, 0, comm),
            "MPI_Bcast");
    });
    command.limits = {seconds[0], seconds[1], seconds[2]};
    return command;
}

/// Seconds since tuning has begun, and what that leaves of its limit.
class Budget {
  public:
    explicit Budget(std::optional<double> limit) : limit_(limit), start_(MPI_Wtime()) {}
    [[nodiscard]] double spent() const { return MPI_Wtime() - start_; }
    [[nodiscard]] double left() const {
        return limit_ ? *limit_ - spent() : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] std::optional<double> limit() const { return limit_; }

  private:
    std::optional<double> limit_;
    double start_;
};

/// One tuning: what rank 0 decides, all ranks do.
class TuningRun {
  public:
    TuningRun(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
              const Choice& constraint, const Tuning& tuning, const Budget& budget,
              const TuningObserver& observer)
        : comm_(comm),
          observer_(observer),
          budget_(budget),
          stopwatch_(comm, nodes, problem, tuning.plain_arrays) {
        const core::Amounts amounts = core::amounts_of(tuning.effort);
        core::Means means = means_of(comm, nodes, amounts, constraint.space);
        if (constraint.reproducible) means.engines = {"native"};
        auto described = described_machine(comm, tuning.machine);
        if (described) leave_out_absent_devices(comm, constraint.space, *described);
        means.mpi_reaches_device = mpi_reaches(comm, constraint.space, described);
        core::all_or_none(comm, [&] {
            int ranks = 0;
            core::check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
            core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
            if (rank_ != 0) return;
            // Trials are planned for the machine that they are forecast on.
            const core::Machine machine = core::machine_of_nodes(described, nodes, ranks);
            means.described = machine;
            tuner_.emplace(problem, constraint, ranks, means, machine, amounts,
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

  private:
    /// On rank 0.
    Command next_command() {
        // Most of the time is for runs.
        constexpr double share = 0.25;
        const auto may_think = [&] {
            return !budget_.limit() || thought_ < share * *budget_.limit();
        };
        const double before = budget_.spent();
        const double thought_before = thought_;
        while (may_think() && tuner_->think()) {
            thought_ = thought_before + budget_.spent() - before;
        }
        const double left = budget_.left();
        const auto run = tuner_->ask(left);
        if (!run) return {};
        return {fmt::format("{}{} {}", run->forward ? 'F' : '-', run->backward ? 'B' : '-',
                            to_string(tuner_->trial(run->trial).plan.choice)),
                {run->binding, left, run->hopeless}};
    }

    /// Whether there was something to run.
    bool step() {
        const double before = budget_.spent();
        Command mine;
        core::all_or_none(comm_, [&] {
            if (rank_ == 0) mine = next_command();
        });
        const Command command = told(comm_, mine);
        if (command.text.empty()) return false;
        Seconds seconds;
        const core::Failure failure = core::attempt([&] {
            Choice choice;
            core::all_or_none(comm_, [&] {
                choice = parse_choice(command.text.substr(3));
                if (observer_.before) observer_.before(choice);
            });
            seconds = stopwatch_.time(choice, command.text[0] == 'F', command.text[1] == 'B',
                                      command.limits);
        });
        core::all_or_none(comm_, [&] {
            if (rank_ != 0) return;
            const double took = budget_.spent() - before - stopwatch_.preparing();
            const double binding = stopwatch_.binding();
            if (failure.happened) {
                tuner_->fail(failure.message, took, binding);
            } else {
                tuner_->tell(seconds.forward, seconds.backward, took, binding);
            }
            if (observer_.after) observer_.after(tuner_->last(), budget_.left());
        });
        return true;
    }

    MPI_Comm comm_;
    const TuningObserver& observer_;
    const Budget& budget_;
    double thought_ = 0;  ///< seconds
    int rank_ = 0;
    Stopwatch stopwatch_;
    std::optional<core::Tuner> tuner_;  ///< on rank 0
    std::optional<core::Outcome> outcome_;
};

/// Whether a known plan may be run to see if it takes as long as is remembered.
bool may_check(const KnownPlan& known, const Tuning& tuning) {
    if (!known.choice || !known.entry || tuning.effort == TuningEffort::frozen) return false;
    // Two runs in each direction, and as much again for all that belongs to them.
    constexpr double runs = 8;
    return !tuning.limit || *tuning.limit > runs * known.entry->evidence.winner.high;
}

/// Collective: runs what is known. On rank 0 whether it takes another time now, or fails; otherwise
/// empty.
std::string stale_text_of(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
                          const Tuning& tuning, const Budget& budget, const KnownPlan& known) {
    Seconds took;
    try {
        Stopwatch stopwatch(comm, nodes, problem, tuning.plain_arrays);
        const Command command = told(comm, {"", {budget.left(), budget.left()}});
        took =
            stopwatch.time(*known.choice, tuning.forward > 0, tuning.backward > 0, command.limits);
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

/// Collective: remembers what tuning has found, if enough was tried; why it is not kept in the
/// file, if so.
std::optional<std::string> remember(MPI_Comm comm, const core::Topology& nodes,
                                    const PlanQuestion& question, const Choice& best,
                                    const std::optional<core::Outcome>& outcome,
                                    const Budget& budget, const Tuning& tuning) {
    core::Evidence evidence;
    bool enough = false;
    core::all_or_none(comm, [&] {
        if (!outcome || outcome->trials[outcome->winner].seconds.empty()) return;
        evidence = core::evidence_of(*outcome, tuning.effort, budget.spent());
        // Where the limit has ended it early, a plan that little was tried for is not to be taken
        // for the fastest one later.
        constexpr int few = 6;
        enough = !outcome->cut_short || evidence.evaluations >= few;
    });
    if (!core::on_any_rank(comm, enough)) return std::nullopt;
    return remember_plan(comm, nodes, question, best, std::move(evidence), budget.left());
}

}  // namespace

namespace {

/// Collective. As weft explain prices it.
Estimated estimated(MPI_Comm comm, const core::Topology& nodes, const core::Plan& plan,
                    const std::optional<core::Machine>& described) {
    Estimated result;
    core::all_or_none(comm, [&] {
        const core::Machine machine = core::machine_of_nodes(described, nodes, plan.ranks);
        result = {core::price(plan, machine).seconds(), machine.name};
    });
    return result;
}

}  // namespace

TunedPlan tuned_plan(MPI_Comm comm, const core::Topology& nodes, const Problem& problem,
                     const Choice& asked, const Tuning& tuning, const TuningObserver& observer) {
    if (core::estimates_for_machine(tuning)) {
        core::Machine machine = *described_machine(comm, tuning.machine);
        leave_out_absent_devices(comm, asked.space, machine);
        TunedPlan result;
        result.plan = estimated_plan(comm, nodes, {problem, asked, 0, false}, machine);
        result.estimated = estimated(comm, nodes, result.plan, machine);
        return result;
    }
    // Tuning tries all engines anyway.
    Choice constraint;
    core::all_or_none(comm, [&] {
        constraint = asked;
        if (core::measures_engine(asked)) constraint.engine.clear();
    });
    const Budget budget(tuning.limit);
    std::optional<PlanQuestion> question;
    int ranks = 0;
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
        question = question_of(problem, constraint, tuning);
    });
    TunedPlan result;
    const KnownPlan known = known_plan(comm, nodes, *question);
    std::optional<Choice> best = known.choice;
    if (tuning.effort == TuningEffort::frozen) best = require_known(known);
    result.known = known.why;
    result.troubles = known.troubles;
    if (observer.checks_known && may_check(known, tuning)) {
        result.known = stale_text_of(comm, nodes, problem, tuning, budget, known);
    }
    if (!best) {
        TuningRun run(comm, nodes, problem, constraint, tuning, budget, observer);
        run.suggest(known.start);
        run.run();
        best = run.best();
        result.outcome = std::move(run.outcome());
        const auto trouble =
            remember(comm, nodes, *question, *best, result.outcome, budget, tuning);
        core::all_or_none(comm, [&] {
            if (trouble) result.troubles.push_back("what was found is not kept: " + *trouble);
        });
    }
    core::all_or_none(comm, [&] { result.plan = core::make_plan(problem, *best, ranks); });
    if (tuning.effort == TuningEffort::estimate) {
        result.estimated = estimated(comm, nodes, result.plan, described_machine(comm, ""));
    }
    core::require_same(comm, "the plan that tuning found",
                       [&] { return core::to_string(result.plan); });
    return result;
}

}  // namespace weft
