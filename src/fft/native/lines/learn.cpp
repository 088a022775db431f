#include "fft/native/lines/learn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include "fft/engine.hpp"
#include "fft/native/lines/rules.hpp"
#include "memory/buffer.hpp"

namespace weft::core::native {

namespace {

using Letters = std::map<LearnedCase, char>;

struct Known {
    std::mutex mutex{};
    Letters letters{};
};
Known& known() {
    static Known all;
    return all;
}

/// The first line of a text.
std::string head() { return "weft lines 1, " + native_learns_for(); }

std::string_view name_of(Precision precision) {
    return precision == Precision::f64 ? "f64" : "f32";
}

/// `f64 lanes 60 t`
bool read_letter(const std::string& text, Letters& letters) {
    std::istringstream words(text);
    std::string precision;
    std::string pattern;
    LearnedCase one;
    char letter = '.';
    if (!(words >> precision >> pattern >> one.length >> letter)) return false;
    const auto found = std::find(pattern_names.begin(), pattern_names.end(), pattern);
    const bool letters_only =
        letter == '.' || std::isalpha(static_cast<unsigned char>(letter)) != 0;
    if (found == pattern_names.end() || !letters_only) return false;
    if (precision != "f64" && precision != "f32") return false;
    one.precision = precision == "f64" ? Precision::f64 : Precision::f32;
    one.pattern = static_cast<Pattern>(found - pattern_names.begin());
    letters[one] = letter;
    return true;
}

/// A batch that stays in the second cache; nothing: such lines do not.
template <class T>
std::optional<FftTask> task_of(const LearnedCase& one) {
    constexpr Index elements = 16384;
    constexpr Index element_bytes = 2 * static_cast<Index>(sizeof(T));
    const Index n = one.length;
    const Index vector = best_kernels<T>().lanes;
    Index batch = std::max(elements / n, 2 * vector);
    if (one.pattern == crowded_lanes) {
        batch = way_bytes / element_bytes;
        if (n * batch > 4 * elements) return std::nullopt;
    } else {
        while (meet_in_cache(batch * element_bytes)) batch += vector;
    }
    const bool from_lines = one.pattern == lines || one.pattern == lines_to_lanes;
    const bool to_lines = one.pattern == lines || one.pattern == lanes_to_lines;
    FftTask task{.from_step = from_lines ? 1 : batch,
                 .to_step = to_lines ? 1 : batch,
                 .looped = {{batch, from_lines ? n : 1, to_lines ? n : 1}}};
    task.line.precision = one.precision;
    task.line.length = n;
    return task;
}

/// As fastest.def writes it.
template <class T>
char letter_of(const LinesRule<T>& rule, bool narrower) {
    const auto letter = static_cast<unsigned char>(rule.letter);
    return narrower ? static_cast<char>(std::tolower(letter)) : rule.letter;
}

/// A rule with nothing against it, by some vectors.
template <class T>
struct Way {
    char letter = '.';
    std::unique_ptr<Lines<T>> lines{};
    double seconds = 1e9;  ///< of the fastest run
};

template <class T>
std::vector<Way<T>> ways_of(const FftTask& task) {
    std::vector<Way<T>> result;
    const auto& all = competing_kernels<T>();
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 2); ++i) {
        if (i > 0 && all[i]->lanes == 1) break;
        const LineCase<T> one = {task, *all[i]};
        for (const LinesRule<T>& rule : lines_rules<T>()) {
            const LinesOffer<T> offer = rule.offer(one);
            if (offer.against != nullptr) continue;
            result.push_back({letter_of(rule, i > 0), offer.make()});
        }
    }
    return result;
}

/// The letter of the rule that is taken where nothing was measured.
template <class T>
char preferred(const FftTask& task) {
    const Kernels<T>& kernels = best_kernels<T>();
    const LinesChoice<T> choice = choose_lines(task, kernels);
    return letter_of(*choice.rule, choice.kernels != &kernels);
}

/// The fastest way, in turns; '.' where what is preferred anyway is nearly as fast.
template <class T>
char measured_letter(const FftTask& task) {
    constexpr double within = 1.03;
    constexpr int rounds = 15;
    std::vector<Way<T>> ways = ways_of<T>(task);
    const Index bytes =
        task.line.length * task.looped.front().extent * 2 * static_cast<Index>(sizeof(T));
    const Buffer from(bytes);
    const Buffer to(bytes);
    std::fill_n(from.data(), bytes, std::byte{0});
    for (int round = 0; round < rounds; ++round) {
        for (Way<T>& way : ways) {
            const auto start = std::chrono::steady_clock::now();
            way.lines->execute(from.data(), to.data());
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            way.seconds = std::min(way.seconds, took.count());
        }
    }
    const auto best =
        std::min_element(ways.begin(), ways.end(),
                         [](const Way<T>& a, const Way<T>& b) { return a.seconds < b.seconds; });
    const char usual = preferred<T>(task);
    const auto taken = std::find_if(ways.begin(), ways.end(),
                                    [&](const Way<T>& way) { return way.letter == usual; });
    const bool as_fast = taken == ways.end() || taken->seconds <= within * best->seconds;
    return as_fast ? '.' : best->letter;
}

}  // namespace

std::optional<char> learned(const LearnedCase& one) {
    const std::scoped_lock lock(known().mutex);
    const auto found = known().letters.find(one);
    if (found == known().letters.end()) return std::nullopt;
    return found->second;
}

void learn(const LearnedCase& one, char letter) {
    const std::scoped_lock lock(known().mutex);
    known().letters[one] = letter;
}

template <class T>
void learn_fastest(std::span<const Index> lengths, double seconds) {
    if (is_measured_processor()) return;
    double longest = 4e-3;  // of one case
    double spent = 0;
    const auto& measured = measured_lengths();
    for (const Index n : lengths) {
        if (!std::binary_search(measured.begin(), measured.end(), n)) continue;
        for (int pattern = lines; pattern < patterns; ++pattern) {
            if (spent + longest > seconds) return;
            const LearnedCase one = {sizeof(T) == 8 ? Precision::f64 : Precision::f32,
                                     static_cast<Pattern>(pattern), n};
            const auto task = learned(one) ? std::nullopt : task_of<T>(one);
            if (!task) continue;
            const auto start = std::chrono::steady_clock::now();
            learn(one, measured_letter<T>(*task));
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            longest = std::max(longest, took.count());
            spent += took.count();
        }
    }
}

template void learn_fastest<float>(std::span<const Index>, double);
template void learn_fastest<double>(std::span<const Index>, double);

std::string learned_text() {
    const std::scoped_lock lock(known().mutex);
    if (known().letters.empty()) return "";
    std::string text = head() + "\n";
    for (const auto& [one, letter] : known().letters) {
        text +=
            fmt::format("{} {} {} {}\n", name_of(one.precision),
                        pattern_names[static_cast<std::size_t>(one.pattern)], one.length, letter);
    }
    return text;
}

bool learn_text(const std::string& text) {
    std::istringstream rows(text);
    std::string row;
    if (!std::getline(rows, row)) return true;
    if (!row.starts_with("weft lines 1, ")) return false;
    const bool here = row == head();
    Letters letters;
    while (std::getline(rows, row)) {
        if (!read_letter(row, letters)) return false;
    }
    if (!here) return true;
    const std::scoped_lock lock(known().mutex);
    known().letters.merge(letters);
    return true;
}

}  // namespace weft::core::native

namespace weft::core {

std::string native_learns_for() {
    return native::processor_here() + ", " + native_instruction_set();
}

void forget_native_wisdom() {
    const std::scoped_lock lock(native::known().mutex);
    native::known().letters.clear();
}

}  // namespace weft::core
