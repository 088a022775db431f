#include "property/whole_array.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace weft::core::test {

std::vector<Index> point_of(Index number, const std::vector<Index>& shape) {
    std::vector<Index> point(shape.size());
    for (std::size_t a = shape.size(); a-- > 0;) {
        point[a] = number % shape[a];
        number /= shape[a];
    }
    return point;
}

Index number_of(const std::vector<Index>& point, const std::vector<Index>& shape) {
    Index number = 0;
    for (std::size_t a = 0; a < shape.size(); ++a) number = number * shape[a] + point[a];
    return number;
}

namespace {

/// Where an element of a box lies, counted from the box's first, and the length of the box's
/// memory.
class Memory {
  public:
    Memory(const Format& format, const Box& box) : format_(format) {
        for (const int axis : format.order) {
            const auto a = static_cast<std::size_t>(axis);
            room_.push_back(box.extent(axis) + (format.padding.empty() ? 0 : format.padding[a]));
        }
        std::vector<Index> last = box.extents();
        for (Index& i : last) --i;
        length_ = format.strides.empty() ? whole(room_).volume() : place(last) + 1;
    }
    [[nodiscard]] Index place(const std::vector<Index>& inside) const {
        Index place = 0;
        if (!format_.strides.empty()) {
            for (std::size_t a = 0; a < inside.size(); ++a) place += inside[a] * format_.strides[a];
            return place;
        }
        std::vector<Index> in_order;
        in_order.reserve(format_.order.size());
        for (const int axis : format_.order) {
            in_order.push_back(inside[static_cast<std::size_t>(axis)]);
        }
        return number_of(in_order, room_);
    }
    [[nodiscard]] Index length() const { return length_; }

  private:
    const Format& format_;
    std::vector<Index> room_;
    Index length_ = 0;
};

}  // namespace

std::vector<StoredElement> elements_in_memory(const Layout& layout, int rank) {
    std::vector<StoredElement> elements;
    Index start = 0;
    for (const Box& box : layout.where.boxes(rank)) {
        const Memory memory(layout.format, box);
        const std::vector<Index> extents = box.extents();
        for (Index i = 0; i < box.volume(); ++i) {
            const std::vector<Index> inside = point_of(i, extents);
            std::vector<Index> point = box.lo;
            for (std::size_t a = 0; a < point.size(); ++a) point[a] += inside[a];
            elements.push_back(
                {number_of(point, layout.where.shape()), start + memory.place(inside)});
        }
        start += memory.length();
    }
    return elements;
}

Whole random_whole(const std::vector<Index>& shape, bool complex, Random& random) {
    const auto real = [&random] {
        return static_cast<long double>(random.between(-1'000'000, 1'000'000)) / 1'000'000;
    };
    Whole result{shape, {}};
    for (Index i = 0; i < whole(shape).volume(); ++i) {
        const long double re = real();
        result.values.emplace_back(re, complex ? real() : 0);
    }
    return result;
}

Whole dft(Whole x, const std::vector<int>& axes, int sign) {
    for (const int axis : axes) {
        const auto a = static_cast<std::size_t>(axis);
        const Index n = x.shape[a];
        std::vector<Exact> roots;
        roots.reserve(static_cast<std::size_t>(n));
        for (Index k = 0; k < n; ++k) {
            roots.push_back(std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> *
                                                 static_cast<long double>(k) /
                                                 static_cast<long double>(n)));
        }
        Whole y{x.shape, std::vector<Exact>(x.values.size())};
        for (std::size_t i = 0; i < x.values.size(); ++i) {
            std::vector<Index> point = point_of(static_cast<Index>(i), x.shape);
            const Index k = point[a];
            for (Index j = 0; j < n; ++j) {
                point[a] = j;
                const Index from = number_of(point, x.shape);
                y.values[i] += x.values[static_cast<std::size_t>(from)] *
                               roots[static_cast<std::size_t>(j * k % n)];
            }
        }
        x = y;
    }
    return x;
}

namespace {

/// cos(pi (j + from)(k + to) / period), or the sine; the first or last value may count half.
struct Definition {
    long double from;
    long double to;
    long double period;
    bool sine;
    bool half_first;
    bool half_last;
};

Definition definition_of(AxisKind kind, Index length) {
    const auto n = static_cast<long double>(length);
    switch (kind) {
        case AxisKind::dct1:
            return {0, 0, n - 1, false, true, true};
        case AxisKind::dct2:
            return {0.5L, 0, n, false, false, false};
        case AxisKind::dct3:
            return {0, 0.5L, n, false, true, false};
        case AxisKind::dct4:
            return {0.5L, 0.5L, n, false, false, false};
        case AxisKind::dst1:
            return {1, 1, n + 1, true, false, false};
        case AxisKind::dst2:
            return {0.5L, 1, n, true, false, false};
        case AxisKind::dst3:
            return {1, 0.5L, n, true, false, true};
        default:
            return {0.5L, 0.5L, n, true, false, false};
    }
}

}  // namespace

Whole real_to_real(const Whole& x, int axis, AxisKind kind) {
    if (kind == AxisKind::none) return x;
    const auto a = static_cast<std::size_t>(axis);
    const Index n = x.shape[a];
    const Definition by = definition_of(kind, n);
    std::vector<long double> factors;
    for (Index k = 0; k < n; ++k) {
        for (Index j = 0; j < n; ++j) {
            const long double angle = std::numbers::pi_v<long double> *
                                      (static_cast<long double>(j) + by.from) *
                                      (static_cast<long double>(k) + by.to) / by.period;
            const bool half = (by.half_first && j == 0) || (by.half_last && j == n - 1);
            factors.push_back((half ? 1 : 2) * (by.sine ? std::sin(angle) : std::cos(angle)));
        }
    }
    Index step = 1;
    for (std::size_t b = a + 1; b < x.shape.size(); ++b) step *= x.shape[b];
    Whole y{x.shape, std::vector<Exact>(x.values.size())};
    for (Index i = 0; i < static_cast<Index>(x.values.size()); ++i) {
        const Index k = i / step % n;
        for (Index j = 0; j < n; ++j) {
            y.values[static_cast<std::size_t>(i)] +=
                x.values[static_cast<std::size_t>(i + (j - k) * step)] *
                factors[static_cast<std::size_t>(k * n + j)];
        }
    }
    return y;
}

Whole cropped(const Whole& x, int axis, Index n) {
    Whole result{x.shape, {}};
    result.shape[static_cast<std::size_t>(axis)] = n;
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        const std::vector<Index> point = point_of(static_cast<Index>(i), x.shape);
        if (point[static_cast<std::size_t>(axis)] < n) result.values.push_back(x.values[i]);
    }
    return result;
}

Whole scaled(Whole x, long double factor) {
    for (Exact& value : x.values) value *= factor;
    return x;
}

namespace {

bool is_fourier(AxisKind kind) {
    return kind == AxisKind::c2c || kind == AxisKind::r2c || kind == AxisKind::c2r;
}

/// The kind of the reverse, of types II and III the other one.
AxisKind undoing(AxisKind kind) {
    switch (kind) {
        case AxisKind::dct2:
            return AxisKind::dct3;
        case AxisKind::dct3:
            return AxisKind::dct2;
        case AxisKind::dst2:
            return AxisKind::dst3;
        case AxisKind::dst3:
            return AxisKind::dst2;
        default:
            return kind;
    }
}

long double round_trip(AxisKind kind, Index length) {
    const auto n = static_cast<long double>(length);
    if (is_fourier(kind)) return n;
    if (kind == AxisKind::none) return 1;
    return 2 * (kind == AxisKind::dct1 ? n - 1 : kind == AxisKind::dst1 ? n + 1 : n);
}

using Line = std::vector<Exact>;

/// Each line along an axis replaced by change(line), of `extent` elements.
template <class Change>
Whole by_lines(const Whole& x, int axis, Index extent, const Change& change) {
    const auto a = static_cast<std::size_t>(axis);
    Whole result{x.shape, {}};
    result.shape[a] = extent;
    result.values.resize(static_cast<std::size_t>(whole(result.shape).volume()));
    std::vector<Index> first_points = x.shape;
    first_points[a] = 1;
    for (Index i = 0; i < whole(first_points).volume(); ++i) {
        std::vector<Index> point = point_of(i, first_points);
        Line line;
        for (point[a] = 0; point[a] < x.shape[a]; ++point[a]) {
            line.push_back(x.values[static_cast<std::size_t>(number_of(point, x.shape))]);
        }
        const Line changed = change(line);
        for (point[a] = 0; point[a] < extent; ++point[a]) {
            result.values[static_cast<std::size_t>(number_of(point, result.shape))] =
                changed[static_cast<std::size_t>(point[a])];
        }
    }
    return result;
}

/// The first n of an axis, and zeros where there are not so many.
Whole resized(const Whole& x, int axis, Index n) {
    return by_lines(x, axis, n, [&](Line line) {
        line.resize(static_cast<std::size_t>(n));
        return line;
    });
}

/// Of a whole spectrum those modes that an axis keeps, and the reverse.
class KeptModes {
  public:
    KeptModes(const Problem& problem, int axis)
        : n_(problem.shape[static_cast<std::size_t>(axis)]),
          m_(problem.modes.empty() ? n_ : problem.modes[static_cast<std::size_t>(axis)]),
          real_(axis == r2c_axis_of(problem)),
          rule_(problem.even_modes),
          shared_(m_ < n_ && m_ % 2 == 0 && rule_ != EvenModes::keep ? m_ / 2 : -1) {}

    [[nodiscard]] Index count() const { return real_ ? m_ / 2 + 1 : m_; }
    [[nodiscard]] Line of(const Line& spectrum) const {
        Line result;
        for (Index i = 0; i < count(); ++i) {
            result.push_back(spectrum[at(mode(i))]);
            if (i != shared_) continue;
            if (rule_ == EvenModes::zero) result.back() = 0;
            if (rule_ == EvenModes::split) result.back() += spectrum[at(-mode(i))];
        }
        return result;
    }
    /// With zeros for the others.
    [[nodiscard]] Line spectrum(const Line& kept) const {
        Line result(static_cast<std::size_t>(n_));
        for (Index i = 0; i < count(); ++i) {
            Exact value = kept[static_cast<std::size_t>(i)];
            if (real_ && (i == 0 || i == shared_ || 2 * i == n_)) value = value.real();
            if (i == shared_) value *= rule_ == EvenModes::zero ? 0 : 0.5L;
            if (real_ && i > 0) result[at(-i)] = std::conj(value);
            if (i == shared_) result[at(-mode(i))] = value;
            result[at(mode(i))] = value;
        }
        return result;
    }

  private:
    /// 0, 1, .. -1, of even numbers with -m/2; of an r2c axis no negative ones.
    [[nodiscard]] Index mode(Index i) const { return real_ || 2 * i < m_ ? i : i - m_; }
    [[nodiscard]] std::size_t at(Index mode) const {
        return static_cast<std::size_t>(mode < 0 ? mode + n_ : mode);
    }

    Index n_;
    Index m_;
    bool real_;
    EvenModes rule_;
    Index shared_;  ///< the number of the element that stands for two modes; -1: none does
};

/// From the field to the spectrum, axis by axis.
Whole analysis_of_part(const Problem& problem, Whole x) {
    for (const int axis : transformed_axes(problem)) {
        const KeptModes modes(problem, axis);
        const AxisKind kind = axis_kind(problem, axis);
        x = resized(x, axis, problem.shape[static_cast<std::size_t>(axis)]);
        if (is_fourier(kind)) {
            x = by_lines(dft(x, {axis}, -1), axis, modes.count(),
                         [&](const Line& line) { return modes.of(line); });
        } else {
            x = real_to_real(x, axis, problem.kind == Kind::c2r ? undoing(kind) : kind);
            x = resized(x, axis, modes.count());
        }
    }
    return x;
}

/// The way back, the r2c axis last.
Whole synthesis_of_part(const Problem& problem, Whole x) {
    std::vector<int> axes = transformed_axes(problem);
    std::stable_partition(axes.begin(), axes.end(),
                          [&](int axis) { return axis != r2c_axis_of(problem); });
    for (const int axis : axes) {
        const KeptModes modes(problem, axis);
        const auto a = static_cast<std::size_t>(axis);
        const AxisKind kind = axis_kind(problem, axis);
        if (is_fourier(kind)) {
            x = dft(by_lines(x, axis, problem.shape[a],
                             [&](const Line& line) { return modes.spectrum(line); }),
                    {axis}, 1);
        } else {
            x = resized(x, axis, problem.shape[a]);
            x = real_to_real(x, axis, problem.kind == Kind::c2r ? kind : undoing(kind));
        }
        x = resized(x, axis, problem.inside.empty() ? problem.shape[a] : problem.inside[a]);
    }
    return x;
}

Pair pair_of_part(const Problem& problem, Random& random) {
    Pair pair;
    const bool complex = problem.kind == Kind::c2c;
    pair.in = random_whole(array_shape(problem, false), complex, random);
    pair.out = analysis_of_part(problem, pair.in);
    pair.back = synthesis_of_part(problem, pair.out);
    if (problem.kind != Kind::c2r) return pair;
    pair.in = std::move(pair.out);
    pair.out = std::move(pair.back);
    pair.back = analysis_of_part(problem, pair.out);
    return pair;
}

}  // namespace

namespace {

/// With zeros where no rank of the layout owns an element.
Whole owned(const Whole& x, const Layout& layout) {
    Whole result{x.shape, std::vector<Exact>(x.values.size())};
    for (int rank = 0; rank < layout.where.ranks(); ++rank) {
        for (const auto& [number, position] : elements_in_memory(layout, rank)) {
            result.values[static_cast<std::size_t>(number)] =
                x.values[static_cast<std::size_t>(number)];
        }
    }
    return result;
}

}  // namespace

Pair random_pair(const Plan& plan, std::uint64_t seed) {
    const Problem& problem = plan.problem;
    const Layout& in = plan.at.front();
    const Layout& out = plan.at.back();
    if (!in.where.sparse() && !out.where.sparse()) return random_pair(problem, seed);
    const bool synthesises = problem.kind == Kind::c2r;
    Random random(seed);
    Pair pair;
    pair.in = random_whole(array_shape(problem, false), problem.kind == Kind::c2c, random);
    if (synthesises) pair.in = analysis_of_part(problem, pair.in);
    pair.in = owned(pair.in, in);
    pair.out = owned(
        synthesises ? synthesis_of_part(problem, pair.in) : analysis_of_part(problem, pair.in),
        out);
    pair.back = owned(
        synthesises ? analysis_of_part(problem, pair.out) : synthesis_of_part(problem, pair.out),
        in);
    return pair;
}

Pair random_pair(const Problem& problem, std::uint64_t seed) {
    Random random(seed);
    if (keeps_part(problem)) return pair_of_part(problem, random);
    std::vector<int> axes = problem.axes;
    if (axes.empty()) {
        for (std::size_t a = 0; a < problem.shape.size(); ++a) axes.push_back(static_cast<int>(a));
    }
    std::vector<Index> shape = problem.shape;
    if (problem.batch > 1) shape.push_back(problem.batch);
    Pair pair;
    const bool real = problem.kind != Kind::c2c;
    pair.in = pair.out = random_whole(shape, !real, random);
    std::vector<AxisKind> kinds = problem.kinds;
    if (kinds.empty()) kinds = {AxisKind::c2c};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const AxisKind kind = kinds[kinds.size() == 1 ? 0 : i];
        if (is_fourier(kind)) {
            pair.out = dft(pair.out, {axes[i]}, -1);
        } else {
            const AxisKind analysis = problem.kind == Kind::c2r ? undoing(kind) : kind;
            pair.out = real_to_real(pair.out, axes[i], analysis);
        }
        pair.round_trip *= round_trip(kind, shape[static_cast<std::size_t>(axes[i])]);
    }
    if (real && problem.kind != Kind::r2r) {
        const int r2c_axis = r2c_axis_of(problem);
        const Index n = shape[static_cast<std::size_t>(r2c_axis)];
        pair.out = cropped(pair.out, r2c_axis, n / 2 + 1);
    }
    if (problem.kind == Kind::c2r) {
        std::swap(pair.in, pair.out);
        pair.out = scaled(pair.out, pair.round_trip);
    }
    pair.back = scaled(pair.in, pair.round_trip);
    return pair;
}

namespace {

template <class T>
void put(const Exact& value, bool complex, Index position, std::byte* memory) {
    const T parts[2] = {static_cast<T>(value.real()), static_cast<T>(value.imag())};
    const std::size_t size = sizeof(T) * (complex ? 2 : 1);
    std::memcpy(memory + static_cast<std::size_t>(position) * size, parts, size);
}

template <class T>
Exact get(const std::byte* memory, bool complex, Index position) {
    T parts[2] = {0, 0};
    const std::size_t size = sizeof(T) * (complex ? 2 : 1);
    std::memcpy(parts, memory + static_cast<std::size_t>(position) * size, size);
    return {parts[0], parts[1]};
}

}  // namespace

void scatter(const Whole& whole, const Layout& layout, int rank, std::byte* memory) {
    for (const auto& [number, position] : elements_in_memory(layout, rank)) {
        const Exact& value = whole.values[static_cast<std::size_t>(number)];
        if (layout.scalar.precision == Precision::f64) {
            put<double>(value, layout.scalar.complex, position, memory);
        } else {
            put<float>(value, layout.scalar.complex, position, memory);
        }
    }
}

void gather(const std::byte* memory, const Layout& layout, int rank, Whole& whole) {
    for (const auto& [number, position] : elements_in_memory(layout, rank)) {
        whole.values[static_cast<std::size_t>(number)] =
            layout.scalar.precision == Precision::f64
                ? get<double>(memory, layout.scalar.complex, position)
                : get<float>(memory, layout.scalar.complex, position);
    }
}

long double relative_error(const Whole& a, const Whole& b) {
    long double difference = 0;
    long double size = 0;
    for (std::size_t i = 0; i < b.values.size(); ++i) {
        difference += std::norm(a.values[i] - b.values[i]);
        size += std::norm(b.values[i]);
    }
    return size == 0 ? difference : std::sqrt(difference / size);
}

}  // namespace weft::core::test
