#include "fuzz/check_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/explain.hpp"
#include "plan/problem.hpp"
#include "program/lower.hpp"
#include "weft/error.hpp"

namespace weft::core::test {

namespace {

void require(bool holds, const std::string& theorem, const std::string& text) {
    if (!holds) throw std::logic_error(theorem + ": " + text);
}

/// Planning takes longer with more ranks, and a fuzzer is to try many texts.
constexpr int most_ranks = 512;

/// Whether lowering a rank, which takes the time of its peers, tiles, polls and lines, is quick.
bool is_small(const Plan& plan) {
    constexpr Index most_elements = Index{1} << 12;
    constexpr int most_polls = 64;
    if (plan.ranks > 16) return false;
    if (!plan.pipeline) return true;
    const Tiling& tiling = *plan.choice.tile;
    Index elements = 1;
    for (const Index n : array_shape(plan.problem, false)) elements *= std::min(n, most_elements);
    const auto few = [&](const TileNumber& one) { return *(tiling.*one.value) <= most_polls; };
    return elements <= most_elements && std::all_of(poll_numbers.begin(), poll_numbers.end(), few);
}

/// Lowers one rank, both ways and with one or several ranks to a node.
void check_lowering(const Plan& plan, int rank) {
    for (const int ranks_per_node : {0, 2}) {
        const Environment environment{Topology(plan.ranks, ranks_per_node)};
        for (const Plan& direction : {plan, reverse(plan)}) {
            require(lower(direction, rank, environment).buffers ==
                        outline(direction, rank, environment).buffers,
                    "an outline has the buffers of the program", to_string(plan));
        }
    }
}

void check_plan(const PlanRequest& request, int ranks, int rank) {
    const Plan plan = make_plan(request.problem, request.choice, ranks);
    const std::string text = to_string(plan);
    require(parse_plan(text) == plan, "a plan's text reads back as the plan", text);
    // Direct access belongs to one direction.
    const bool direct = text.find("=direct") != std::string::npos;
    require(direct || reverse(reverse(plan)) == plan, "reversing twice changes nothing", text);
    explain(plan, rank);
    explain(reverse(plan), rank);
    if (is_small(plan)) check_lowering(plan, rank);
}

}  // namespace

void check_text(std::string_view text) {
    PlanRequest request;
    try {
        request = parse_plan_request(text);
        validate(request.problem);
        validate(request.choice);
    } catch (const Error&) {
        return;
    }
    const std::string problem = weft::to_string(request.problem);
    require(parse_problem(problem) == request.problem, "a problem reads back", problem);
    const std::string choice = weft::to_string(request.choice);
    require(parse_choice(choice) == request.choice, "a choice reads back", choice);
    // One number of ranks for each text, and one of them, so that many texts are tried.
    constexpr std::array<int, 5> counts = {1, 2, 3, 6, 8};
    const std::uint64_t drawn = hash(text);
    const int ranks =
        request.ranks != 0 ? std::min(request.ranks, most_ranks) : counts[drawn % counts.size()];
    try {
        check_plan(request, ranks, static_cast<int>(drawn % static_cast<std::uint64_t>(ranks)));
    } catch (const Error&) {
        return;
    }
}

}  // namespace weft::core::test
