// Rules: the ways to transform complex lines, of which the first one with nothing against it is
// taken, unless another was measured to be faster on this processor.
//
// To add one: a file in this folder with its function, and a row in rules.def.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fft/native/lines/lines.hpp"

namespace weft::core::native {

/// Complex lines to be transformed, and the kernels that would do it.
template <class T>
struct LineCase {
    const FftTask& task;
    const Kernels<T>& kernels;

    [[nodiscard]] Index length() const { return task.line.length; }
    [[nodiscard]] bool from_lines() const { return task.from_step == 1; }
    [[nodiscard]] bool to_lines() const { return task.to_step == 1; }
    /// Whether they are read from memory or written there.
    [[nodiscard]] bool far() const {
        return task.caches.far_from || task.caches.far_to || task.caches.stream;
    }
};

/// What is against a rule that several rules say alike.
namespace reasons {
inline constexpr const char* reproducible =
    "its arithmetic depends on where lines lie, and results are to be reproducible";
inline constexpr const char* far = "tiles are faster where the lines are not in the caches";
inline constexpr const char* not_contiguous = "lines are not contiguous on both sides";
inline constexpr const char* no_kernel = "no kernel has this length";
inline constexpr const char* too_long = "a tile of lines this long does not fit the second cache";
}  // namespace reasons

/// What a rule says to some lines: what is against it, or how it would transform them.
template <class T>
struct LinesOffer {
    const char* against = nullptr;
    std::function<std::unique_ptr<Lines<T>>()> make = {};
};
/// By a LineTile that is made of these.
template <class Tile, class T, class... Args>
LinesOffer<T> offer(const LineCase<T>& one, const Args&... args) {
    return {nullptr, [one, args...] {
                return make_batch<T>(one.task, one.kernels, std::make_unique<Tile>(one, args...));
            }};
}

template <class T>
struct LinesRule {
    std::string_view name;
    char letter;  ///< in fastest.def
    std::string_view does;
    LinesOffer<T> (*offer)(const LineCase<T>& one);
};

/// The preferred ones first; the last one holds always.
template <class T>
const std::vector<LinesRule<T>>& lines_rules();

/// The lengths that fastest.def speaks of, ascending: products of 2, 3, 5 and 7 up to longest_tile.
const std::vector<Index>& measured_lengths();
/// The letter of the rule that was measured to be the fastest on this processor, a small one if by
/// the kernels of narrower vectors; '.' if that is the one that is preferred anyway, or nothing was
/// measured.
template <class T>
char fastest(const LineCase<T>& one);

/// Times the rules for lines of these lengths in the caches, for at most so many seconds, where
/// fastest.def does not know the processor and this process neither. Plans that are made from then
/// on prefer what was the fastest.
template <class T>
void learn_fastest(std::span<const Index> lengths, double seconds);
/// What was learned so far: a line of text for the processor and one for each letter; or nothing.
std::string learned_text();
/// Learns from such a text what this process does not know, of this processor; whether it is one.
bool learn_text(const std::string& text);

/// What transforms some lines.
template <class T>
struct LinesChoice {
    const LinesRule<T>* rule;
    const Kernels<T>* kernels;
    bool measured;  ///< preferred because it was measured to be faster
};
/// What make_lines takes.
template <class T>
LinesChoice<T> choose_lines(const FftTask& task, const Kernels<T>& kernels);
/// What choose_lines takes, in words, and why not the rules before it: a line of text for each.
template <class T>
std::string why_lines(const FftTask& task, const Kernels<T>& kernels);

#define WEFT_LINES_RULE(function, ...) \
    template <class T>                 \
    LinesOffer<T> function(const LineCase<T>&);
#include "fft/native/lines/rules.def"

/// For both precisions, in the file of a rule.
#define WEFT_LINES_RULE_FOR_ALL(function)                        \
    template LinesOffer<float> function(const LineCase<float>&); \
    template LinesOffer<double> function(const LineCase<double>&);

}  // namespace weft::core::native
