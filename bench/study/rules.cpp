#include "study/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fft/native/engine.hpp"
#include "fft/native/lines/rules.hpp"

namespace weft::study {

namespace {

using core::native::Kernels;
using core::native::LineCase;
using core::native::LinesRule;

/// The hints that the engine's plans give.
core::FftTask with_hints(core::FftTask task) {
    Index bytes = task.line.length * task.line.target().bytes();
    for (const core::Loop& loop : task.looped) bytes *= loop.extent;
    const bool far = bytes > core::native::large_bytes;
    task.caches = {.far_from = far, .far_to = far, .stream = far};
    return task;
}

template <class T>
std::string name_of(const LinesRule<T>& rule, const Kernels<T>& kernels) {
    return fmt::format("{}/{}", rule.name, kernels.target);
}

/// visit(rule, case) for each with nothing against it, by the two best instruction sets, which are
/// those that compete.
template <class T, class Visit>
void for_each_rule(const core::FftTask& task, const Visit& visit) {
    const auto& competing = core::native::competing_kernels<T>();
    for (std::size_t i = 0; i < std::min<std::size_t>(competing.size(), 2); ++i) {
        const LineCase<T> one = {task, *competing[i]};
        for (const LinesRule<T>& rule : core::native::lines_rules<T>()) {
            if (rule.offer(one).against == nullptr) visit(rule, one);
        }
    }
}

template <class T>
std::vector<std::string> names(const core::FftTask& task) {
    std::vector<std::string> result;
    for_each_rule<T>(task, [&](const LinesRule<T>& rule, const LineCase<T>& one) {
        result.push_back(name_of(rule, one.kernels));
    });
    return result;
}

template <class T>
std::unique_ptr<core::FftPlan> plan(const std::string& name, const core::FftTask& task) {
    std::unique_ptr<core::FftPlan> result;
    for_each_rule<T>(task, [&](const LinesRule<T>& rule, const LineCase<T>& one) {
        if (name_of(rule, one.kernels) == name) {
            result = rule.offer(one).make();
        }
    });
    return result;
}

bool is_double(const core::FftTask& task) { return task.line.precision == Precision::f64; }

}  // namespace

std::vector<std::string> rule_names(const core::FftTask& task) {
    const core::FftTask hinted = with_hints(task);
    return is_double(task) ? names<double>(hinted) : names<float>(hinted);
}

std::unique_ptr<core::FftPlan> plan_by_rule(const std::string& name, const core::FftTask& task) {
    const core::FftTask hinted = with_hints(task);
    return is_double(task) ? plan<double>(name, hinted) : plan<float>(name, hinted);
}

}  // namespace weft::study
