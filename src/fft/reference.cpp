// The reference engine: small enough to be read, exact enough to judge the others.
#include <type_traits>

#include "fft/engine.hpp"
#include "fft/kept_lines.hpp"
#include "fft/reference_line.hpp"

namespace weft::core {

namespace {

using Complex = ReferenceLine::Complex;

/// Copies the task's array into a dense array of long doubles, transforms it axis by axis, copies
/// it back. Axes: the transformed ones, then the looped ones.
template <class T>
class ReferencePlan : public FftPlan {
  public:
    explicit ReferencePlan(const FftTask& task)
        : last_axis_(task.line), transformed_(task.axes()), loops_(transformed_) {
        loops_.insert(loops_.end(), task.looped.begin(), task.looped.end());
        data_.resize(static_cast<std::size_t>(count_of(loops_)));
        for (const Loop& loop : transformed_) {
            const LineTransform line = task.line_along(along_.size());
            along_.push_back(line.axis);
            if (line.kind == Kind::r2r) {
                real_lines_.emplace_back(line.axis, loop.extent);
            } else {
                lines_.emplace_back(loop.extent, line.sign);
            }
            line_.resize(static_cast<std::size_t>(loop.extent));
        }
    }

    void execute(std::byte* from, std::byte* to) override {
        const std::size_t last = transformed_.size() - 1;
        if (last_axis_.source().complex) {
            load<std::complex<T>>(from, last_axis_.source_length());
        } else {
            load<T>(from, last_axis_.source_length());
        }
        for (std::size_t axis = 0; axis < last; ++axis) transform_axis(axis);
        if (last_axis_.kind == Kind::c2r) restore_conjugates();
        transform_axis(last);
        if (last_axis_.target().complex) {
            store<std::complex<T>>(to, last_axis_.target_length());
        } else {
            store<T>(to, last_axis_.target_length());
        }
    }

  private:
    /// Visits all elements: visit(position in data_, offset in the source, in the destination).
    /// The r2c axis has `stored` of its elements.
    template <class Visit>
    void for_all(Index stored, const Visit& visit) const {
        std::vector<Index> index(loops_.size(), 0);
        const std::size_t r2c_axis = transformed_.size() - 1;
        for (Index position = 0; position < static_cast<Index>(data_.size()); ++position) {
            Index rest = position;
            Index from = 0;
            Index to = 0;
            bool present = true;
            for (std::size_t a = loops_.size(); a-- > 0;) {
                const Index i = rest % loops_[a].extent;
                rest /= loops_[a].extent;
                from += i * loops_[a].from;
                to += i * loops_[a].to;
                if (a == r2c_axis) present = i < stored;
            }
            if (present) visit(static_cast<std::size_t>(position), from, to);
        }
    }

    template <class Element>
    void load(const std::byte* from, Index stored) {
        const auto* source = reinterpret_cast<const Element*>(from);
        for_all(stored, [&](std::size_t position, Index offset, Index) {
            data_[position] = Complex(source[offset]);
        });
    }

    template <class Element>
    void store(std::byte* to, Index stored) const {
        auto* target = reinterpret_cast<Element*>(to);
        for_all(stored, [&](std::size_t position, Index, Index offset) {
            if constexpr (std::is_same_v<Element, T>) {
                target[offset] = static_cast<T>(data_[position].real());
            } else {
                target[offset] = Element(static_cast<T>(data_[position].real()),
                                         static_cast<T>(data_[position].imag()));
            }
        });
    }

    /// The stride of an axis in data_, and the number of blocks above it.
    [[nodiscard]] Index stride_of(std::size_t axis) const {
        Index stride = 1;
        for (std::size_t a = axis + 1; a < loops_.size(); ++a) stride *= loops_[a].extent;
        return stride;
    }

    void transform_axis(std::size_t axis) {
        const Index n = loops_[axis].extent;
        const Index stride = stride_of(axis);
        for (Index block = 0; block < static_cast<Index>(data_.size()); block += n * stride) {
            for (Index lane = 0; lane < stride; ++lane) {
                Complex* x = data_.data() + block + lane;
                line_.resize(static_cast<std::size_t>(n));
                for (Index k = 0; k < n; ++k) line_[static_cast<std::size_t>(k)] = x[k * stride];
                if (along_[axis] != AxisKind::none) {
                    real_lines_[axis].transform(line_);
                } else {
                    lines_[axis].transform(line_);
                }
                for (Index k = 0; k < n; ++k) x[k * stride] = line_[static_cast<std::size_t>(k)];
            }
        }
    }

    /// A real signal's spectrum is conjugate-symmetric: X[n-k] = conj X[k] along the r2c axis,
    /// once the other axes are transformed back. As in FFTW, the imaginary parts of X[0] and, for
    /// even n, X[n/2] are ignored.
    void restore_conjugates() {
        const std::size_t axis = transformed_.size() - 1;
        const Index n = loops_[axis].extent;
        const Index stride = stride_of(axis);
        for (Index block = 0; block < static_cast<Index>(data_.size()); block += n * stride) {
            for (Index lane = 0; lane < stride; ++lane) {
                Complex* x = data_.data() + block + lane;
                x[0] = x[0].real();
                if (n % 2 == 0) x[n / 2 * stride] = x[n / 2 * stride].real();
                for (Index k = n / 2 + 1; k < n; ++k)
                    x[k * stride] = std::conj(x[(n - k) * stride]);
            }
        }
    }

    LineTransform last_axis_;
    std::vector<Loop> transformed_;
    std::vector<Loop> loops_;
    std::vector<AxisKind> along_;  ///< what r2r does along the transformed axes
    std::vector<ReferenceLine> lines_;
    std::vector<ReferenceRealLine> real_lines_;
    std::vector<Complex> line_;
    std::vector<Complex> data_;
};

class ReferenceEngine : public FftEngine {
  public:
    [[nodiscard]] std::string_view name() const override { return "reference"; }

    /// Prime factors are transformed by the definition, so a large one takes as many times longer.
    [[nodiscard]] double cost(const FftTask& task, const CoreRates& rates) const override {
        // One of complex numbers takes as long as so many flops by the usual count, which are of
        // few products and many passes.
        constexpr double product = 0.28;
        double elements = 1;
        double products = 0;
        for (const Loop& loop : task.looped) elements *= static_cast<double>(loop.extent);
        const std::vector<Loop> axes = task.axes();
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const Index extent = axes[a].extent;
            const LineTransform line = task.line_along(a);
            elements *= static_cast<double>(extent);
            products += line.kind == Kind::r2r
                            ? ReferenceRealLine::products(line.axis, extent)
                            : static_cast<double>(ReferenceLine::products(extent));
        }
        return std::max(FftEngine::cost(task, rates),
                        elements * products * product / rates.engine.rate);
    }
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort /*effort*/,
                                                std::byte* /*from*/,
                                                std::byte* /*to*/) const override {
        if (!task.line.is_whole()) return kept_plan(*this, task);
        if (task.line.precision == Precision::f64)
            return std::make_unique<ReferencePlan<double>>(task);
        return std::make_unique<ReferencePlan<float>>(task);
    }
};

}  // namespace

const FftEngine& reference_engine() {
    static const ReferenceEngine engine;
    return engine;
}

}  // namespace weft::core
