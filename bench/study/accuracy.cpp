// The engines' errors against transforms in long double.
#include <cmath>
#include <type_traits>

#include "base/random.hpp"
#include "study/exact_line.hpp"
#include "study/line_case.hpp"
#include "study/run.hpp"

namespace weft::study {

namespace {

using Real = ExactLine::Real;
using Complex = ExactLine::Complex;
using Line = std::vector<Complex>;

/// Lines of a length and kind, and what their transforms are. The values are those of floats, so
/// that one signal serves both precisions.
struct Signal {
    Kind kind = Kind::c2c;
    Index length = 1;
    std::vector<Line> inputs;
    std::vector<Line> outputs;
};

Complex random_value(core::Random& random, bool real) {
    const auto value = [&] { return static_cast<float>(random.between(-1000000, 1000000)) / 1e6F; };
    const float re = value();
    return {re, real ? 0 : value()};
}

/// The whole line of which a spectrum of real data keeps n/2+1 elements.
Line whole(const Line& half, Index n) {
    Line result = half;
    for (Index k = n / 2 + 1; k < n; ++k) {
        result.push_back(std::conj(half[static_cast<std::size_t>(n - k)]));
    }
    return result;
}

Signal signal(Kind kind, Index n, core::Random& random) {
    // Errors of short lines differ from one to the next, so they are taken over many.
    constexpr Index elements = 1024;
    const Index lines = std::max<Index>(1, elements / n);
    const core::LineTransform transform{kind, kind == Kind::c2r ? 1 : -1, Precision::f64, n};
    ExactLine exact(n, transform.sign);
    Signal result{kind, n, {}, {}};
    for (Index i = 0; i < lines; ++i) {
        Line input;
        for (Index k = 0; k < transform.source_length(); ++k) {
            const bool end = k == 0 || 2 * k == n;
            input.push_back(random_value(random, kind == Kind::r2c || (kind == Kind::c2r && end)));
        }
        Line output = kind == Kind::c2r ? whole(input, n) : input;
        exact.transform(output);
        output.resize(static_cast<std::size_t>(transform.target_length()));
        result.inputs.push_back(std::move(input));
        result.outputs.push_back(std::move(output));
    }
    return result;
}

/// Visits the lines' elements as they lie in an array, one after the other: visit(value, element).
template <class Element, class Visit>
void for_all(const std::vector<Line>& lines, std::byte* array, const Visit& visit) {
    auto* element = reinterpret_cast<Element*>(array);
    for (const Line& line : lines) {
        for (const Complex& value : line) visit(value, *element++);
    }
}

template <class T>
void store(const Signal& signal, std::byte* array) {
    if (signal.kind == Kind::r2c) {
        for_all<T>(signal.inputs, array,
                   [](const Complex& value, T& to) { to = static_cast<T>(value.real()); });
    } else {
        for_all<std::complex<T>>(
            signal.inputs, array, [](const Complex& value, std::complex<T>& to) {
                to = std::complex<T>(static_cast<T>(value.real()), static_cast<T>(value.imag()));
            });
    }
}

/// The rms of the error over the rms of the exact result.
template <class T>
double error(const Signal& signal, std::byte* array) {
    Real wrong = 0;
    Real all = 0;
    const auto add = [&](const Complex& exact, const auto& found) {
        wrong += std::norm(Complex(found) - exact);
        all += std::norm(exact);
    };
    if (signal.kind == Kind::c2r) {
        // The exact result is real but for its own rounding.
        for_all<T>(signal.outputs, array,
                   [&](const Complex& exact, T found) { add(exact.real(), found); });
    } else {
        for_all<std::complex<T>>(signal.outputs, array, add);
    }
    return static_cast<double>(std::sqrt(wrong / all));
}

template <class T>
Json errors(const Signal& signal, const Options& options) {
    LineCase one;
    one.kind = signal.kind;
    one.precision = std::is_same_v<T, double> ? Precision::f64 : Precision::f32;
    one.length = signal.length;
    one.batch = static_cast<Index>(signal.inputs.size());
    // Which algorithm is chosen matters little to the error, and there are thousands of lengths.
    const Effort effort = options.effort == Effort::automatic ? Effort::estimate : options.effort;
    Contest contest(task(one), options.engines, effort);
    store<T>(signal, contest.from());
    Json result = Json::object();
    for (std::size_t i = 0; i < contest.contestants().size(); ++i) {
        contest.run_alone(i);
        result[contest.contestants()[i].engine]["error"] = error<T>(signal, contest.to());
    }
    if (!result.contains("fftw")) return result;
    const double fftw = result["fftw"]["error"];
    for (auto& engine : result) {
        // Lengths 1 and 2 may have no error at all.
        engine["over_fftw"] = fftw > 0 ? Json(engine["error"].get<double>() / fftw) : nullptr;
    }
    return result;
}

void measure(const Options& options, Index n, core::Random& random) {
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        if (!wanted(options.kinds, to_string(kind))) continue;
        const Signal exact = signal(kind, n, random);
        for (const Precision precision : {Precision::f64, Precision::f32}) {
            if (!wanted(options.precisions, to_string(precision))) continue;
            Json result = {{"study", "accuracy"}};
            result["kind"] = to_string(kind);
            result["precision"] = to_string(precision);
            result["length"] = n;
            result["largest_prime"] = largest_prime(n);
            result["lines"] = exact.inputs.size();
            result["engines"] = precision == Precision::f64 ? errors<double>(exact, options)
                                                            : errors<float>(exact, options);
            print(result);
        }
    }
}

/// All lengths up to the largest in an order by chance, so that a run that is cut short has some of
/// each, and between them the random ones, whose logarithms are uniform.
std::vector<Index> lengths(const Options& options, core::Random& random) {
    if (!options.lengths.empty()) return options.lengths;
    constexpr double longest = 1e6;
    std::vector<Index> result;
    for (Index n = 1; n <= options.largest; ++n) result.push_back(n);
    for (int i = 0; i < options.random; ++i) {
        const auto least = static_cast<double>(options.largest);
        const double where = static_cast<double>(random.between(0, 1000000)) * 1e-6;
        result.push_back(std::llround(least * std::pow(longest / least, where)));
    }
    random.shuffle(result);
    return result;
}

}  // namespace

std::size_t run_accuracy(const Options& options, const Stopwatch& watch, double limit_s) {
    core::Random random(1);
    const std::vector<Index> all = lengths(options, random);
    Progress progress("accuracy", all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (watch.seconds() > limit_s) return all.size() - i;
        progress.next("length " + std::to_string(all[i]));
        measure(options, all[i], random);
    }
    return 0;
}

}  // namespace weft::study
