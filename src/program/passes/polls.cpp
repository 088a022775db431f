#include "program/passes/polls.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace weft::core {

namespace {

/// Steps `begin` to `end` of the loop of a pass.
FusedOp steps_of(const FusedOp& op, Index begin, Index end) {
    FusedOp result = op;
    result.repeat = end - begin;
    for (auto& work : result.work) {
        if (auto* batch = std::get_if<TransformOp>(&work)) {
            batch->task.from_offset += begin * batch->from_step;
            batch->task.to_offset += begin * batch->to_step;
            continue;
        }
        auto& lines = std::get<FusedLines>(work);
        lines.loops.front() = result.repeat;
        for (std::vector<Segments>* side : {&lines.from, &lines.to}) {
            for (Segments& alike : *side) {
                for (SegmentBegin& one : alike.begins) one.offset += begin * alike.strides.front();
            }
        }
    }
    return result;
}

/// Which of the loops has the longest steps on both sides, so that no short runs are cut; none if
/// they have one step at most.
std::optional<std::size_t> slowest(const std::vector<Loop>& loops) {
    const auto steps = [](const Loop& loop) {
        const Index from = std::abs(loop.from);
        const Index to = std::abs(loop.to);
        return std::pair(std::min(from, to), std::max(from, to));
    };
    std::optional<std::size_t> result;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].extent < 2) continue;
        if (!result || steps(loops[i]) > steps(loops[*result])) result = i;
    }
    return result;
}

/// How many parts an operation can be cut into. Those of a transform are independent, also where
/// its result takes the place of its source: that is only done where every line is written where it
/// was read (rules/engine).
Index parts_of(const Operation& operation) {
    const auto steps = [](const std::vector<Loop>& loops) {
        const auto loop = slowest(loops);
        return loop ? loops[*loop].extent : Index{1};
    };
    if (const auto* pass = std::get_if<FusedOp>(&operation.what)) {
        return std::max<Index>(pass->repeat, 1);
    }
    if (const auto* copy = std::get_if<CopyOp>(&operation.what)) return steps(copy->task.loops);
    const auto* op = std::get_if<TransformOp>(&operation.what);
    return op != nullptr ? steps(op->task.looped) : 1;
}

/// That part of a task that works on elements `begin` to `end` of the slowest of its loops.
template <class Task>
Task part_of_loop(const Task& task, std::vector<Loop> Task::*loops, Index begin, Index end) {
    Task result = task;
    Loop& loop = (result.*loops)[*slowest(task.*loops)];
    loop.extent = end - begin;
    result.from_offset += begin * loop.from;
    result.to_offset += begin * loop.to;
    return result;
}

/// Part number `i` of `count` of an operation.
Operation part(const Operation& operation, Index i, Index count) {
    const Index all = parts_of(operation);
    const Index begin = cut_begin(all, count, i);
    const Index end = cut_begin(all, count, i + 1);
    Operation result = operation;
    if (count == 1) return result;
    if (auto* pass = std::get_if<FusedOp>(&result.what)) {
        *pass = steps_of(*pass, begin, end);
    } else if (auto* op = std::get_if<TransformOp>(&result.what)) {
        op->task = part_of_loop(op->task, &FftTask::looped, begin, end);
    } else if (auto* copy = std::get_if<CopyOp>(&result.what)) {
        copy->task = part_of_loop(copy->task, &CopyTask::loops, begin, end);
    }
    return result;
}

bool is_copy(const Operation& operation) { return std::holds_alternative<CopyOp>(operation.what); }

/// A transform, or a run of copies that serve one stage.
using Unit = std::vector<Operation>;

std::vector<Unit> units_of(std::vector<Operation> operations) {
    std::vector<Unit> units;
    for (Operation& operation : operations) {
        const Operation* last = units.empty() ? nullptr : &units.back().back();
        const bool goes_along = last != nullptr && is_copy(operation) && is_copy(*last) &&
                                last->stage == operation.stage;
        if (!goes_along) units.emplace_back();
        units.back().push_back(std::move(operation));
    }
    return units;
}

/// How many parts a unit can be cut into.
Index parts_of(const Unit& unit) {
    auto most = static_cast<Index>(unit.size());
    for (const Operation& operation : unit) most = std::max(most, parts_of(operation));
    return most;
}

/// Part number `i` of `count` of a unit: some of its operations; a part of each where they are
/// fewer, shorter ones in the first parts.
Unit part(const Unit& unit, Index i, Index count) {
    const auto all = static_cast<Index>(unit.size());
    if (all >= count) {
        return {unit.begin() + all * i / count, unit.begin() + all * (i + 1) / count};
    }
    Unit result;
    for (const Operation& operation : unit) {
        const Index pieces = std::min(count, parts_of(operation));
        if (i < pieces) result.push_back(part(operation, i, pieces));
    }
    return result;
}

/// Polls that are spread evenly over the units of one kind, which are cut so that they have as many
/// parts as there are polls.
struct Spread {
    Index polls = 0;
    Index units = 0;
    Index parts = 0;
    Index done = 0;

    [[nodiscard]] Index parts_of_unit(const Unit& unit) const {
        return std::clamp((polls + units - 1) / units, Index{1}, parts_of(unit));
    }
    /// Whether a poll follows the next part.
    bool polls_next() {
        ++done;
        return done * polls / parts > (done - 1) * polls / parts;
    }
};

/// Goes through the order of a draft and puts polls in.
class Poller {
  public:
    Poller(Draft& draft, const Polls& polls)
        : draft_(draft), polls_(polls), exchanges_(exchanges_of_tiles()) {}

    void run() {
        std::vector<StepId> order = std::move(draft_.order);
        draft_.order.clear();
        for (auto step = order.begin(); step != order.end();) {
            const auto end = end_of_run(step, order.end());
            if (end == step) {
                pass(*step++);
            } else {
                add_polled({step, end});
                step = end;
            }
        }
    }

  private:
    /// How many exchanges each tile waits for.
    [[nodiscard]] std::map<int, int> exchanges_of_tiles() const {
        std::map<int, int> result;
        for (const StepId id : draft_.order) {
            const Operation& step = draft_.steps[id];
            if (step.tile && std::holds_alternative<FinishOp>(step.what)) ++result[*step.tile];
        }
        return result;
    }
    /// Behind the last of the steps from that one on which one tile does without exchanges.
    template <class Iterator>
    Iterator end_of_run(Iterator begin, Iterator end) const {
        const std::optional<int> tile = draft_.steps[*begin].tile;
        if (!tile || under_way_ == 0 || tile == started_) return begin;
        return std::find_if(begin, end, [&](StepId id) {
            const Operation& step = draft_.steps[id];
            return step.tile != tile || step.purpose == Purpose::exchange;
        });
    }
    /// A step that stays as it is.
    void pass(StepId id) {
        const Operation& step = draft_.steps[id];
        if (step.purpose == Purpose::exchange) started_.reset();
        if (std::holds_alternative<StartOp>(step.what)) {
            ++under_way_;
            started_ = step.tile;
        }
        if (std::holds_alternative<FinishOp>(step.what)) {
            --under_way_;
            if (step.tile) --exchanges_[*step.tile];
        }
        draft_.order.push_back(id);
    }
    void add_polled(const std::vector<StepId>& steps) {
        const std::optional<int> tile = draft_.steps[steps.front()].tile;
        std::vector<Operation> operations;
        operations.reserve(steps.size());
        for (const StepId step : steps) operations.push_back(std::move(draft_.steps[step]));
        const std::vector<Unit> units = units_of(std::move(operations));
        const bool last = exchanges_[*tile] == 0;
        Spread transforms{last ? polls_.last_transforms : polls_.transforms};
        Spread packing{polls_.packing};
        Spread unpacking{polls_.unpacking};
        const auto spread_over = [&](const Unit& unit) -> Spread& {
            if (!is_copy(unit.front())) return transforms;
            return unit.front().purpose == Purpose::pack ? packing : unpacking;
        };
        for (const Unit& unit : units) ++spread_over(unit).units;
        for (const Unit& unit : units) {
            Spread& spread = spread_over(unit);
            spread.parts += spread.parts_of_unit(unit);
        }
        for (const Unit& unit : units) {
            Spread& spread = spread_over(unit);
            const Index count = spread.parts_of_unit(unit);
            for (Index i = 0; i < count; ++i) {
                for (Operation& operation : part(unit, i, count)) draft_.add(std::move(operation));
                if (!spread.polls_next()) continue;
                draft_.add(Operation{unit.front().stage, Purpose::poll, PollOp{}, tile});
            }
        }
    }

    Draft& draft_;
    Polls polls_;
    std::map<int, int> exchanges_;  ///< of each tile, those that it has still to wait for
    int under_way_ = 0;             ///< exchanges that have been started and not finished
    std::optional<int> started_{};  ///< the tile whose steps are done beside an exchange's start
};

}  // namespace

void add_polls(Draft& draft, const Polls& polls) { Poller(draft, polls).run(); }

}  // namespace weft::core
