#include "planner.hpp"

#include <dlfcn.h>
#include <fftw3-mpi.h>

#include <atomic>
#include <cstdio>
#include <optional>

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
    if ((flags & FFTW_ESTIMATE) != 0) return TuningEffort::estimate;
    const bool exhaustive = (flags & FFTW_EXHAUSTIVE) != 0;
    if (!exhaustive && (flags & FFTW_PATIENT) == 0) return TuningEffort::none;
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
void set_conditions(Tuning& tuning, const Mapping& mapping) {
    tuning.plain_arrays = true;
    const Tuning unsaid;
    if (tuning.forward != unsaid.forward || tuning.backward != unsaid.backward) return;
    (mapping.backward ? tuning.forward : tuning.backward) = 0;
}

Choice choice_of(const Call& call, const Mapping& mapping) {
    Choice result = parse_choice(settings().choice);
    if (const int threads = planner_threads(call); threads > 1 && result.threads == 1) {
        result.threads = threads;
    }
    Tuning& tuning = result.tuning;
    if (tuning.effort == TuningEffort::none) {
        tuning.effort = tuning_effort(call.flags);
        tuning.limit = tuning_limit(tuning.effort);
        const bool tuned =
            tuning.effort != TuningEffort::none && tuning.effort != TuningEffort::estimate;
        // Nothing but the exchange takes time, and a region saves the copies of messages.
        if (call.family == Family::transpose && result.via.empty() && !tuned) result.via = "shared";
    }
    set_conditions(tuning, mapping);
    return result;
}

void log(const Call& call, const char* runner, const std::string& reason) {
    int rank = 0;
    MPI_Comm_rank(call.comm, &rank);
    if (!settings().log || rank != 0) return;
    std::fprintf(stderr, "weft: %s%s: %s: %s\n", library_of(call), to_string(call).c_str(), runner,
                 reason.c_str());
}

/// Whether all ranks gave one array for both ends. A rank that owns nothing may have given two null
/// pointers, which look like one array.
bool in_place_on_all(const Call& call) {
    int differ = call.in != call.out ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_LOR, call.comm);
    return differ == 0;
}

/// The handle of weft's plan, or null and the reason why there is none, the same on every rank.
void* try_weft(const Call& call, std::string& reason) {
    if (settings().mode == Mode::off) {
        reason = "WEFT_FFTW=off";
        return nullptr;
    }
    int ranks = 0;
    MPI_Comm_size(call.comm, &ranks);
    reason = map(call, ranks, false).refusal;
    if (!reason.empty()) return nullptr;
    const Mapping mapping = map(call, ranks, in_place_on_all(call));
    if (!has_free_handle()) {
        reason = "too many plans are alive";
        return nullptr;
    }
    auto plan = std::make_unique<WeftPlan>(call, mapping, choice_of(call, mapping));
    reason = plan->text();
    return add_handle(std::move(plan));
}

void* try_or_explain(const Call& call, std::string& reason) {
    // FFTW's own planner inside weft has limits of its own.
    const UnlimitedFftw unlimited(call.precision);
    try {
        return try_weft(call, reason);
    } catch (const std::exception& error) {
        reason = error.what();
        return nullptr;
    }
}

void report_no_one(const Call& call, const std::string& reason) {
    int rank = 0;
    MPI_Comm_rank(call.comm, &rank);
    if (rank != 0) return;
    std::fprintf(stderr,
                 "weft: %s%s: no plan: %s, and FFTW's MPI library, to which the call would be "
                 "passed on, is not there\n",
                 library_of(call), to_string(call).c_str(), reason.c_str());
}

}  // namespace

void* make_plan(const Call& call, const std::function<void*()>& pass_on) {
    std::string reason;
    void* handle = try_or_explain(call, reason);
    if (handle != nullptr) {
        log(call, "weft", reason);
        return handle;
    }
    if (!pass_on) {
        report_no_one(call, reason);
        return nullptr;
    }
    log(call, "passed on to FFTW", reason);
    return pass_on();
}

void set_time_limit(double seconds) { time_limit = seconds; }

}  // namespace weft::fftw
