#include "planner.hpp"

#include <dlfcn.h>
#include <fftw3-mpi.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <optional>

#include "agreement.hpp"
#include "behind.hpp"
#include "handles.hpp"
#include "settings.hpp"

namespace weft::fftw {

namespace {

std::atomic<double> time_limit{FFTW_NO_TIMELIMIT};

/// Seconds that planning may take where the program sets no limit. FFTW_EXHAUSTIVE would otherwise
/// run every plan that can be made.
constexpr double patient_seconds = 10;
constexpr double exhaustive_seconds = 60;

const char* library_of(const Call& call) {
    return call.precision == Precision::f64 ? "fftw_mpi_" : "fftwf_mpi_";
}

/// Takes the program's time limit from FFTW's planner while this lives. Ranks that plan one of
/// FFTW's transposes (via=fftw) under a limit may come to different plans, and wait for ever.
class UnlimitedFftw {
  public:
    explicit UnlimitedFftw(Precision precision)
        : set_(reinterpret_cast<void (*)(double)>(
              behind(precision == Precision::f64 ? "fftw_set_timelimit" : "fftwf_set_timelimit"))) {
        if (time_limit >= 0) set_(FFTW_NO_TIMELIMIT);
    }
    ~UnlimitedFftw() {
        if (time_limit >= 0) set_(time_limit);
    }
    UnlimitedFftw(const UnlimitedFftw&) = delete;
    UnlimitedFftw& operator=(const UnlimitedFftw&) = delete;

  private:
    void (*set_)(double);
};

/// Threads that the program has told FFTW's planner to use, if it uses FFTW's threads.
int planner_threads(const Call& call) {
    const char* name =
        call.precision == Precision::f64 ? "fftw_planner_nthreads" : "fftwf_planner_nthreads";
    const auto ask = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
    return ask == nullptr ? 1 : ask();
}

/// FFTW_ESTIMATE and FFTW_MEASURE take weft's default plan, which needs no measuring; the rigours
/// above measure whole transforms in the direction that the program asked for.
TuningEffort tuning_effort(unsigned flags) {
    const bool exhaustive = (flags & FFTW_EXHAUSTIVE) != 0;
    if ((flags & FFTW_ESTIMATE) != 0 || (!exhaustive && (flags & FFTW_PATIENT) == 0)) {
        return TuningEffort::none;
    }
    if ((flags & FFTW_WISDOM_ONLY) != 0) return TuningEffort::frozen;
    return exhaustive ? TuningEffort::exhaustive : TuningEffort::patient;
}

/// Seconds that tuning may take: the program's, or those of the rigour.
std::optional<double> tuning_limit(TuningEffort effort) {
    if (effort != TuningEffort::patient && effort != TuningEffort::exhaustive) return std::nullopt;
    if (const double limit = time_limit; limit >= 0) return limit;
    return effort == TuningEffort::patient ? patient_seconds : exhaustive_seconds;
}

/// The key of wisdom has these, so they depend on the call and never on the effort: what is found
/// with FFTW_PATIENT is asked for with FFTW_WISDOM_ONLY.
void set_conditions(Tuning& tuning, const Call& call) {
    tuning.plain_arrays = true;
    const Tuning unsaid;
    if (tuning.forward != unsaid.forward || tuning.backward != unsaid.backward) return;
    (is_backward(call) ? tuning.forward : tuning.backward) = 0;
}

/// What the variable and the flags ask for.
Choice choice_of(const Call& call) {
    Choice result = parse_choice(settings().choice);
    if (const int threads = planner_threads(call); threads > 1 && result.threads == 1) {
        result.threads = threads;
    }
    Tuning& tuning = result.tuning;
    if (tuning.effort == TuningEffort::none) {
        tuning.effort = tuning_effort(call.flags);
        tuning.limit = tuning_limit(tuning.effort);
        const bool tuned = tuning.effort != TuningEffort::none;
        // Nothing but the exchange takes time, and a region saves the copies of messages.
        if (call.family == Family::transpose && result.via.empty() && !tuned) result.via = "shared";
    }
    return result;
}

/// A line on stderr, from rank 0.
void print(const Call& call, const std::string& text) {
    int rank = 0;
    MPI_Comm_rank(call.comm, &rank);
    if (rank != 0) return;
    std::fprintf(stderr, "weft: %s%s: %s\n", library_of(call), to_string(call).c_str(),
                 text.c_str());
}

void log(const Call& call, const std::string& text) {
    if (settings().log) print(call, text);
}

/// What the call comes to here, for the other ranks to compare with.
std::string meaning_here(const Call& call, int ranks, bool in_place) {
    const std::string result = meaning(call, ranks, in_place);
    if (settings().mode == Mode::off) return result + "; WEFT_FFTW=off";
    try {
        const Choice choice = choice_of(call);
        return choice == Choice{} ? result : result + "; " + weft::to_string(choice);
    } catch (const Error& error) {  // The choice is none, which is told when a plan is made.
        return result + "; " + error.what();
    }
}

/// The handle of weft's plan and, for the log, its text; or null and the reason why there is none,
/// the same on every rank.
void* try_weft(const Call& call, int ranks, bool in_place, std::string& reason) {
    if (settings().mode == Mode::off) {
        reason = "WEFT_FFTW=off";
        return nullptr;
    }
    const Mapping mapping = map(call, ranks, in_place);
    reason = mapping.refusal;
    if (!reason.empty()) return nullptr;
    if (on_any_rank(call.comm, !has_free_handle())) {
        reason = "too many plans are alive";
        return nullptr;
    }
    Choice choice = choice_of(call);
    set_conditions(choice.tuning, call);
    auto plan = std::make_unique<WeftPlan>(call, mapping, choice);
    if (settings().log) reason = plan->text();
    return add_handle(std::move(plan));
}

void* try_or_explain(const Call& call, int ranks, bool in_place, std::string& reason) {
    // FFTW's own planner inside weft has limits of its own.
    const UnlimitedFftw unlimited(call.precision);
    try {
        return try_weft(call, ranks, in_place, reason);
    } catch (const std::exception& error) {
        reason = error.what();
        return nullptr;
    }
}

/// Throws Disagreement on all ranks.
void* plan_agreed(const Call& call, const std::function<void*()>& pass_on) {
    int ranks = 0;
    MPI_Comm_size(call.comm, &ranks);
    const bool in_place = is_in_place(call);
    require_same(call.comm, "the call", meaning_here(call, ranks, in_place));
    std::string reason;
    void* handle = try_or_explain(call, ranks, in_place, reason);
    if (handle != nullptr) {
        log(call, "weft: " + reason);
        return handle;
    }
    if (!pass_on) {
        print(call, "no plan: " + reason +
                        ", and FFTW's MPI library, to which the call would be passed on, is not "
                        "there");
        return nullptr;
    }
    // Flags that are one plan to weft are two to FFTW.
    require_same(call.comm, "the flags", fmt::format("{:#x}", call.flags));
    log(call, "passed on to FFTW: " + reason);
    return pass_on();
}

}  // namespace

void* make_plan(const Call& call, const std::function<void*()>& pass_on) {
    try {
        return plan_agreed(call, pass_on);
    } catch (const Disagreement& found) {
        print(call, std::string("no plan: ") + found.what());
        return nullptr;
    }
}

void set_time_limit(double seconds) { time_limit = seconds; }

}  // namespace weft::fftw
