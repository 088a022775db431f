#include "fft/native/lines/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace weft::core::native {

template <class T>
const std::vector<LinesRule<T>>& lines_rules() {
// NOLINTNEXTLINE(bugprone-macro-parentheses): it is the name of a template.
#define WEFT_LINES_RULE(function, name, letter, does) {name, letter, does, &function<T>},
    static const std::vector<LinesRule<T>> rules = {
#include "fft/native/lines/rules.def"
    };
    return rules;
}

namespace {

/// The kernels of the next narrower vectors that compete with these; null if there are none.
template <class T>
const Kernels<T>* narrower(const Kernels<T>& kernels) {
    const auto& all = competing_kernels<T>();
    const bool vectors = all.size() > 1 && all[1]->lanes > 1;
    return &kernels == all.front() && vectors ? all[1] : nullptr;
}

/// Whether it is one contiguous line that vectors of 32 bytes suit better than those of 64, by its
/// length: along it they leave nothing empty where the wide ones do, or half of each in a line that
/// is too short to be cut.
template <class T>
bool is_for_half_vectors(const FftTask& task, const Kernels<T>& kernels) {
    constexpr Index unit = 4;
    constexpr Index cut_from = 256;
    const Index n = task.line.length;
    const bool wide = kernels.lanes * static_cast<Index>(sizeof(T)) == 64;
    if (!wide || most_lines(task) != 1 || task.line.reproducible) return false;
    const bool fills = n % (kernels.lanes / 2) == 0 || (n % unit == 0 && n < cut_from);
    return n % kernels.lanes != 0 && fills;
}

/// The next narrower kernels where lines fill a vector of theirs and at most half of one of these;
/// else the same ones. Contiguous lines keep theirs, since vectors run along them, unless there is
/// one that does not fill them.
template <class T>
const Kernels<T>* filled(const FftTask& task, const Kernels<T>* kernels) {
    const Kernels<T>* const other = narrower(*kernels);
    if (other == nullptr) return kernels;
    if (task.from_step == 1 && task.to_step == 1) {
        return is_for_half_vectors(task, *kernels) ? other : kernels;
    }
    return are_few(task, kernels->lanes) && most_lines(task) >= other->lanes ? other : kernels;
}

/// The rule that was measured to be faster than the one that is preferred; without one if none was,
/// or something is against it here.
template <class T>
LinesChoice<T> measured(const FftTask& task, const Kernels<T>& kernels) {
    const char letter = fastest(LineCase<T>{task, kernels});
    const bool small = std::islower(static_cast<unsigned char>(letter)) != 0;
    const Kernels<T>* const by = small ? narrower(kernels) : &kernels;
    const auto& rules = lines_rules<T>();
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const LinesRule<T>& one) {
        return one.letter == std::toupper(static_cast<unsigned char>(letter));
    });
    const bool holds =
        rule != rules.end() && by != nullptr && rule->offer({task, *by}).against == nullptr;
    return {holds ? &*rule : nullptr, by, true};
}

}  // namespace

template <class T>
LinesChoice<T> choose_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (const auto choice = measured(task, kernels); choice.rule != nullptr) return choice;
    const Kernels<T>* const by = filled(task, &kernels);
    auto rule = lines_rules<T>().begin();
    while (rule->offer({task, *by}).against != nullptr) ++rule;
    return {&*rule, by, false};
}

template <class T>
std::unique_ptr<Lines<T>> make_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c) return make_real_lines<T>(task, kernels);
    const LinesChoice<T> choice = choose_lines(task, kernels);
    return choice.rule->offer({task, *choice.kernels}).make();
}

template <class T>
std::string why_lines(const FftTask& task, const Kernels<T>& kernels) {
    const LinesChoice<T> choice = choose_lines(task, kernels);
    std::string text = fmt::format("{}, vectors of {}: {}\n", choice.rule->name,
                                   choice.kernels->target, choice.rule->does);
    if (choice.measured) return text + "  measured to be the fastest on such a processor\n";
    if (choice.kernels != &kernels) {
        text +=
            fmt::format("  not vectors of {}: lines fill at most a part of one\n", kernels.target);
    }
    for (const LinesRule<T>& rule : lines_rules<T>()) {
        if (&rule == choice.rule) break;
        text +=
            fmt::format("  not {}: {}\n", rule.name, rule.offer({task, *choice.kernels}).against);
    }
    return text;
}

template const std::vector<LinesRule<float>>& lines_rules();
template const std::vector<LinesRule<double>>& lines_rules();
template LinesChoice<float> choose_lines(const FftTask&, const Kernels<float>&);
template LinesChoice<double> choose_lines(const FftTask&, const Kernels<double>&);
template std::unique_ptr<Lines<float>> make_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_lines(const FftTask&, const Kernels<double>&);
template std::string why_lines(const FftTask&, const Kernels<float>&);
template std::string why_lines(const FftTask&, const Kernels<double>&);

}  // namespace weft::core::native
