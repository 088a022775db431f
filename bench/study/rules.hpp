// The native engine's ways to transform complex lines (fft/native/lines/rules.def), each by
// the two best instruction sets of this machine, as contestants.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fft/engine.hpp"

namespace weft::study {

/// `along/AVX2` and so on: those with nothing against them in the order of rules.def, by the best
/// instruction set and then by the next one. The task is complex, of one axis.
std::vector<std::string> rule_names(const core::FftTask& task);
/// A plan by one of them; null of any other name.
std::unique_ptr<core::FftPlan> plan_by_rule(const std::string& name, const core::FftTask& task);

}  // namespace weft::study
