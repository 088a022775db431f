#include "verify/oracle.hpp"

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "base/transforms.hpp"
#include "fft/reference_line.hpp"
#include "verify/modes.hpp"

namespace weft::core {

namespace {

/// X[k] = sum_j x[j] exp(sign 2 pi i jk/n): the definition, for short lines; the reference engine's
/// line for long ones.
void transform_line(std::vector<Exact>& line, const std::vector<Exact>& roots,
                    ReferenceLine& fast) {
    constexpr std::size_t shortest_fast = 48;
    const std::size_t n = line.size();
    if (n >= shortest_fast) {
        fast.transform(line);
        return;
    }
    std::vector<Exact> result(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) result[k] += line[j] * roots[j * k % n];
    }
    line = std::move(result);
}

/// How far apart neighbours along an axis are.
Index step_of(const Whole& array, std::size_t axis) {
    Index step = 1;
    for (std::size_t b = axis + 1; b < array.shape.size(); ++b) step *= array.shape[b];
    return step;
}

/// One axis of a whole array: `extent` values are read of each line, `fill` completes the line to
/// n, `finish` makes the first `kept` of the result, which are written to an array whose axis has
/// that length.
template <class Fill, class Finish>
Whole along(const Whole& input, int axis, Index n, Index kept, int sign, const Fill& fill,
            const Finish& finish) {
    const auto a = static_cast<std::size_t>(axis);
    Whole output = input;
    output.shape[a] = kept;
    output.values.assign(static_cast<std::size_t>(whole(output.shape).volume()), 0);
    const Index inner = step_of(input, a);
    Index outer = 1;
    for (std::size_t b = 0; b < a; ++b) outer *= input.shape[b];

    std::vector<Exact> roots(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) {
        const long double angle = 2 * std::numbers::pi_v<long double> *
                                  static_cast<long double>(k) / static_cast<long double>(n);
        roots[static_cast<std::size_t>(k)] = {std::cos(angle), sign * std::sin(angle)};
    }
    ReferenceLine fast(n, sign);
    std::vector<Exact> line;
    const Index extent = input.shape[a];
    for (Index block = 0; block < outer; ++block) {
        for (Index lane = 0; lane < inner; ++lane) {
            line.assign(static_cast<std::size_t>(n), 0);
            const Exact* source = input.values.data() + block * extent * inner + lane;
            for (Index i = 0; i < extent; ++i)
                line[static_cast<std::size_t>(i)] = source[i * inner];
            fill(line);
            transform_line(line, roots, fast);
            finish(line);
            Exact* target = output.values.data() + block * kept * inner + lane;
            for (Index i = 0; i < kept; ++i) target[i * inner] = line[static_cast<std::size_t>(i)];
        }
    }
    return output;
}

/// What x[j] = 1 contributes to X[k], as docs/kinds.md defines the kinds.
long double basis(AxisKind kind, Index n, Index j, Index k) {
    const long double pi = std::numbers::pi_v<long double>;
    const auto length = static_cast<long double>(n);
    const auto from = static_cast<long double>(j);
    const auto to = static_cast<long double>(k);
    switch (kind) {
        case AxisKind::dct1:
            return (j == 0 || j == n - 1 ? 1 : 2) * std::cos(pi * from * to / (length - 1));
        case AxisKind::dct2:
            return 2 * std::cos(pi * (from + 0.5L) * to / length);
        case AxisKind::dct3:
            return (j == 0 ? 1 : 2) * std::cos(pi * from * (to + 0.5L) / length);
        case AxisKind::dct4:
            return 2 * std::cos(pi * (from + 0.5L) * (to + 0.5L) / length);
        case AxisKind::dst1:
            return 2 * std::sin(pi * (from + 1) * (to + 1) / (length + 1));
        case AxisKind::dst2:
            return 2 * std::sin(pi * (from + 0.5L) * (to + 1) / length);
        case AxisKind::dst3:
            return (j == n - 1 ? 1 : 2) * std::sin(pi * (from + 1) * (to + 0.5L) / length);
        case AxisKind::dst4:
            return 2 * std::sin(pi * (from + 0.5L) * (to + 0.5L) / length);
        default:
            break;
    }
    throw std::logic_error("no cosine or sine transform");
}

/// visit(line) of each line along an axis, which it changes.
template <class Visit>
void for_each_line(Whole& array, int axis, const Visit& visit) {
    const auto a = static_cast<std::size_t>(axis);
    const Index inner = step_of(array, a);
    const Index n = array.shape[a];
    std::vector<Exact> line(static_cast<std::size_t>(n));
    const auto count = static_cast<Index>(array.values.size());
    for (Index block = 0; block < count; block += n * inner) {
        for (Index lane = 0; lane < inner; ++lane) {
            Exact* first = array.values.data() + block + lane;
            for (Index i = 0; i < n; ++i) line[static_cast<std::size_t>(i)] = first[i * inner];
            visit(line);
            for (Index i = 0; i < n; ++i) first[i * inner] = line[static_cast<std::size_t>(i)];
        }
    }
}

/// A cosine or sine transform of the real and of the imaginary parts.
void transform_parts(Whole& array, int axis, AxisKind kind) {
    constexpr Index shortest_fast = 48;
    const Index n = array.shape[static_cast<std::size_t>(axis)];
    if (n >= shortest_fast) {
        ReferenceRealLine fast(kind, n);
        return for_each_line(array, axis, [&](std::vector<Exact>& line) {
            std::vector<Exact> imaginary = line;
            for (Exact& value : imaginary) value = value.imag();
            fast.transform(line);
            fast.transform(imaginary);
            for (std::size_t k = 0; k < line.size(); ++k) line[k].imag(imaginary[k].real());
        });
    }
    std::vector<long double> factors;
    for (Index k = 0; k < n; ++k) {
        for (Index j = 0; j < n; ++j) factors.push_back(basis(kind, n, j, k));
    }
    for_each_line(array, axis, [&](std::vector<Exact>& line) {
        std::vector<Exact> result(line.size());
        for (std::size_t k = 0; k < line.size(); ++k) {
            for (std::size_t j = 0; j < line.size(); ++j) {
                result[k] += factors[k * line.size() + j] * line[j];
            }
        }
        line = std::move(result);
    });
}

void nothing(std::vector<Exact>& /*line*/) {}

/// X[n-k] = conj X[k], the spectrum of real data.
void conjugate_half(std::vector<Exact>& line) {
    const std::size_t n = line.size();
    line[0] = line[0].real();
    if (n % 2 == 0) line[n / 2] = line[n / 2].real();
    for (std::size_t k = n / 2 + 1; k < n; ++k) line[k] = std::conj(line[n - k]);
}

/// The array with that many elements along an axis: the first ones, and zeros.
Whole resized(const Whole& input, int axis, Index extent) {
    const auto a = static_cast<std::size_t>(axis);
    if (input.shape[a] == extent) return input;
    Whole output = input;
    output.shape[a] = extent;
    output.values.assign(static_cast<std::size_t>(whole(output.shape).volume()), 0);
    const Index before = input.shape[a] * step_of(input, a);
    const Index behind = extent * step_of(input, a);
    const auto count = static_cast<Index>(input.values.size());
    for (Index block = 0; block * before < count; ++block) {
        std::copy_n(input.values.data() + block * before, std::min(before, behind),
                    output.values.data() + block * behind);
    }
    return output;
}

/// Of a whole spectrum of n the values that are kept come first.
void keep_modes(const Modes& modes, std::vector<Exact>& line) {
    const std::vector<Exact> all = line;
    for (Index i = 0; i < modes.count(); ++i) {
        const Index mode = modes.mode(i);
        Exact& value = line[static_cast<std::size_t>(i)];
        value = all[modes.place(mode)];
        if (!modes.is_shared(mode)) continue;
        value = modes.rule == EvenModes::zero ? Exact(0) : value + all[modes.place(-mode)];
    }
}

/// The reverse: a line that begins with what is kept becomes a spectrum of n.
void spread_modes(const Modes& modes, std::vector<Exact>& line) {
    const std::vector<Exact> kept = line;
    std::fill(line.begin(), line.end(), 0);
    for (Index i = 0; i < modes.count(); ++i) {
        const Index mode = modes.mode(i);
        Exact value = kept[static_cast<std::size_t>(i)];
        if (modes.is_shared(mode)) {
            value *= modes.rule == EvenModes::zero ? 0.0L : 0.5L;
            if (modes.r2c) value = value.real();
            line[modes.place(-mode)] = value;
        }
        line[modes.place(mode)] = value;
    }
    if (modes.r2c) conjugate_half(line);
}

/// The extent of an axis on the field's side.
Index points_of(const Problem& problem, int axis) {
    const auto a = static_cast<std::size_t>(axis);
    return problem.inside.empty() ? problem.shape[a] : problem.inside[a];
}

}  // namespace

bool has_oracle(const Problem& problem) {
    constexpr Index most = Index{1} << 25;
    return whole(problem.shape).volume() * problem.batch <= most;
}

/// Axis by axis: zeros are filled in, all is transformed, and what is kept is taken.
Whole analysis(const Problem& problem, const Whole& input) {
    Whole result = input;
    for (const int axis : transformed_axes(problem)) {
        const Modes modes = modes_of(problem, axis);
        const AxisKind kind = analysis_kind(problem, axis);
        if (is_real_to_real(kind)) {
            result = resized(result, axis, modes.n);
            transform_parts(result, axis, kind);
            result = resized(result, axis, modes.m);
        } else {
            result = along(result, axis, modes.n, modes.count(), -1, nothing,
                           [&](std::vector<Exact>& line) { keep_modes(modes, line); });
        }
    }
    return result;
}

AxisKind analysis_kind(const Problem& problem, int axis) {
    const AxisKind kind = axis_kind(problem, axis);
    return problem.kind == Kind::c2r ? inverse(kind) : kind;
}

long double real_impulse(const Problem& problem, const std::vector<Index>& at,
                         const std::vector<Index>& k) {
    long double value = 1;
    for (std::size_t a = 0; a < problem.shape.size(); ++a) {
        const AxisKind kind = analysis_kind(problem, static_cast<int>(a));
        if (is_real_to_real(kind)) value *= basis(kind, problem.shape[a], at[a], k[a]);
    }
    return value;
}

/// The r2c axis comes last: what is left then is the spectrum of real lines.
Whole synthesis(const Problem& problem, const Whole& input) {
    Whole result = input;
    std::vector<int> axes = transformed_axes(problem);
    const int r2c_axis = r2c_axis_of(problem);
    std::stable_partition(axes.begin(), axes.end(), [&](int axis) { return axis != r2c_axis; });
    for (const int axis : axes) {
        const Modes modes = modes_of(problem, axis);
        const AxisKind kind = analysis_kind(problem, axis);
        const Index points = points_of(problem, axis);
        if (is_real_to_real(kind)) {
            result = resized(result, axis, modes.n);
            transform_parts(result, axis, inverse(kind));
            result = resized(result, axis, points);
        } else {
            result = along(
                result, axis, modes.n, points, 1,
                [&](std::vector<Exact>& line) { spread_modes(modes, line); }, nothing);
        }
    }
    return result;
}

Whole random_signal(const Problem& problem, std::uint64_t seed) {
    Whole result;
    result.shape = array_shape(problem, false);
    const Index count = whole(result.shape).volume();
    result.values.resize(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) {
        result.values[static_cast<std::size_t>(i)] = sample(seed, i, problem.kind == Kind::c2c);
    }
    return result;
}

}  // namespace weft::core
