#include "verify/oracle.hpp"

#include <algorithm>
#include <numbers>

#include "fft/reference_line.hpp"

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

/// One axis of a whole array: `extent` values are read of each line, `fill` completes the line to
/// n, `kept` are written to an array whose axis has that length.
template <class Fill>
Whole along(const Whole& input, int axis, Index n, Index kept, int sign, const Fill& fill) {
    const auto a = static_cast<std::size_t>(axis);
    Whole output = input;
    output.shape[a] = kept;
    output.values.assign(static_cast<std::size_t>(whole(output.shape).volume()), 0);
    Index inner = 1;
    for (std::size_t b = a + 1; b < input.shape.size(); ++b) inner *= input.shape[b];
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
            Exact* target = output.values.data() + block * kept * inner + lane;
            for (Index i = 0; i < kept; ++i) target[i * inner] = line[static_cast<std::size_t>(i)];
        }
    }
    return output;
}

void nothing(std::vector<Exact>& /*line*/) {}

/// X[n-k] = conj X[k], the spectrum of real data.
void conjugate_half(std::vector<Exact>& line) {
    const std::size_t n = line.size();
    line[0] = line[0].real();
    if (n % 2 == 0) line[n / 2] = line[n / 2].real();
    for (std::size_t k = n / 2 + 1; k < n; ++k) line[k] = std::conj(line[n - k]);
}

}  // namespace

bool has_oracle(const Problem& problem) {
    constexpr Index most = Index{1} << 25;
    return whole(array_shape(problem, false)).volume() <= most;
}

Whole analysis(const Problem& problem, const Whole& input) {
    const int halved = halved_axis(problem);
    Whole result = input;
    if (halved != -1) {
        const Index n = problem.shape[static_cast<std::size_t>(halved)];
        result = along(result, halved, n, n / 2 + 1, -1, nothing);
    }
    for (const int axis : transformed_axes(problem)) {
        const Index n = problem.shape[static_cast<std::size_t>(axis)];
        if (axis != halved) result = along(result, axis, n, n, -1, nothing);
    }
    return result;
}

Whole synthesis(const Problem& problem, const Whole& input) {
    const int halved = halved_axis(problem);
    Whole result = input;
    for (const int axis : transformed_axes(problem)) {
        const Index n = problem.shape[static_cast<std::size_t>(axis)];
        if (axis != halved) result = along(result, axis, n, n, 1, nothing);
    }
    if (halved != -1) {
        const Index n = problem.shape[static_cast<std::size_t>(halved)];
        result = along(result, halved, n, n, 1, conjugate_half);
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
