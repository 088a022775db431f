#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/random.hpp"
#include "program/passes/passes.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// What a step (an operation) reads and writes; a finish names its start instead.
struct Ends {
    int from = 0;
    int to = 0;
};

std::optional<Ends> ends_of(const Operation& operation) {
    if (const auto* op = std::get_if<CopyOp>(&operation.what)) return Ends{op->from.buffer, op->to};
    if (const auto* op = std::get_if<StartOp>(&operation.what)) return Ends{op->from, op->to};
    return std::nullopt;
}

/// A draft of copies and exchanges that each make one value from one or two others, and what it is
/// called.
struct RandomDraft {
    Draft draft;
    ArrayUse use;
    ValueId output = 0;

    explicit RandomDraft(Random& random) {
        use.in_place = random.once_in(3);
        use.may_destroy_input = !use.in_place && random.once_in(3);
        use.output_is_scratch = !random.once_in(3);
        const std::vector<Index> sizes = {64, 64, 64, 128, 192, 256};
        Value input{random.pick(sizes)};
        input.home = Home::input;
        output = draft.add(input);
        const Index steps = random.between(use.in_place ? 3 : 1, 5);
        for (Index i = 0; i < steps; ++i) {
            const ValueId from = output;
            if (random.once_in(4)) {
                exchange(random, from, random.pick(sizes));
                continue;
            }
            Value made{random.pick(sizes)};
            // What has another size lies elsewhere; an input that is to stay is not written over.
            const Index before = draft.values[static_cast<std::size_t>(from)].bytes;
            const bool kept = from == 0 && !use.in_place && !use.may_destroy_input;
            if (made.bytes == before && !kept && random.once_in(2)) {
                made.over = from;
                made.same_elements = random.once_in(2);
            }
            output = draft.add(made);
            copy(from, output);
            // An older value that is still read.
            if (from > 1 && random.once_in(4)) copy(from - 1, output);
        }
    }
    void copy(ValueId from, ValueId to) {
        draft.add(Operation{0, Purpose::reorder, CopyOp{{}, {from}, to}});
    }
    /// From one value to another; beside it a copy may be made of what is sent, which joins what
    /// has come.
    void exchange(Random& random, ValueId from, Index bytes) {
        output = draft.add(Value{bytes});
        const StepId start = draft.add(Operation{0, Purpose::exchange, StartOp{{}, from, output}});
        const bool keeps = draft.values.size() < 6 && random.once_in(2);
        const ValueId kept = keeps ? draft.add(Value{bytes}) : output;
        if (keeps) copy(from, kept);
        draft.add(Operation{0, Purpose::exchange, FinishOp{start}});
        if (!keeps) return;
        const ValueId arrived = output;
        output = draft.add(Value{bytes});
        copy(arrived, output);
        copy(kept, output);
    }
    [[nodiscard]] std::string text() const {
        std::string text =
            fmt::format("in place {}, may destroy input {}, output is scratch {}:", use.in_place,
                        use.may_destroy_input, use.output_is_scratch);
        for (const Value& value : draft.values) text += fmt::format(" {}", value.bytes);
        for (const Operation& step : draft.steps) {
            const std::optional<Ends> ends = ends_of(step);
            const bool starts = std::holds_alternative<StartOp>(step.what);
            text +=
                ends ? fmt::format(", {} {} to {}", starts ? "send" : "copy", ends->from, ends->to)
                     : ", finish";
        }
        return text;
    }
};

/// Where each value lies: 0 the input array, 1 the output array (in place both are 1), 2 and on
/// work buffers.
using Places = std::vector<std::size_t>;

/// Whether every step finds what it names, if each place holds what was written to it last, and the
/// arrays are used as they may be. Values that are made over others may take their places at once.
bool finds_values(const RandomDraft& random, const Places& places) {
    const ArrayUse& use = random.use;
    const std::vector<Value>& values = random.draft.values;
    const auto at = [&](ValueId id) { return places[static_cast<std::size_t>(id)]; };
    const Index output_bytes = values[static_cast<std::size_t>(random.output)].bytes;
    const Index capacity = use.in_place ? std::max(output_bytes, values[0].bytes) : output_bytes;
    if (at(0) != (use.in_place ? 1U : 0U) || at(random.output) != 1) return false;
    std::vector<ValueId> holds(16, -1);
    const auto held = [&](ValueId id) { return holds[at(id)] == id; };
    holds[at(0)] = 0;
    std::set<ValueId> made = {0};
    for (const StepId step : random.draft.order) {
        const Operation& operation = random.draft.steps[step];
        if (const auto* finish = std::get_if<FinishOp>(&operation.what)) {
            const Ends started = *ends_of(random.draft.steps[finish->start]);
            if (!held(started.from) || !held(started.to)) return false;
            continue;
        }
        const Ends ends = *ends_of(operation);
        const Value& target = values[static_cast<std::size_t>(ends.to)];
        if (!held(ends.from)) return false;
        // What is written in several steps is not lost in between.
        if (!made.insert(ends.to).second && !held(ends.to)) return false;
        if (at(ends.from) == at(ends.to) && target.over != ends.from) return false;
        const bool is_input = at(ends.to) == 0;
        if (is_input && (!use.may_destroy_input || target.bytes > values[0].bytes)) return false;
        if (at(ends.to) == 1 && target.bytes > capacity) return false;
        holds[at(ends.to)] = ends.to;
    }
    // Elements of the output array that are not the transform's stay: whatever else lies there is
    // turned into the output without touching them.
    std::set<ValueId> turned = {0, random.output};
    for (ValueId id = random.output; values[static_cast<std::size_t>(id)].same_elements;) {
        id = *values[static_cast<std::size_t>(id)].over;
        turned.insert(id);
    }
    for (ValueId id = 1; !use.output_is_scratch && id < random.output; ++id) {
        if (at(id) == 1 && !turned.contains(id)) return false;
    }
    return holds[1] == random.output;
}

Index work_bytes(const RandomDraft& random, const Places& places) {
    std::vector<Index> most(16, 0);
    for (std::size_t i = 0; i < places.size(); ++i) {
        most[places[i]] = std::max(most[places[i]], random.draft.values[i].bytes);
    }
    return std::accumulate(most.begin() + 2, most.end(), Index{0});
}

/// Where a program has the values, by what its operations name.
Places places_in(const RandomDraft& random, const Program& program) {
    Places places(random.draft.values.size(), random.use.in_place ? 1 : 0);
    const auto place = [&](int buffer) {
        return static_cast<std::size_t>(random.use.in_place ? buffer + 1 : buffer);
    };
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const auto named = ends_of(random.draft.steps[random.draft.order[i]]);
        const auto found = ends_of(program.operations[i]);
        if (!named || !found) continue;
        places[static_cast<std::size_t>(named->from)] = place(found->from);
        places[static_cast<std::size_t>(named->to)] = place(found->to);
    }
    return places;
}

/// The least of all ways to place values, by trying them all; -1 if there is none.
Index least_work_bytes(const RandomDraft& random) {
    constexpr std::size_t all = 5;
    const std::size_t count = random.draft.values.size();
    std::size_t ways = 1;
    for (std::size_t i = 2; i < count; ++i) ways *= all;
    Index least = -1;
    for (std::size_t way = 0; way < ways; ++way) {
        Places places(count, 1);
        places[0] = random.use.in_place ? 1 : 0;
        std::size_t rest = way;
        for (std::size_t i = 1; i + 1 < count; ++i, rest /= all) places[i] = rest % all;
        if (!finds_values(random, places)) continue;
        const Index bytes = work_bytes(random, places);
        least = least == -1 ? bytes : std::min(least, bytes);
    }
    return least;
}

TEST(Assign, KeepsApartWhatLivesAtOneTimeInLittleMemory) {
    Random random(1);
    Index taken = 0;
    Index needed = 0;
    for (int i = 0; i < 600; ++i) {
        const RandomDraft one(random);
        SCOPED_TRACE(one.text());
        const Index least = least_work_bytes(one);
        if (least == -1) {  // One array is to hold two things at a time.
            EXPECT_THROW((void)assign(one.draft, one.output, one.use), Error);
            continue;
        }
        const Program program = assign(one.draft, one.output, one.use);
        const Places places = places_in(one, program);
        ASSERT_TRUE(finds_values(one, places));
        ASSERT_EQ(program.workspace_bytes(), work_bytes(one, places));
        taken += program.workspace_bytes();
        needed += least;
    }
    // It looks at three ways only.
    EXPECT_LE(static_cast<double>(taken), 1.03 * static_cast<double>(needed));
}

// Transform, pack, exchange, unpack, transform: the output array and one work buffer do.
TEST(Assign, UsesTheOutputArrayWhereItCan) {
    Draft draft;
    Value input{64};
    input.home = Home::input;
    ValueId last = draft.add(input);
    for (const bool in_place : {false, false, false, false, true}) {
        Value made{64};
        if (in_place) made.over = last;
        const ValueId next = draft.add(made);
        draft.add(Operation{0, Purpose::reorder, CopyOp{{}, {last}, next}});
        last = next;
    }
    const Program program = assign(draft, last, {});
    EXPECT_EQ(program.buffers.size(), 3U);
    EXPECT_EQ(program.workspace_bytes(), 64);
}

// What an exchange sends, and where it lands, is not touched until it is finished.
TEST(Assign, KeepsWhatIsUnderWay) {
    Draft draft;
    Value input{64};
    input.home = Home::input;
    draft.add(input);
    const ValueId sent = draft.add(Value{64});
    const ValueId landed = draft.add(Value{64});
    const ValueId other = draft.add(Value{64});
    const ValueId output = draft.add(Value{64});
    const auto copy = [&](ValueId from, ValueId to) {
        draft.add(Operation{0, Purpose::reorder, CopyOp{{}, {from}, to}});
    };
    copy(0, sent);
    const StepId start = draft.add(Operation{0, Purpose::exchange, StartOp{{}, sent, landed}});
    copy(0, other);
    copy(other, output);
    draft.add(Operation{0, Purpose::exchange, FinishOp{start}});
    copy(landed, output);
    const Program program = assign(draft, output, {});
    const auto buffer = [&](std::size_t step) {
        return std::get<CopyOp>(program.operations[step].what).to;
    };
    const auto& exchange = std::get<StartOp>(program.operations[1].what);
    EXPECT_NE(buffer(2), exchange.from);
    EXPECT_NE(buffer(2), exchange.to);
    EXPECT_EQ(std::get<FinishOp>(program.operations[4].what).start, 1U);
}

// Steps keep their names when others are cut, added or moved before them.
TEST(Assign, NamesTheStepsThatAreLeft) {
    Draft draft;
    Value input{64};
    input.home = Home::input;
    draft.add(input);
    const ValueId output = draft.add(Value{64});
    draft.add(Operation{0, Purpose::reorder, CopyOp{{}, {0}, output}});
    const StepId start = draft.add(Operation{0, Purpose::exchange, StartOp{{}, 0, output}});
    draft.add(Operation{0, Purpose::exchange, FinishOp{start}});
    draft.order = {start, start + 1};
    const Program program = assign(draft, output, {});
    ASSERT_EQ(program.operations.size(), 2U);
    EXPECT_EQ(std::get<FinishOp>(program.operations[1].what).start, 0U);
}

}  // namespace

}  // namespace weft::core
