// What rules work on: stages of a plan, and the draft that their steps are added to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "exchange/packed_exchange.hpp"
#include "exchange/region_parts.hpp"
#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "program/draft.hpp"

namespace weft::core {

/// What a redistribution without packing has brought, for the next step to read.
struct Brought {
    /// Parts in a value of this rank, and in the same region or array of other ranks.
    struct Held {
        ValueId value = 0;
        std::vector<RegionPart> parts;
    };
    std::optional<StepId> published{};  ///< the use of other ranks' memory, if any is used
    std::vector<Held> held{};
};

/// What is wanted of a program.
struct LoweringMode {
    bool outlines = false;   ///< only values matter: what steps do in detail may be left out
    bool is_sketch = false;  ///< one step may stand for many that are alike
    /// By stage of the whole plan, lines that name the rule that holds, and say why not those
    /// before it; of tiles, for the first one. Null: nobody asks.
    std::map<int, std::string>* why = nullptr;
};

/// Stages that are lowered one after the other, on one rank: all of a plan, or those that a tile
/// goes through, or those before or behind the tiles.
struct Lowering {
    const Plan& plan;  ///< of these stages only
    const Environment& environment;
    Draft& draft;
    LoweringMode mode{};

    int first_stage = 0;       ///< of these, in the whole plan
    bool in_place = false;     ///< the first and the last value are one array
    bool keeps_first = false;  ///< the first value is to stay as it is
    /// Other tiles read the rest of the first value and write the rest of the last one.
    bool shares_ends = false;
    std::optional<int> tile{};      ///< whose steps these are
    std::optional<ValueId> last{};  ///< what the last stage makes, if there is such a value already

    ValueId here = input_value;        ///< what the next stage reads, in the layout before it
    std::optional<Brought> brought{};  ///< what it reads instead

    [[nodiscard]] int rank() const { return draft.rank; }
    [[nodiscard]] const TransformStage* transform(int stage) const {
        return transform_at(plan, usize(stage));
    }
    [[nodiscard]] const RedistributionStage* redistribution(int stage) const {
        return redistribution_at(plan, usize(stage));
    }
    /// That redistribution, as packed messages carry it.
    [[nodiscard]] PackedMessages messages_of(int stage) const {
        const RedistributionStage& one = *redistribution(stage);
        return {at(stage), at(stage + 1),     one.via,
                one.pack,  plan.choice.chunk, plan.choice.wire != Wire::same};
    }
    [[nodiscard]] const Layout& at(int number) const { return plan.at[usize(number)]; }
    [[nodiscard]] Index bytes(int number) const { return at(number).bytes(rank()); }
    [[nodiscard]] bool is_alone() const { return plan.stages.size() == 1; }
    /// Whether the only stage goes from an array to itself.
    [[nodiscard]] bool in_one_array() const { return in_place && is_alone(); }
    /// Whether what that stage reads is to stay as it is.
    [[nodiscard]] bool keeps_source(int stage) const { return stage == 0 && keeps_first; }
    /// Whether these are stages before or behind the tiles of a plan.
    [[nodiscard]] bool beside_tiles() const { return plan.choice.tile && !tile; }

    /// The value that is in the layout of that number: with those properties, if it is made now.
    ValueId make(int layout, const Value& one) const {
        const bool exists = last && layout == static_cast<int>(plan.stages.size());
        if (!exists) return draft.add(one);
        Value& existing = draft.values[usize(*last)];
        if (!shares_ends) {
            existing.over = one.over;
            existing.same_elements = one.same_elements;
            existing.over_in_parts = one.over_in_parts;
        }
        return *last;
    }
    ValueId make(int layout) const { return make(layout, Value{bytes(layout)}); }
    /// Adds a step that serves one of the stages.
    template <class Op>
    StepId add(int stage, Op op) const {
        const Purpose purpose = purpose_of(op);
        return add(stage, purpose, std::move(op));
    }
    template <class Op>
    StepId add(int stage, Purpose purpose, Op op) const {
        return draft.add(Operation{first_stage + stage, purpose, std::move(op), tile});
    }
    void copy(int stage, Purpose purpose, const std::vector<CopyTask>& copies,
              const BufferRef& from, ValueId to) const {
        for (const CopyTask& task : copies) {
            add(stage, purpose, CopyOp{task, from, to});
        }
    }
    void copy(int stage, Purpose purpose, const std::vector<CopyTask>& copies, ValueId from,
              ValueId to) const {
        copy(stage, purpose, copies, BufferRef{from}, to);
    }
};

}  // namespace weft::core
