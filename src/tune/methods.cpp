#include "tune/methods.hpp"

#include <algorithm>

#include "base/engines.hpp"
#include "exchange/via.hpp"
#include "plan/choice.hpp"
#include "weft/error.hpp"

namespace weft::core {

bool is_measured(const Choice& choice) {
    return choice.via == measured_via ||
           std::any_of(
               choice.via_of_redistribution.begin(), choice.via_of_redistribution.end(),
               [](const auto& redistribution) { return redistribution.second == measured_via; });
}

bool measures_engine(const Choice& choice) { return choice.engine == measured_engine; }

Choice unmeasured(Choice choice) {
    if (measures_engine(choice)) choice.engine.clear();
    if (choice.via == measured_via) choice.via.clear();
    for (auto& [number, via] : choice.via_of_redistribution) {
        if (via == measured_via) via = default_via(choice.pack, false);
    }
    return choice;
}

std::vector<int> measured_redistributions(const Choice& choice, int redistributions) {
    std::vector<int> result;
    for (int number = 0; number < redistributions; ++number) {
        if (via_of(choice, number) == measured_via) result.push_back(number);
    }
    return result;
}

std::vector<Candidate> candidates(const Problem& problem, Choice choice, int ranks, int number) {
    // Sub-tiles are of one way of packing.
    if (choice.tile) {
        choice.tile->pack_block_across.reset();
        choice.tile->pack_block.reset();
        choice.tile->unpack_block_across.reset();
        choice.tile->unpack_block.reset();
    }
    std::vector<Candidate> result;
    for (const Method& method : methods()) {
        if (!suits(method.via, choice.pack)) continue;
        choice.via_of_redistribution[number] = method.name;
        try {
            result.push_back({std::string(method.name), make_plan(problem, choice, ranks).choice});
        } catch (const Error& error) {
            if (error.code() != ErrorCode::bad_request)
                throw;  // It does not suit this redistribution.
        }
    }
    return result;
}

}  // namespace weft::core
