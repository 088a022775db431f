#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "program/passes/passes.hpp"

namespace weft::core {

namespace {

/// Steps `begin` to `end` of the loop of a pass.
FusedOp steps_of(FusedOp op, Index begin, Index end) {
    op.repeat = end - begin;
    for (auto& work : op.work) {
        if (auto* batch = std::get_if<TransformOp>(&work)) {
            batch->task.from_offset += begin * batch->from_step;
            batch->task.to_offset += begin * batch->to_step;
            continue;
        }
        if (auto* copy = std::get_if<FusedCopy>(&work)) {
            copy->task.from_offset += begin * copy->from_step;
            copy->task.to_offset += begin * copy->to_step;
            continue;
        }
        if (auto* clear = std::get_if<FusedClear>(&work)) {
            if (!clear->repeat) continue;
            clear->box.lo[usize(*clear->repeat)] += begin;
            clear->box.hi[usize(*clear->repeat)] += begin;
            continue;
        }
        auto& lines = std::get<FusedLines>(work);
        lines.loops.front() = op.repeat;
        for (std::vector<Segments>* side : {&lines.from, &lines.to}) {
            for (Segments& alike : *side) {
                for (SegmentBegin& one : alike.begins) one.offset += begin * alike.strides.front();
            }
        }
    }
    return op;
}

/// Which loop is cut: the one with the longest steps on both sides, so that no short runs are.
std::size_t slowest(const std::vector<Loop>& loops) {
    const auto steps = [](const Loop& loop) {
        const Index from = std::abs(loop.from);
        const Index to = std::abs(loop.to);
        return std::tuple(loop.extent > 1, std::min(from, to), std::max(from, to));
    };
    const auto longest =
        std::max_element(loops.begin(), loops.end(),
                         [&](const Loop& a, const Loop& b) { return steps(a) < steps(b); });
    return usize(longest - loops.begin());
}

/// How many parts an operation can be cut into. Those of a transform are independent, also where
/// its result takes the place of its source: that is only done where every line is written where it
/// was read (rules/engine).
Index parts_of(const Operation& operation) {
    // In a sketch there are enough units for all polls, which have no price.
    if (operation.times > 1) return 1;
    const auto parts = [](const auto& op) {
        if constexpr (requires { op.repeat; }) return op.repeat;
        if constexpr (requires { loops_of(op.task); }) {
            const std::vector<Loop>& loops = loops_of(op.task);
            if (!loops.empty()) return loops[slowest(loops)].extent;
        }
        return Index{1};
    };
    return std::max<Index>(std::visit(parts, operation.what), 1);
}

/// Part number `i` of `count` of an operation.
Operation part(Operation operation, Index i, Index count) {
    if (count == 1) return operation;
    const Index all = parts_of(operation);
    const Index begin = cut_begin(all, count, i);
    const Index end = cut_begin(all, count, i + 1);
    const auto cut = [&](auto& op) {
        if constexpr (requires { op.repeat; }) op = steps_of(op, begin, end);
        if constexpr (requires { loops_of(op.task); }) {
            op.task = part_of(op.task, slowest(loops_of(op.task)), begin, end);
        }
    };
    std::visit(cut, operation.what);
    return operation;
}

/// What starts and ends exchanges, and unpacks in between what arrives, stays as it is.
bool exchanges(const Operation& operation) {
    return operation.purpose == Purpose::exchange ||
           std::holds_alternative<OnwardOp>(operation.what);
}

bool is_copy(const Operation& operation) { return std::holds_alternative<CopyOp>(operation.what); }

/// A transform, or a run of copies that serve one stage.
using Unit = std::vector<Operation>;

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
    Poller(Draft& draft, const Polls& polls) : draft_(draft), polls_(polls) {
        for (const Operation& step : draft.steps) {
            const bool ends = step.tile && std::holds_alternative<FinishOp>(step.what);
            if (ends) last_exchange_ = std::max(last_exchange_.value_or(step.stage), step.stage);
        }
    }

    void run() {
        const std::vector<StepId> order = std::exchange(draft_.order, {});
        for (auto step = order.begin(); step != order.end();) {
            const Operation& first = draft_.steps[*step];
            const std::optional<int> tile = first.tile;
            if (exchanges(first) || !tile || under_way_ == 0 || tile == started_) {
                keep(*step++);
                continue;
            }
            const auto end = std::find_if(step, order.end(), [&](StepId id) {
                const Operation& one = draft_.steps[id];
                return one.tile != tile || exchanges(one);
            });
            add_polled({step, end});
            step = end;
        }
    }

  private:
    /// A step that stays as it is.
    void keep(StepId id) {
        const Operation& step = draft_.steps[id];
        if (exchanges(step)) started_.reset();
        if (std::holds_alternative<StartOp>(step.what)) {
            ++under_way_;
            started_ = step.tile;
        }
        if (std::holds_alternative<FinishOp>(step.what)) --under_way_;
        draft_.order.push_back(id);
    }
    /// Steps that one tile does without exchanges.
    void add_polled(const std::vector<StepId>& steps) {
        const std::vector<Unit> units = units_of(steps);
        const bool last = !last_exchange_ || units.back().back().stage > *last_exchange_;
        Spread transforms{last ? polls_.last_transforms : polls_.transforms};
        Spread packing{polls_.packing};
        Spread unpacking{polls_.unpacking};
        const auto spread_over = [&](const Unit& unit) -> Spread& {
            if (!is_copy(unit.front())) return transforms;
            return unit.front().purpose == Purpose::pack ? packing : unpacking;
        };
        for (const Unit& unit : units) spread_over(unit).units += unit.front().times;
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
                const Operation& served = unit.front();
                draft_.add(served, Purpose::poll, PollOp{});
            }
        }
    }
    [[nodiscard]] std::vector<Unit> units_of(const std::vector<StepId>& steps) const {
        std::vector<Unit> units;
        for (const StepId id : steps) {
            Operation& step = draft_.steps[id];
            const Operation* last = units.empty() ? nullptr : &units.back().back();
            const bool goes_along =
                last != nullptr && is_copy(step) && is_copy(*last) && last->stage == step.stage;
            if (!goes_along) units.emplace_back();
            units.back().push_back(std::move(step));
        }
        return units;
    }

    Draft& draft_;
    Polls polls_;
    std::optional<int> last_exchange_{};  ///< the stage of the last one that tiles wait for
    int under_way_ = 0;                   ///< exchanges that have been started and not finished
    std::optional<int> started_{};  ///< the tile whose steps are done beside an exchange's start
};

}  // namespace

void add_polls(Draft& draft, const Polls& polls) { Poller(draft, polls).run(); }

}  // namespace weft::core
