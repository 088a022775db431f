#include "program/passes/assign.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "program/passes/predecessors.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// From the first to the last of the steps that name a value, as places in their order.
struct Life {
    static constexpr std::ptrdiff_t never = std::numeric_limits<std::ptrdiff_t>::max();
    std::ptrdiff_t first = never;
    std::ptrdiff_t last = -never;
    std::ptrdiff_t last_with_over = -never;  ///< of those that name the value under it as well

    [[nodiscard]] bool lived() const { return first != never; }
    void extend(std::ptrdiff_t step) {
        first = std::min(first, step);
        last = std::max(last, step);
    }
};

/// What a step names: while an exchange is under way its values live.
std::vector<Life> lives_of(Draft& draft) {
    std::vector<Life> lives(draft.values.size());
    std::vector<ValueId> named;
    const auto collect = [&](Operation& operation) {
        for_each_value(operation, [&](int value) { named.push_back(value); });
    };
    for (std::size_t place = 0; place < draft.order.size(); ++place) {
        Operation& operation = draft.steps[draft.order[place]];
        named.clear();
        collect(operation);
        if (std::holds_alternative<FinishOp>(operation.what))
            collect(draft.steps[*named_step(operation)]);
        const auto step = static_cast<std::ptrdiff_t>(place);
        for (const ValueId value : named) {
            Life& life = lives[static_cast<std::size_t>(value)];
            life.extend(step);
            const std::optional<ValueId> over = draft.values[static_cast<std::size_t>(value)].over;
            if (over && std::find(named.begin(), named.end(), *over) != named.end()) {
                life.last_with_over = step;
            }
        }
    }
    return lives;
}

/// In which order values are placed.
enum class PlacingOrder { first_made, last_read, largest };

/// A buffer while values are placed.
struct Space {
    BufferSpec spec;
    std::map<std::ptrdiff_t, ValueId> values{};  ///< by where their lives begin
};

class Assignment {
  public:
    Assignment(const Draft& draft, const std::vector<Life>& lives, ValueId output,
               const ArrayUse& use, PlacingOrder order)
        : draft_(draft), lives_(lives), use_(use), order_(order) {
        untouched_output(output);
        add_arrays(value(output).bytes);
        buffer_of_.assign(draft.values.size(), -1);
        place_all();
    }

    [[nodiscard]] Index work_bytes() const { return Program{0, buffers(), {}}.workspace_bytes(); }
    [[nodiscard]] std::vector<BufferSpec> buffers() const {
        std::vector<BufferSpec> result;
        result.reserve(spaces_.size());
        for (const Space& space : spaces_) result.push_back(space.spec);
        return result;
    }
    /// By value.
    [[nodiscard]] const std::vector<int>& buffer_of() const { return buffer_of_; }

  private:
    [[nodiscard]] const Value& value(ValueId id) const {
        return draft_.values[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] const Life& life(ValueId id) const {
        return lives_[static_cast<std::size_t>(id)];
    }

    /// The values from which on nothing but the output's elements is touched.
    void untouched_output(ValueId output) {
        touches_only_output_.assign(draft_.values.size(), false);
        for (ValueId id = output;; id = *value(id).over) {
            touches_only_output_[static_cast<std::size_t>(id)] = true;
            if (!value(id).over || !value(id).same_elements) return;
        }
    }
    void add_arrays(Index output_bytes) {
        const Index input_bytes = value(0).bytes;
        if (use_.in_place) {
            spaces_.push_back({{Role::both, std::max(input_bytes, output_bytes)}});
        } else {
            spaces_.push_back({{Role::input, input_bytes}});
            spaces_.push_back({{Role::output, output_bytes}});
        }
        output_space_ = spaces_.size() - 1;
    }

    /// Whether the later value may begin while the earlier one, in the same buffer, still lives.
    [[nodiscard]] bool is_over(ValueId later, ValueId earlier) const {
        return value(later).over == earlier && life(earlier).last <= life(later).last_with_over;
    }
    [[nodiscard]] bool meet(ValueId a, ValueId b) const {
        if (life(a).last < life(b).first || life(b).last < life(a).first) return false;
        return !is_over(a, b) && !is_over(b, a);
    }
    /// Whether none of those in a space lives at the same time.
    [[nodiscard]] bool is_free(const Space& space, ValueId id) const {
        auto other = space.values.upper_bound(life(id).last);
        while (other != space.values.begin()) {
            --other;
            if (meet(other->second, id)) return false;
            if (life(other->second).last < life(id).first) return true;
        }
        return true;
    }
    [[nodiscard]] bool may_lie_in(std::size_t space, ValueId id) const {
        const Index bytes = value(id).bytes;
        if (space > output_space_) return spaces_[space].spec.role == Role::work;
        const bool free_of_fixed = std::none_of(fixed_.begin(), fixed_.end(), [&](ValueId other) {
            return space_of_fixed(other) == space && meet(id, other);
        });
        if (!free_of_fixed || bytes > spaces_[space].spec.bytes) return false;
        if (space != output_space_) return use_.may_destroy_input;
        return use_.output_is_scratch || touches_only_output_[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] std::size_t space_of_fixed(ValueId id) const {
        return value(id).home == Home::input ? 0 : output_space_;
    }

    void put(ValueId id, std::size_t number) {
        Space& space = spaces_[number];
        buffer_of_[static_cast<std::size_t>(id)] = static_cast<int>(number);
        if (number > output_space_) space.spec.bytes = std::max(space.spec.bytes, value(id).bytes);
        space.values.emplace(life(id).first, id);
    }
    void place_fixed() {
        for (ValueId id = 0; id < static_cast<ValueId>(draft_.values.size()); ++id) {
            const Home home = value(id).home;
            if (home != Home::input && home != Home::output) continue;
            for (const ValueId other : fixed_) {
                if (space_of_fixed(other) == space_of_fixed(id) && meet(id, other)) {
                    throw Error(ErrorCode::system,
                                "internal: a single step cannot turn one array into itself");
                }
            }
            fixed_.push_back(id);
            buffer_of_[static_cast<std::size_t>(id)] = static_cast<int>(space_of_fixed(id));
        }
    }
    /// Values of that home, which take turns, in one buffer; no buffer if there are none.
    void place_together(Home home, int region, Role role) {
        std::size_t number = 0;
        for (ValueId id = 0; id < static_cast<ValueId>(draft_.values.size()); ++id) {
            if (value(id).home != home || value(id).region != region || !life(id).lived()) continue;
            if (number == 0) {
                number = spaces_.size();
                spaces_.push_back({{role, 0}});
            }
            put(id, number);
        }
    }
    void place_all() {
        place_fixed();
        for (int region = 0; region < regions_in_turn; ++region) {
            place_together(Home::region, region, Role::region);
        }
        std::vector<ValueId> ids(draft_.values.size());
        std::iota(ids.begin(), ids.end(), 0);
        std::erase_if(
            ids, [&](ValueId id) { return value(id).home != Home::anywhere || !life(id).lived(); });
        std::stable_sort(ids.begin(), ids.end(), [&](ValueId a, ValueId b) {
            if (order_ == PlacingOrder::first_made) return life(a).first < life(b).first;
            const bool differ = value(a).bytes != value(b).bytes;
            if (order_ == PlacingOrder::largest && differ) return value(a).bytes > value(b).bytes;
            return life(a).last > life(b).last;
        });
        for (const ValueId id : ids) put(id, space_for(id));
        place_together(Home::scratch, 0, Role::work);
    }
    /// The output array before the input array, and both before work buffers.
    std::size_t space_for(ValueId id) {
        for (std::size_t array = output_space_ + 1; array-- > 0;) {
            if (may_lie_in(array, id) && is_free(spaces_[array], id)) return array;
        }
        for (std::size_t space = output_space_ + 1; space < spaces_.size(); ++space) {
            if (may_lie_in(space, id) && is_free(spaces_[space], id)) return space;
        }
        spaces_.push_back({{Role::work, 0}});
        return spaces_.size() - 1;
    }

    const Draft& draft_;
    const std::vector<Life>& lives_;
    ArrayUse use_;
    PlacingOrder order_;
    std::vector<Space> spaces_;
    std::size_t output_space_ = 0;
    std::vector<ValueId> fixed_;  ///< in the arrays, whatever else is there
    std::vector<bool> touches_only_output_;
    std::vector<int> buffer_of_;
};

}  // namespace

Program assign(Draft draft, ValueId output, const ArrayUse& use) {
    draft.values[static_cast<std::size_t>(output)].home = Home::output;
    std::vector<Life> lives = lives_of(draft);
    // The input is there before the first step, the output after the last one.
    lives.front().extend(-1);
    lives[static_cast<std::size_t>(output)].extend(static_cast<std::ptrdiff_t>(draft.order.size()));
    std::optional<Assignment> best;
    for (const PlacingOrder order :
         {PlacingOrder::last_read, PlacingOrder::first_made, PlacingOrder::largest}) {
        Assignment one(draft, lives, output, use, order);
        if (!best || one.work_bytes() < best->work_bytes()) best.emplace(std::move(one));
    }
    Program program{draft.rank, best->buffers(), {}};
    add_predecessors(draft, best->buffer_of());
    std::vector<std::size_t> place_of(draft.steps.size());
    program.operations.reserve(draft.order.size());
    for (const StepId step : draft.order) {
        Operation& operation = draft.steps[step];
        for_each_value(operation, [&](int& value) {
            value = best->buffer_of()[static_cast<std::size_t>(value)];
        });
        if (std::size_t* named = named_step(operation)) *named = place_of[*named];
        if (operation.after) operation.after = place_of[*operation.after];
        if (auto* transform = std::get_if<TransformOp>(&operation.what)) {
            transform->task.in_place = transform->from == transform->to;
        }
        place_of[step] = program.operations.size();
        program.operations.push_back(std::move(operation));
    }
    return program;
}

}  // namespace weft::core
