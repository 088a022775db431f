// The Intel MKL engine, through DFTI: up to seven transformed axes and one loop a descriptor.
#include <fmt/format.h>

#include <algorithm>

#include "base/no_copy.hpp"
#include "fft/dfti.hpp"
#include "fft/engine.hpp"
#include "fft/kept_lines.hpp"
#include "fft/reduced_lines.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using Long = MKL_LONG;  // a macro of two words

/// Axes of one element are no axes; one has to be left.
std::vector<Loop> axes_of(const FftTask& task) {
    std::vector<Loop> axes = task.axes();
    std::erase_if(axes, [](const Loop& loop) { return loop.extent == 1; });
    if (axes.empty()) axes.push_back(task.line_axis());
    return axes;
}

/// Takes out of the loops, slowest first, the one that is left to DFTI: the fastest of those that
/// are long enough to pay for a call, so that neighbours in memory are transformed together.
Loop take_inner(std::vector<Loop>& loops) {
    if (loops.empty()) return {};
    constexpr Index long_enough = 8;
    const auto pays = [](const Loop& loop) { return loop.extent >= long_enough; };
    const auto fastest = std::find_if(loops.rbegin(), loops.rend(), pays);
    auto chosen = std::max_element(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
        return a.extent < b.extent;
    });
    if (fastest != loops.rend()) chosen = std::prev(fastest.base());
    const Loop inner = *chosen;
    loops.erase(chosen);
    return inner;
}

/// A DFTI descriptor that frees itself.
class Descriptor : NoCopy {
  public:
    /// Of one precision and domain, without a layout yet.
    Descriptor(const FftTask& task, const std::vector<Loop>& axes) {
        std::vector<Long> lengths(axes.size());
        std::transform(axes.begin(), axes.end(), lengths.begin(),
                       [](const Loop& axis) { return axis.extent; });
        const auto precision = task.line.precision == Precision::f64 ? DFTI_DOUBLE : DFTI_SINGLE;
        const auto domain = task.line.kind == Kind::c2c ? DFTI_COMPLEX : DFTI_REAL;
        const auto dimensions = static_cast<Long>(lengths.size());
        // One length is an argument, several are an array.
        check(dimensions == 1
                  ? (*dfti().create)(&handle_, precision, domain, dimensions, lengths.front())
                  : (*dfti().create)(&handle_, precision, domain, dimensions, lengths.data()));
    }
    ~Descriptor() { dfti().free(&handle_); }

    /// A DFTI_CONFIG_VALUE, an MKL_LONG or an array of them, as the parameter asks for.
    template <class Value>
    void set(DFTI_CONFIG_PARAM parameter, Value value) {
        check(dfti().set(handle_, parameter, value));
    }
    void commit() { check(dfti().commit(handle_)); }
    /// `to` is not looked at if the descriptor is of a transform in place.
    void compute(int sign, std::byte* from, std::byte* to) {
        check(sign < 0 ? dfti().forward(handle_, from, to) : dfti().backward(handle_, from, to));
    }

  private:
    static void check(Long status) {
        if (status == DFTI_NO_ERROR) return;
        const bool memory = status == DFTI_MEMORY_ERROR;
        throw Error(memory ? ErrorCode::system : ErrorCode::not_available,
                    fmt::format("engine 'mkl': MKL says '{}'; try another engine, `weft info` "
                                "lists them",
                                dfti().message(status)));
    }

    DFTI_DESCRIPTOR_HANDLE handle_ = nullptr;
};

class MklPlan : public FftPlan {
  public:
    explicit MklPlan(const FftTask& task)
        : sign_(task.line.sign),
          axes_(axes_of(task)),
          outer_(merged(task.looped)),
          descriptor_(task, axes_) {
        set_layout(task, take_inner(outer_));
        descriptor_.commit();
        for (Loop& loop : outer_) {
            loop.from *= task.line.source().bytes();
            loop.to *= task.line.target().bytes();
        }
    }

    void execute(std::byte* from, std::byte* to) override { repeat(0, from, to); }

  private:
    void set_layout(const FftTask& task, const Loop& inner) {
        // The first entry is an offset.
        std::vector<Long> from{0};
        std::vector<Long> to{0};
        for (const Loop& axis : axes_) {
            from.push_back(axis.from);
            to.push_back(axis.to);
        }
        descriptor_.set(DFTI_PLACEMENT, task.in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE);
        if (task.line.kind != Kind::c2c) {
            descriptor_.set(DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX);
        }
        descriptor_.set(DFTI_INPUT_STRIDES, from.data());
        descriptor_.set(DFTI_OUTPUT_STRIDES, to.data());
        descriptor_.set(DFTI_NUMBER_OF_TRANSFORMS, Long{inner.extent});
        descriptor_.set(DFTI_INPUT_DISTANCE, Long{inner.from});
        descriptor_.set(DFTI_OUTPUT_DISTANCE, Long{inner.to});
        descriptor_.set(DFTI_THREAD_LIMIT, Long{1});
    }

    /// All that the outer loops from `depth` on go through.
    void repeat(std::size_t depth, std::byte* from, std::byte* to) {
        if (depth == outer_.size()) {
            descriptor_.compute(sign_, from, to);
            return;
        }
        const Loop& loop = outer_[depth];
        for (Index i = 0; i < loop.extent; ++i) {
            repeat(depth + 1, from + i * loop.from, to + i * loop.to);
        }
    }

    int sign_;
    std::vector<Loop> axes_;
    std::vector<Loop> outer_;  ///< strides in bytes
    Descriptor descriptor_;
};

/// An r2c axis of one element: numbers only change their type, and the other axes are transformed
/// on the complex side. (MKL gets such axes wrong: in place, below three others, with lines that
/// lie side by side.)
template <class T>
class OnePointPlan : public FftPlan {
  public:
    explicit OnePointPlan(const FftTask& task) : to_complex_(task.line.target().complex) {
        FftTask others = task;
        others.line.kind = Kind::c2c;
        others.in_place = true;
        for (auto* loops : {&others.complex_axes, &others.looped}) {
            for (Loop& loop : *loops) {
                loops_.push_back({loop.extent, loop.from * task.line.source().numbers(),
                                  loop.to * task.line.target().numbers()});
                (to_complex_ ? loop.from : loop.to) = to_complex_ ? loop.to : loop.from;
            }
        }
        if (others.complex_axes.empty()) return;
        others.set_axes(others.complex_axes);
        others_ = std::make_unique<MklPlan>(others);
    }

    /// c2r with other axes may destroy its input.
    void execute(std::byte* from, std::byte* to) override {
        if (others_ && !to_complex_) others_->execute(from, from);
        convert(0, reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
        if (others_ && to_complex_) others_->execute(to, to);
    }

  private:
    void convert(std::size_t depth, const T* from, T* to) const {
        if (depth == loops_.size()) {
            to[0] = from[0];
            if (to_complex_) to[1] = 0;
            return;
        }
        const Loop& loop = loops_[depth];
        for (Index i = 0; i < loop.extent; ++i) {
            convert(depth + 1, from + i * loop.from, to + i * loop.to);
        }
    }

    bool to_complex_;
    std::vector<Loop> loops_;  ///< strides in reals
    std::unique_ptr<MklPlan> others_;
};

/// Of an array without elements.
class NothingToDo : public FftPlan {
  public:
    void execute(std::byte* /*from*/, std::byte* /*to*/) override {}
};

class MklEngine : public FftEngine {
  public:
    [[nodiscard]] std::string_view name() const override { return "mkl"; }

    [[nodiscard]] std::string description() const override {
        MKLVersion version{};
        dfti().version(&version);
        // What the instruction set has besides is a sentence of its own.
        const std::string_view processor = version.Processor;
        return fmt::format("MKL {}.{}.{}, {}", version.MajorVersion, version.MinorVersion,
                           version.UpdateVersion, processor.substr(0, processor.find(" with ")));
    }

    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort effort,
                                                std::byte* /*from*/,
                                                std::byte* /*to*/) const override {
        if (is_empty(task)) return std::make_unique<NothingToDo>();
        if (!task.line.is_whole()) return kept_plan(*this, task);
        if (task.line.kind == Kind::r2r) return reduced_plan(*this, task, effort);
        if (task.line.kind != Kind::c2c && task.line.length == 1) {
            if (task.line.precision == Precision::f64)
                return std::make_unique<OnePointPlan<double>>(task);
            return std::make_unique<OnePointPlan<float>>(task);
        }
        return std::make_unique<MklPlan>(task);
    }
};

}  // namespace

const FftEngine& mkl_engine() {
    static const MklEngine engine;
    return engine;
}

}  // namespace weft::core
