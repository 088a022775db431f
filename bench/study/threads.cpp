#include "study/threads.hpp"

#include <pthread.h>

#include <cstdlib>

#include "fft/team_engine.hpp"
#include "model/default_plan.hpp"
#include "weft/error.hpp"

#ifdef WEFT_STUDY_FFTW_THREADS
#include <fftw3.h>
#endif
#ifdef WEFT_STUDY_MKL
#include "fft/dfti.hpp"
#endif

namespace weft::study {

namespace {

/// The cores that this process was given, and those of the calling thread. MKL's OpenMP binds the
/// thread that calls it first to one core (KMP_AFFINITY), and threads that it starts later would
/// share that.
class Cores {
  public:
    Cores() { pthread_getaffinity_np(pthread_self(), sizeof(set_), &set_); }
    void give() const { pthread_setaffinity_np(pthread_self(), sizeof(set_), &set_); }

  private:
    cpu_set_t set_{};
};
const Cores all_cores;

/// As many threads as wanted, on all cores.
std::unique_ptr<core::Team> team(int threads) {
    const Cores bound;
    all_cores.give();
    auto result = std::make_unique<core::Team>(threads);
    bound.give();
    return result;
}

/// A plan and the threads that it is shared among.
class TeamsPlan : public core::FftPlan {
  public:
    TeamsPlan(const core::FftEngine& engine, int threads, const core::FftTask& task, Effort effort,
              std::byte* from, std::byte* to)
        : team_(team(threads)),
          engine_(engine, *team_, core::core_rates(core::modest_machine(), engine.name())),
          plan_(engine_.plan(task, effort, from, to)) {}
    void execute(std::byte* from, std::byte* to) override { plan_->execute(from, to); }

  private:
    std::unique_ptr<core::Team> team_;
    core::TeamEngine engine_;
    std::unique_ptr<core::FftPlan> plan_;
};

[[noreturn]] void not_available(const char* why) { throw Error(ErrorCode::not_available, why); }

std::unique_ptr<core::FftPlan> fftw_plan(int threads, const core::FftTask& task, Effort effort,
                                         std::byte* from, std::byte* to) {
#ifdef WEFT_STUDY_FFTW_THREADS
    static const bool ready = fftw_init_threads() != 0;
    if (!ready) not_available("FFTW's threads do not start");
    if (task.line.precision != Precision::f64)
        not_available("FFTW's threads are measured on doubles only");
    struct Threads {
        explicit Threads(int count) { fftw_plan_with_nthreads(count); }
        ~Threads() { fftw_plan_with_nthreads(1); }
        Threads(const Threads&) = delete;
        Threads& operator=(const Threads&) = delete;
    };
    const Threads while_planning(threads);
    return core::engine("fftw").plan(task, effort, from, to);
#else
    (void)threads, (void)task, (void)effort, (void)from, (void)to;
    not_available("built without FFTW's threads (libfftw3_threads)");
#endif
}

#ifdef WEFT_STUDY_MKL
class MklPlan : public core::FftPlan {
  public:
    MklPlan(int threads, const core::FftTask& task) : backward_(task.line.sign > 0) {
        std::vector<MKL_LONG> lengths;
        for (const core::Loop& axis : task.axes()) lengths.push_back(axis.extent);
        const bool real = task.line.kind != Kind::c2c;
        check(core::dfti().create(&handle_.value, DFTI_DOUBLE, real ? DFTI_REAL : DFTI_COMPLEX,
                                  static_cast<MKL_LONG>(lengths.size()), lengths.data()));
        check(core::dfti().set(handle_.value, DFTI_PLACEMENT, DFTI_NOT_INPLACE));
        if (real) {
            check(core::dfti().set(handle_.value, DFTI_CONJUGATE_EVEN_STORAGE,
                                   static_cast<MKL_LONG>(DFTI_COMPLEX_COMPLEX)));
            check(core::dfti().set(handle_.value, DFTI_INPUT_STRIDES,
                                   strides(task, &core::Loop::from).data()));
            check(core::dfti().set(handle_.value, DFTI_OUTPUT_STRIDES,
                                   strides(task, &core::Loop::to).data()));
        }
        check(core::dfti().set(handle_.value, DFTI_THREAD_LIMIT, static_cast<MKL_LONG>(threads)));
        check(core::dfti().commit(handle_.value));
    }

    void execute(std::byte* from, std::byte* to) override {
        check(backward_ ? core::dfti().backward(handle_.value, from, to)
                        : core::dfti().forward(handle_.value, from, to));
    }

  private:
    static std::vector<MKL_LONG> strides(const core::FftTask& task, Index core::Loop::*side) {
        std::vector<MKL_LONG> result = {0};
        for (const core::Loop& axis : task.axes()) result.push_back(axis.*side);
        return result;
    }
    static void check(MKL_LONG status) {
        if (status != DFTI_NO_ERROR) not_available(core::dfti().message(status));
    }

    struct Handle {
        DFTI_DESCRIPTOR_HANDLE value = nullptr;
        Handle() = default;
        Handle(const Handle&) = delete;
        Handle& operator=(const Handle&) = delete;
        ~Handle() { core::dfti().free(&value); }
    };

    bool backward_;
    Handle handle_;
};
#endif

std::unique_ptr<core::FftPlan> mkl_plan(int threads, const core::FftTask& task) {
#ifdef WEFT_STUDY_MKL
    if (std::getenv("MKL_THREADING_LAYER") == nullptr) {
        not_available("for MKL's threads, set MKL_THREADING_LAYER=INTEL (or GNU)");
    }
    const bool known = task.line.precision == Precision::f64 && task.looped.empty() &&
                       !task.complex_axes.empty() && !task.in_place;
    if (!known) not_available("MKL's threads are measured on arrays of doubles only");
    return std::make_unique<MklPlan>(threads, task);
#else
    (void)threads, (void)task;
    not_available("built without MKL");
#endif
}

}  // namespace

std::unique_ptr<core::FftPlan> plan(const std::string& engine, int threads,
                                    const core::FftTask& task, Effort effort, std::byte* from,
                                    std::byte* to) {
    if (threads == 1) return core::engine(engine).plan(task, effort, from, to);
    if (engine == "fftw") return fftw_plan(threads, task, effort, from, to);
    if (engine == "mkl") return mkl_plan(threads, task);
    return std::make_unique<TeamsPlan>(core::engine(engine), threads, task, effort, from, to);
}

}  // namespace weft::study
