#include "program/poll.hpp"

#include <algorithm>

namespace weft::core {

namespace {

/// Steps `begin` to `end` of the loop of a pass.
FusedOp steps_of(const FusedOp& op, Index begin, Index end) {
    FusedOp result = op;
    result.repeat = end - begin;
    for (auto& work : result.work) {
        if (auto* batch = std::get_if<FusedBatch>(&work)) {
            batch->task.from_offset += begin * batch->from_step;
            batch->task.to_offset += begin * batch->to_step;
            continue;
        }
        auto& lines = std::get<PartsTask>(work);
        lines.loops.front() = result.repeat;
        for (std::vector<LinePart>* side : {&lines.from, &lines.to}) {
            for (LinePart& part : *side) part.offset += begin * part.strides.front();
        }
    }
    return result;
}

void add_pass(const Operation& operation, Index pieces, std::vector<PolledUnit>& units) {
    const auto& op = std::get<FusedOp>(operation.what);
    const Index count = std::clamp<Index>(pieces, 1, std::max<Index>(op.repeat, 1));
    for (Index i = 0; i < count; ++i) {
        Operation piece{operation.stage,
                        steps_of(op, op.repeat * i / count, op.repeat * (i + 1) / count)};
        units.push_back({{std::move(piece)}, false});
    }
}

bool is_copy(const Operation& operation) { return std::holds_alternative<CopyOp>(operation.what); }

/// Marks `polls` of the units that `chosen` names, evenly.
template <class Chosen>
void spread(std::vector<PolledUnit>& units, Index polls, const Chosen& chosen) {
    Index count = 0;
    for (std::size_t i = 0; i < units.size(); ++i) count += chosen(i) ? 1 : 0;
    Index done = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (!chosen(i)) continue;
        units[i].poll = (done + 1) * polls / count > done * polls / count;
        ++done;
    }
}

}  // namespace

std::vector<PolledUnit> polled_units(const std::vector<Operation>& operations, const Polls& polls,
                                     int next_move) {
    const auto passes = std::count_if(operations.begin(), operations.end(), [](const auto& one) {
        return std::holds_alternative<FusedOp>(one.what);
    });
    std::vector<PolledUnit> units;
    units.reserve(operations.size());
    for (const Operation& operation : operations) {
        if (std::holds_alternative<FusedOp>(operation.what)) {
            add_pass(operation, (polls.transforms + passes - 1) / passes, units);
        } else if (is_copy(operation) && !units.empty() &&
                   is_copy(units.back().operations.back()) &&
                   units.back().operations.back().stage == operation.stage) {
            units.back().operations.push_back(operation);
        } else {
            units.push_back({{operation}, false});
        }
    }
    const auto copies = [&](std::size_t i) { return is_copy(units[i].operations.front()); };
    const auto packs = [&](std::size_t i) {
        return copies(i) && units[i].operations.front().stage == next_move;
    };
    spread(units, polls.transforms, [&](std::size_t i) { return !copies(i); });
    spread(units, polls.packing, packs);
    spread(units, polls.unpacking, [&](std::size_t i) { return copies(i) && !packs(i); });
    return units;
}

}  // namespace weft::core
