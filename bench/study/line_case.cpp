#include "study/line_case.hpp"

#include <fmt/format.h>

#include "fft/native/tables/numbers.hpp"
#include "study/contest.hpp"

namespace weft::study {

namespace {

/// Elements from one element of a line to the next, and from one line to the next.
struct Strides {
    Index element;
    Index line;
};

core::LineTransform transform(const LineCase& one) {
    return {one.kind, one.kind == Kind::c2r ? 1 : -1, one.precision, one.length, one.axis};
}

Strides strides(const LineCase& one, bool output) {
    const Index distance = one.pattern.distance;
    if ((output ? one.pattern.to : one.pattern.from) == Order::lines) {
        const core::LineTransform line = transform(one);
        const Index dense = output ? line.target_length() : line.source_length();
        return {1, distance != 0 ? distance : dense};
    }
    return {distance != 0 ? distance : one.batch, 1};
}

}  // namespace

core::FftTask task(const LineCase& one) {
    const Strides from = strides(one, false);
    const Strides to = strides(one, true);
    return {.line = transform(one),
            .from_step = from.element,
            .to_step = to.element,
            .looped = {{one.batch, from.line, to.line}}};
}

Index data_bytes(const LineCase& one) {
    const core::LineTransform line = transform(one);
    return one.batch * (line.source_length() * line.source().bytes() +
                        line.target_length() * line.target().bytes());
}

std::string to_string(const Pattern& pattern) {
    const auto word = [](Order order) { return order == Order::lines ? "lines" : "lanes"; };
    if (pattern.from == pattern.to) return word(pattern.from);
    return fmt::format("{}-to-{}", word(pattern.from), word(pattern.to));
}

std::string to_string(Level level) {
    switch (level) {
        case Level::L1:
            return "L1";
        case Level::L2:
            return "L2";
        case Level::L3:
            return "L3";
        case Level::memory:
            break;
    }
    return "memory";
}

std::string kind_word(const LineCase& one) {
    return one.kind == Kind::r2r ? to_string(one.axis) : to_string(one.kind);
}

std::string to_string(const LineCase& one) {
    const std::string distance =
        one.pattern.distance == 0 ? "" : fmt::format("/{}", one.pattern.distance);
    return fmt::format("{} {} {} x {} in {}, {}{}", kind_word(one), to_string(one.precision),
                       one.length, one.batch, to_string(one.level), to_string(one.pattern),
                       distance);
}

Index largest_prime(Index n) { return n == 1 ? 1 : core::native::prime_factors(n).back(); }

std::string group(Index n) {
    const Index prime = largest_prime(n);
    if (n > 1 && (n & (n - 1)) == 0) return "powers-of-two";
    if (prime <= 7) return "2-3-5-7";
    return prime == n ? "primes" : "other";
}

}  // namespace weft::study
