#include "tune/estimate.hpp"

#include <algorithm>

#include "tune/trials.hpp"

namespace weft::core {

Choice estimated_choice(const Problem& problem, const Choice& constraint, int ranks,
                        const Means& means, const Machine& machine) {
    constexpr int most_looked_at = 200;
    constexpr int ranks_and_looks = 10000;
    constexpr int expanded = 12;
    constexpr double tie = 1.02;
    Trials trials(problem, constraint, ranks, means, machine);
    const int looks = std::clamp(ranks_and_looks / ranks, 10, most_looked_at);
    for (int look = 0; look < looks && trials.think(expanded); ++look) continue;
    double least = trials[0].predicted;
    for (std::size_t i = 1; i < trials.size(); ++i) least = std::min(least, trials[i].predicted);
    std::size_t best = 0;
    const auto is_tied = [&](std::size_t i) { return trials[i].predicted <= tie * least; };
    for (std::size_t i = 1; i < trials.size(); ++i) {
        if (!is_tied(i)) continue;
        if (!is_tied(best) || trials[i].complexity() < trials[best].complexity()) best = i;
    }
    return trials[best].plan.choice;
}

}  // namespace weft::core
