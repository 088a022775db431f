#include "verify/checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "base/random.hpp"
#include "base/transforms.hpp"
#include "plan/wire.hpp"
#include "verify/modes.hpp"
#include "verify/oracle.hpp"

namespace weft::core {

double error_bound(const Problem& problem) {
    const double unit = problem.precision == Precision::f64
                            ? std::numeric_limits<double>::epsilon()
                            : static_cast<double>(std::numeric_limits<float>::epsilon());
    double levels = 1;
    for (const int axis : transformed_axes(problem)) {
        const Index n = problem.shape[static_cast<std::size_t>(axis)];
        const Index length = logical_length(axis_kind(problem, axis), n);
        levels += std::log2(static_cast<double>(length));
    }
    return 4 * unit * levels;
}

namespace {

/// The state of all checks of one plan.
class Checker {
  public:
    Checker(Rig& rig, std::uint64_t seed)
        : rig_(rig),
          plan_(rig.plan()),
          problem_(plan_.problem),
          seed_(seed),
          random_(seed),
          analysis_backward_(problem_.kind == Kind::c2r) {
        for (const int axis : transformed_axes(problem_)) {
            if (!is_real_to_real(axis_kind(problem_, axis))) fourier_axes_.push_back(axis);
        }
    }

    std::vector<Finding> run() {
        if (problem_.kind == Kind::redistribute) {
            redistribution(false);
            redistribution(true);
            return findings_;
        }
        if (has_oracle(problem_)) {
            against_oracle(false);
            against_oracle(true);
        }
        impulse();
        // A part of a field is shifted into what there is not.
        const bool sparse = may_leave_out(problem_);
        if (!fourier_axes_.empty() && !keeps_part(problem_) && !sparse) shift();
        // Of a few elements the largest may be far below the rounding of all.
        if (!sparse) linearity();
        return findings_;
    }

  private:
    using Field = std::function<Exact(const std::vector<Index>& point)>;

    // The array that a direction reads, and the one it writes.
    [[nodiscard]] const Layout& layout(bool output_array) const {
        return output_array ? plan_.at.back() : plan_.at.front();
    }
    [[nodiscard]] std::byte* array(bool output_array, int rank) const {
        return output_array ? rig_.out(rank) : rig_.in(rank);
    }

    void fill(bool output_array, const Field& field) {
        const Layout& where = layout(output_array);
        for (const int rank : rig_.ranks()) {
            std::byte* data = array(output_array, rank);
            for_points(where, rank, [&](const std::vector<Index>& point, Index offset) {
                put(data, where.scalar, offset, field(point));
            });
        }
    }

    /// Whether somebody owns an element of an array.
    [[nodiscard]] bool is_owned(bool output_array, const std::vector<Index>& point) const {
        const Distribution& where = layout(output_array).where;
        if (!where.sparse()) return true;
        bool found = false;
        for (int rank = 0; rank < where.ranks() && !found; ++rank) {
            where.for_each_box(rank, [&](const Index* lo, const Index* hi) {
                bool inside = true;
                for (std::size_t a = 0; a < point.size(); ++a) {
                    inside = inside && lo[a] <= point[a] && point[a] < hi[a];
                }
                found = found || inside;
            });
        }
        return found;
    }
    /// The array with zeros where nobody owns an element.
    [[nodiscard]] Whole owned(bool output_array, Whole whole_array) const {
        const Distribution& where = layout(output_array).where;
        if (!where.sparse()) return whole_array;
        Whole result{whole_array.shape, std::vector<Exact>(whole_array.values.size())};
        for (int rank = 0; rank < where.ranks(); ++rank) {
            for_points(layout(output_array), rank, [&](const auto& point, Index /*offset*/) {
                result.values[static_cast<std::size_t>(linear_index(result.shape, point))] =
                    whole_array.at(point);
            });
        }
        return result;
    }

    /// The largest deviation from the field, as a fraction of the field's largest value, or of
    /// `size` if that is larger.
    double deviation(bool output_array, const Field& field, double size = 0) const {
        const Layout& where = layout(output_array);
        double difference = 0;
        for (const int rank : rig_.ranks()) {
            const std::byte* data = array(output_array, rank);
            for_points(where, rank, [&](const std::vector<Index>& point, Index offset) {
                const Exact expected = field(point);
                const Exact found = get(data, where.scalar, offset);
                const auto apart = static_cast<double>(std::abs(found - expected));
                // A NaN must not hide behind max().
                difference = std::isnan(apart) ? std::numeric_limits<double>::infinity()
                                               : std::max(difference, apart);
                size = std::max(size, static_cast<double>(std::abs(expected)));
            });
        }
        difference = rig_.largest(difference);
        size = rig_.largest(size);
        return size == 0 ? difference : difference / size;
    }

    /// Every number that a redistribution sends may be rounded.
    [[nodiscard]] double bound() const {
        return error_bound(problem_) + 4 * wire_error(plan_.choice.wire) * plan_.redistributions();
    }
    void report(const std::string& check, double error, double bound) {
        findings_.push_back({check, error, bound});
    }

    [[nodiscard]] double factor(bool backward) const { return scale_factor(problem_, backward); }

    /// What the bytes of an element are made of, drawn from its global index.
    [[nodiscard]] std::uint64_t key_of(std::uint64_t seed, const std::vector<Index>& point) const {
        const Index element = linear_index(layout(false).where.shape(), point);
        return mix(seed ^ mix(static_cast<std::uint64_t>(element)));
    }
    static std::byte byte_of(std::uint64_t key, Index byte) {
        const auto b = static_cast<std::uint64_t>(byte);
        return static_cast<std::byte>((key >> (b % 8 * 8)) + b / 8);
    }

    /// How many elements of an array are not those of the seed, or zeros if they come from nobody of
    /// the array `source`.
    [[nodiscard]] double wrong_elements(bool output_array, std::uint64_t seed, bool source) const {
        const Index bytes = problem_.element_bytes;
        double wrong = 0;
        for (const int rank : rig_.ranks()) {
            const std::byte* data = array(output_array, rank);
            for_points(layout(output_array), rank, [&](const auto& point, Index offset) {
                const std::uint64_t key = key_of(seed, point);
                const bool comes = is_owned(source, point);
                bool right = true;
                for (Index byte = 0; byte < bytes; ++byte) {
                    const std::byte expected = comes ? byte_of(key, byte) : std::byte{0};
                    right = right && data[offset * bytes + byte] == expected;
                }
                wrong += right ? 0 : 1;
            });
        }
        return rig_.largest(wrong);
    }

    void redistribution(bool backward) {
        const std::uint64_t seed = random_.next();
        const Index bytes = problem_.element_bytes;
        for (const int rank : rig_.ranks()) {
            std::byte* data = array(backward, rank);
            for_points(layout(backward), rank, [&](const auto& point, Index offset) {
                const std::uint64_t key = key_of(seed, point);
                for (Index byte = 0; byte < bytes; ++byte) {
                    data[offset * bytes + byte] = byte_of(key, byte);
                }
            });
        }
        rig_.run(backward);
        report(backward ? "backward" : "forward", wrong_elements(!backward, seed, backward), 0);
        if (problem_.in_place || problem_.may_destroy_input) return;
        report(backward ? "backward keeps its input" : "forward keeps its input",
               wrong_elements(backward, seed, backward), 0);
    }

    void against_oracle(bool backward) {
        const bool analyses = backward == analysis_backward_;
        const Whole signal = random_signal(problem_, seed_ + (backward ? 1 : 0));
        if (analyses) {
            const Whole given = owned(backward, signal);
            return compare(backward, given, analysis(problem_, given));
        }
        // c2r needs a spectrum of real data; c2c synthesis of any data would do as well.
        const Whole spectrum = owned(backward, analysis(problem_, signal));
        compare(backward, spectrum, synthesis(problem_, spectrum));
    }

    /// One direction of that input with what it must give, unscaled.
    void compare(bool backward, const Whole& source, const Whole& expected) {
        fill(backward, [&](const auto& point) { return source.at(point); });
        rig_.run(backward);
        const long double scale = factor(backward);
        // Rounding is that of the whole transform, whatever there is of its result.
        long double largest = 0;
        for (const Exact& value : expected.values) largest = std::max(largest, std::abs(value));
        report(backward ? "backward" : "forward",
               deviation(
                   !backward, [&](const auto& p) { return expected.at(p) * scale; },
                   static_cast<double>(largest * std::abs(scale))),
               bound());
        if (problem_.in_place || problem_.may_destroy_input) return;
        const Scalar scalar = layout(backward).scalar;
        report(backward ? "backward keeps its input" : "forward keeps its input",
               deviation(backward, [&](const auto& p) { return rounded(source.at(p), scalar); }),
               0);
    }

    /// What an array keeps of a value.
    static Exact rounded(const Exact& value, const Scalar& scalar) {
        std::array<std::byte, 16> element{};
        put(element.data(), scalar, 0, value);
        return get(element.data(), scalar, 0);
    }

    // The laws below hold for the analysis direction, forward or (c2r) backward.
    void analyse(const Field& field) {
        fill(analysis_backward_, field);
        rig_.run(analysis_backward_);
    }
    [[nodiscard]] bool spectrum_array() const { return !analysis_backward_; }

    [[nodiscard]] Exact phase(const std::vector<Index>& k, const std::vector<Index>& x) const {
        long double turns = 0;
        for (const int axis : fourier_axes_) {
            const auto a = static_cast<std::size_t>(axis);
            const Index n = problem_.shape[a];
            turns += static_cast<long double>(k[a] * x[a] % n) / static_cast<long double>(n);
        }
        const long double angle = -2 * std::numbers::pi_v<long double> * turns;
        return {std::cos(angle), std::sin(angle)};
    }

    /// Value k of the spectrum of a single 1 at x, along the axes of Fourier transforms: of the mode
    /// that it stands for, or of two.
    [[nodiscard]] Exact impulse_at(const std::vector<Index>& k, const std::vector<Index>& x) const {
        if (problem_.modes.empty()) return phase(k, x);
        Exact value = 1;
        for (const int axis : fourier_axes_) {
            const auto a = static_cast<std::size_t>(axis);
            const Modes modes = modes_of(problem_, axis);
            const auto of = [&](Index mode) {
                const auto turns = static_cast<long double>(mode * x[a] % modes.n) /
                                   static_cast<long double>(modes.n);
                return std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turns);
            };
            const Index mode = modes.mode(k[a]);
            const bool shared = modes.is_shared(mode);
            if (shared && modes.rule == EvenModes::zero) return 0;
            value *= shared ? of(mode) + of(-mode) : of(mode);
        }
        return value;
    }

    /// X[k] = exp(-2 pi i k.x/n) of a single 1 at x, times the cosines and sines of other kinds; 0
    /// for the other lines of the batch.
    void impulse() {
        const std::vector<Index> shape = array_shape(problem_, false);
        std::vector<Index> place;
        place.reserve(shape.size());
        for (const Index n : shape) place.push_back(random_.between(0, n - 1));
        const bool comes = is_owned(analysis_backward_, place);
        analyse([&](const auto& point) { return Exact(point == place ? 1 : 0); });
        const auto axes = transformed_axes(problem_);
        const long double scale = factor(analysis_backward_);
        const auto expected = [&](const std::vector<Index>& k) {
            if (!comes) return Exact(0);
            for (std::size_t a = 0; a < shape.size(); ++a) {
                const bool transformed =
                    std::count(axes.begin(), axes.end(), static_cast<int>(a)) != 0;
                if (!transformed && k[a] != place[a]) return Exact(0);
            }
            return impulse_at(k, place) * real_impulse(problem_, place, k) * scale;
        };
        report("impulse", deviation(spectrum_array(), expected), bound());
    }

    [[nodiscard]] Exact random_at(std::uint64_t seed, const std::vector<Index>& point) const {
        return sample(seed, linear_index(array_shape(problem_, false), point),
                      problem_.kind == Kind::c2c);
    }

    /// The spectrum of all ranks here, in the order of for_points.
    [[nodiscard]] std::vector<Exact> spectrum() const {
        std::vector<Exact> values;
        const Layout& where = layout(spectrum_array());
        for (const int rank : rig_.ranks()) {
            const std::byte* data = array(spectrum_array(), rank);
            for_points(where, rank, [&](const auto& /*point*/, Index offset) {
                values.push_back(get(data, where.scalar, offset));
            });
        }
        return values;
    }

    /// Compares with values in the order of spectrum().
    double deviation_from(
        const std::vector<Exact>& values,
        const std::function<Exact(const std::vector<Index>&, const Exact&)>& law) {
        std::size_t next = 0;
        return deviation(spectrum_array(), [&](const std::vector<Index>& point) {
            return law(point, values[next++]);
        });
    }

    /// Along the axes of Fourier transforms: the spectrum of x[j - s] is exp(-2 pi i k.s/n) X[k].
    void shift() {
        const std::uint64_t seed = random_.next();
        analyse([&](const auto& point) { return random_at(seed, point); });
        const std::vector<Exact> before = spectrum();
        std::vector<Index> by(array_shape(problem_, false).size(), 0);
        for (const int axis : fourier_axes_) {
            const auto a = static_cast<std::size_t>(axis);
            by[a] = random_.between(0, problem_.shape[a] - 1);
        }
        analyse([&](const std::vector<Index>& point) {
            std::vector<Index> source = point;
            for (const int axis : fourier_axes_) {
                const auto a = static_cast<std::size_t>(axis);
                source[a] = (point[a] - by[a] + problem_.shape[a]) % problem_.shape[a];
            }
            return random_at(seed, source);
        });
        report("shift",
               deviation_from(
                   before, [&](const auto& k, const Exact& value) { return value * phase(k, by); }),
               2 * bound());
    }

    /// The spectrum of (x + 2y)/4 is (X + 2Y)/4; powers of two keep the sums exact.
    void linearity() {
        const std::uint64_t x = random_.next();
        const std::uint64_t y = random_.next();
        analyse([&](const auto& point) { return random_at(x, point); });
        std::vector<Exact> sum = spectrum();
        analyse([&](const auto& point) { return random_at(y, point); });
        const std::vector<Exact> second = spectrum();
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] = (sum[i] + 2.0L * second[i]) / 4.0L;
        }
        analyse([&](const auto& p) { return (random_at(x, p) + 2.0L * random_at(y, p)) / 4.0L; });
        report("linearity",
               deviation_from(sum, [](const auto& /*k*/, const Exact& value) { return value; }),
               3 * bound());
    }

    Rig& rig_;
    const Plan& plan_;
    const Problem& problem_;
    std::uint64_t seed_;
    Random random_;
    bool analysis_backward_;
    std::vector<int> fourier_axes_{};
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> verify(Rig& rig, std::uint64_t seed) { return Checker(rig, seed).run(); }

}  // namespace weft::core
