// The FFTW 3 engine, through its 64-bit guru interface.
#include <fftw3.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "base/mapped.hpp"
#include "base/next_function.hpp"
#include "base/no_copy.hpp"
#include "fft/engine.hpp"
#include "fft/kept_lines.hpp"
#include "fft/planning_limit.hpp"
#include "memory/buffer.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// FFTW's planner is not thread-safe; executing is.
std::mutex& planner_mutex() {
    static std::mutex mutex;
    return mutex;
}

/// The functions of one precision of FFTW, under names that both precisions have.
#define WEFT_FFTW_API(Api, Number, prefix)                                                   \
    struct Api {                                                                             \
        using Real = Number;                                                                 \
        using Complex = prefix##complex;                                                     \
        using Plan = prefix##plan;                                                           \
        static inline const auto c2c = WEFT_NEXT_FUNCTION(prefix##plan_guru64_dft);          \
        static inline const auto r2c = WEFT_NEXT_FUNCTION(prefix##plan_guru64_dft_r2c);      \
        static inline const auto c2r = WEFT_NEXT_FUNCTION(prefix##plan_guru64_dft_c2r);      \
        static inline const auto r2r = WEFT_NEXT_FUNCTION(prefix##plan_guru64_r2r);          \
        static inline const auto execute_c2c = WEFT_NEXT_FUNCTION(prefix##execute_dft);      \
        static inline const auto execute_r2c = WEFT_NEXT_FUNCTION(prefix##execute_dft_r2c);  \
        static inline const auto execute_c2r = WEFT_NEXT_FUNCTION(prefix##execute_dft_c2r);  \
        static inline const auto execute_r2r = WEFT_NEXT_FUNCTION(prefix##execute_r2r);      \
        static inline const auto destroy = WEFT_NEXT_FUNCTION(prefix##destroy_plan);         \
        static inline const auto alignment_of = WEFT_NEXT_FUNCTION(prefix##alignment_of);    \
        static inline const auto export_wisdom =                                             \
            WEFT_NEXT_FUNCTION(prefix##export_wisdom_to_string);                             \
        static inline const auto import_wisdom =                                             \
            WEFT_NEXT_FUNCTION(prefix##import_wisdom_from_string);                           \
        static inline const auto set_time_limit = WEFT_NEXT_FUNCTION(prefix##set_timelimit); \
        static inline const auto free = WEFT_NEXT_FUNCTION(prefix##free);                    \
    };
WEFT_FFTW_API(DoubleApi, double, fftw_)
WEFT_FFTW_API(FloatApi, float, fftwf_)
#undef WEFT_FFTW_API

std::vector<fftw_iodim64> dimensions(const std::vector<Loop>& loops) {
    return mapped(loops, [](const Loop& loop) {
        return fftw_iodim64{loop.extent, loop.from, loop.to};
    });
}

std::vector<fftw_r2r_kind> kinds_of(const FftTask& task) {
    std::vector<fftw_r2r_kind> result;
    for (const AxisKind kind : task.axis_kinds()) {
        switch (kind) {
#define WEFT_REAL_KIND(name, fftw)     \
    case AxisKind::name:               \
        result.push_back(FFTW_##fftw); \
        break;
#include "weft/real_kinds.def"
            default:
                throw std::logic_error("a real-to-real transform without a kind");
        }
    }
    return result;
}

/// Whether single-precision lines are an odd number of complex elements apart. FFTW 3.3.10 crashes
/// on some of them (4 lines of 6 every 7, say), because it takes all lines for as aligned as the
/// first.
bool unaligned(const FftTask& task) {
    if (task.any_alignment) return true;
    if (task.line.precision != Precision::f32) return false;
    const auto odd = [&](const Loop& loop) {
        const auto apart = [](Index step) { return step % 2 != 0 && std::abs(step) != 1; };
        const bool from = task.line.source().complex && apart(loop.from);
        return loop.extent > 1 && (from || (task.line.target().complex && apart(loop.to)));
    };
    const std::vector<Loop> axes = task.axes();
    return std::any_of(axes.begin(), axes.end(), odd) ||
           std::any_of(task.looped.begin(), task.looped.end(), odd);
}

unsigned flags(const FftTask& task, Effort effort) {
    unsigned result = task.may_destroy_input ? FFTW_DESTROY_INPUT : FFTW_PRESERVE_INPUT;
    if (unaligned(task)) result |= FFTW_UNALIGNED;
    switch (effort) {
        case Effort::automatic:
        case Effort::measure:
            return result | FFTW_MEASURE;
        case Effort::estimate:
            return result | FFTW_ESTIMATE;
        case Effort::patient:
            return result | FFTW_PATIENT;
    }
    return result;
}

/// Elements that one side of the task spans; a bound that holds for r2c axes too.
Index span(const FftTask& task, Index Loop::*stride) {
    Index last = 0;
    for (const Loop& axis : task.axes()) last += (axis.extent - 1) * axis.*stride;
    for (const Loop& loop : task.looped) last += (loop.extent - 1) * loop.*stride;
    return last + 1;
}

/// What is left for planning, as FFTW's limit, while this lives. Once it is over FFTW takes what it
/// has found so far: another plan than was asked for. The limit is FFTW's own, for all that it
/// plans later: transposes between ranks wait for ever where some ranks have one and others do not.
template <class Api>
class TimeLimit : NoCopy {
  public:
    TimeLimit() { Api::set_time_limit(planning_time_left().value_or(FFTW_NO_TIMELIMIT)); }
    ~TimeLimit() { Api::set_time_limit(FFTW_NO_TIMELIMIT); }
};

template <class Api>
class FftwPlan : public FftPlan {
  public:
    FftwPlan(const FftTask& task, Effort effort, std::byte* from, std::byte* to)
        : kind_(task.line.kind) {
        // Measuring overwrites the arrays, so it is done on others that are aligned alike.
        Buffer scratch_from;
        Buffer scratch_to;
        if (effort != Effort::estimate) {
            constexpr Index element = sizeof(typename Api::Complex);
            scratch_from = Buffer(span(task, &Loop::from) * element + alignment_slack);
            from = aligned_like(scratch_from, from);
            if (task.in_place) {
                to = from;
            } else {
                scratch_to = Buffer(span(task, &Loop::to) * element + alignment_slack);
                to = aligned_like(scratch_to, to);
            }
        }
        const auto dims = dimensions(task.axes());
        const auto loops = dimensions(task.looped);
        const int rank = static_cast<int>(dims.size());
        const int many = static_cast<int>(loops.size());
        const std::scoped_lock lock(planner_mutex());
        const TimeLimit<Api> limit;
        switch (kind_) {
            case Kind::c2c:
                plan_ = Api::c2c(rank, dims.data(), many, loops.data(), complex(from), complex(to),
                                 task.line.sign, flags(task, effort));
                break;
            case Kind::r2c:
                plan_ = Api::r2c(rank, dims.data(), many, loops.data(), real(from), complex(to),
                                 flags(task, effort));
                break;
            case Kind::c2r:
                plan_ = Api::c2r(rank, dims.data(), many, loops.data(), complex(from), real(to),
                                 flags(task, effort));
                break;
            case Kind::r2r: {
                const std::vector<fftw_r2r_kind> kinds = kinds_of(task);
                plan_ = Api::r2r(rank, dims.data(), many, loops.data(), real(from), real(to),
                                 kinds.data(), flags(task, effort));
                break;
            }
            case Kind::redistribute:
                break;
        }
        if (plan_ == nullptr) {
            throw Error(ErrorCode::system, "FFTW could not plan a " + to_string(kind_) +
                                               " transform; try engine=reference");
        }
        try {
            if (effort != Effort::estimate) require_planning_time();
        } catch (...) {
            Api::destroy(plan_);
            throw;
        }
    }
    ~FftwPlan() override {
        const std::scoped_lock lock(planner_mutex());
        Api::destroy(plan_);
    }

    void execute(std::byte* from, std::byte* to) override {
        switch (kind_) {
            case Kind::c2c:
                Api::execute_c2c(plan_, complex(from), complex(to));
                break;
            case Kind::r2c:
                Api::execute_r2c(plan_, real(from), complex(to));
                break;
            case Kind::c2r:
                Api::execute_c2r(plan_, complex(from), real(to));
                break;
            case Kind::r2r:
                Api::execute_r2r(plan_, real(from), real(to));
                break;
            case Kind::redistribute:
                break;
        }
    }

  private:
    static constexpr Index alignment_slack = 64;

    static typename Api::Complex* complex(std::byte* data) {
        return reinterpret_cast<typename Api::Complex*>(data);
    }
    static typename Api::Real* real(std::byte* data) {
        return reinterpret_cast<typename Api::Real*>(data);
    }
    static std::byte* aligned_like(const Buffer& scratch, std::byte* array) {
        return scratch.data() + Api::alignment_of(real(array));
    }

    Kind kind_;
    typename Api::Plan plan_ = nullptr;
};

/// `(fftw-3.3.10 fftw_wisdom .. )`, one list in parentheses.
template <class Api>
std::string wisdom_text() {
    const std::unique_ptr<char, void (*)(void*)> text(Api::export_wisdom(), Api::free);
    if (text == nullptr) throw Error(ErrorCode::system, "FFTW could not export its wisdom");
    return text.get();
}

class FftwEngine : public FftEngine {
  public:
    [[nodiscard]] std::string_view name() const override { return "fftw"; }

    /// As in fftw-3.3.10-sse2-avx.
    [[nodiscard]] std::string description() const override { return fftw_version; }

    /// The least step after which FFTW calls an address aligned as before.
    [[nodiscard]] Index alignment() const override {
        constexpr Index most = 64;
        alignas(most) static double memory[2 * most / sizeof(double)];
        constexpr auto unit = static_cast<Index>(sizeof(double));
        Index step = unit;
        while (step < most &&
               DoubleApi::alignment_of(memory + step / unit) != DoubleApi::alignment_of(memory)) {
            step *= 2;
        }
        return step;
    }

    /// That of double precision, then that of single precision.
    [[nodiscard]] std::string export_wisdom() const override {
        const std::scoped_lock lock(planner_mutex());
        return wisdom_text<DoubleApi>() + wisdom_text<FloatApi>();
    }
    [[nodiscard]] bool import_wisdom(const std::string& text) const override {
        const std::size_t name = text.find("fftwf_wisdom");
        const std::size_t single = name == std::string::npos ? name : text.rfind('(', name);
        if (single == std::string::npos) return false;
        const std::scoped_lock lock(planner_mutex());
        const bool understood = DoubleApi::import_wisdom(text.substr(0, single).c_str()) != 0;
        return FloatApi::import_wisdom(text.substr(single).c_str()) != 0 && understood;
    }

    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort effort, std::byte* from,
                                                std::byte* to) const override {
        if (!task.line.is_whole()) return kept_plan(*this, task);
        if (task.line.precision == Precision::f64) {
            return std::make_unique<FftwPlan<DoubleApi>>(task, effort, from, to);
        }
        return std::make_unique<FftwPlan<FloatApi>>(task, effort, from, to);
    }
};

}  // namespace

const FftEngine& fftw_engine() {
    static const FftwEngine engine;
    return engine;
}

}  // namespace weft::core
