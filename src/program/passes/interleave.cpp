#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "program/passes/passes.hpp"

namespace weft::core {

namespace {

/// A tile's steps between the exchanges that it starts.
struct Segment {
    std::vector<StepId> compute;
    std::vector<StepId> start;   ///< the exchange, and what is done beside it; none in the last one
    std::vector<StepId> finish;  ///< what waits for it, message by message or for all
};

/// The segments of each tile, with the steps of no tile that go along with them: exchanges of whole
/// stages, before and behind the tiles, end no segment.
std::vector<std::vector<Segment>> segments_by_tile(const Draft& draft) {
    std::vector<std::vector<Segment>> result;
    std::vector<StepId> next;  // steps that go along with the tile behind them
    int last_stage = 0;        // of the tile before
    bool started = false;      // its exchange, in the segment that is not complete
    for (const StepId id : draft.order) {
        const Operation& step = draft.steps[id];
        if (!step.tile) {
            const bool behind = !result.empty() && step.stage > last_stage;
            (behind ? result.back().back().compute : next).push_back(id);
            continue;
        }
        last_stage = step.stage;
        if (usize(*step.tile) == result.size()) {
            result.push_back({Segment{std::exchange(next, {}), {}, {}}});
        }
        std::vector<Segment>& segments = result.back();
        if (std::holds_alternative<FinishOp>(step.what)) {
            segments.back().finish.push_back(id);
            segments.emplace_back();
            started = false;
            continue;
        }
        if (std::holds_alternative<ArrivalOp>(step.what) ||
            std::holds_alternative<OnwardOp>(step.what)) {
            segments.back().finish.push_back(id);
            continue;
        }
        if (std::holds_alternative<StartOp>(step.what)) started = true;
        (started ? segments.back().start : segments.back().compute).push_back(id);
    }
    // No tile is behind them.
    if (!result.empty()) {
        std::vector<StepId>& last = result.back().back().compute;
        last.insert(last.end(), next.begin(), next.end());
    }
    return result;
}

}  // namespace

void interleave(Draft& draft, const TilesInFlight& wanted) {
    const std::vector<std::vector<Segment>> segments = segments_by_tile(draft);
    const int tiles = static_cast<int>(segments.size());
    if (tiles == 0) return;
    const int exchanges = static_cast<int>(segments.front().size()) - 1;
    const auto in_flight = static_cast<int>(std::min<Index>(wanted.tiles, tiles));
    const bool late = wanted.late;
    const bool waits_first = wanted.strict && in_flight > 0;
    draft.order.clear();
    const auto segment = [&](int tile, int number) -> const Segment& {
        return segments[usize(tile)][usize(number)];
    };
    const auto append = [&](const std::vector<StepId>& steps) {
        draft.order.insert(draft.order.end(), steps.begin(), steps.end());
    };
    for (int turn = 0; turn < tiles + exchanges * in_flight; ++turn) {
        for (int number = 0; number <= exchanges; ++number) {
            const int tile = turn - number * in_flight;
            const bool there = tile >= 0 && tile < tiles;
            if (there && (number < exchanges || !late)) append(segment(tile, number).compute);
            if (number == exchanges) continue;
            // [song] Alg. 1 waits first. The next messages are on their way earlier without that.
            if (there && !waits_first) append(segment(tile, number).start);
            const int travelled = tile - in_flight;
            if (travelled >= 0 && travelled < tiles) append(segment(travelled, number).finish);
            if (there && waits_first) append(segment(tile, number).start);
        }
    }
    for (int tile = 0; late && tile < tiles; ++tile) append(segment(tile, exchanges).compute);
}

}  // namespace weft::core
