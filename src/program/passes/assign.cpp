#include <algorithm>
#include <map>
#include <utility>

#include "base/index.hpp"
#include "program/passes/passes.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// The lifetime of a value: indices of the first and the last step that use it.
struct Life {
    std::ptrdiff_t first;
    std::ptrdiff_t last;
    /// The last of those that use the value under it as well, or read it while this one is made.
    std::optional<std::ptrdiff_t> last_with_over{};
};

/// By value; none: no step uses it.
using Lives = std::vector<std::optional<Life>>;

Lives lives_of(Draft& draft, ValueId output) {
    Lives lives(draft.values.size());
    const auto extend = [&](ValueId value, std::ptrdiff_t step) -> Life& {
        std::optional<Life>& life = lives[usize(value)];
        if (!life) life = Life{step, step};
        life->last = step;
        return *life;
    };
    // The input is there before the first step, the output after the last one.
    extend(input_value, -1);
    std::vector<ValueId> used;
    const auto end = static_cast<std::ptrdiff_t>(draft.order.size());
    for (std::ptrdiff_t place = 0; place < end; ++place) {
        used.clear();
        const StepId step = draft.order[usize(place)];
        for_each_use(draft, step, [&](ValueId value, Use /*use*/) { used.push_back(value); });
        for (const ValueId value : used) {
            Life& life = extend(value, place);
            const std::optional<ValueId> over = draft.values[usize(value)].over;
            if (over && std::find(used.begin(), used.end(), *over) != used.end()) {
                life.last_with_over = place;
            }
        }
    }
    extend(output, end);
    for (std::size_t value = 0; value < lives.size(); ++value) {
        const Value& one = draft.values[value];
        if (!one.over || !one.over_in_parts || !lives[value]) continue;
        if (const auto& under = lives[usize(*one.over)]) lives[value]->last_with_over = under->last;
    }
    return lives;
}

/// In which order values are placed.
enum class PlacingOrder { first_made, last_read, largest };

/// A buffer for each value that is used.
class Assignment {
  public:
    Assignment(const Draft& draft, const Lives& lives, ValueId output, const ArrayUse& use,
               PlacingOrder order)
        : draft_(draft), lives_(lives), use_(use), buffer_of_(draft.values.size()) {
        find_untouched(output);
        add_arrays(value(output).bytes);
        for (const ValueId id : values_of(Home::input)) put_in_array(id, arrays_.back());
        for (const ValueId id : values_of(Home::output)) put_in_array(id, arrays_.front());
        for (int region = 0; region < regions_in_turn; ++region) {
            std::vector<ValueId> ids = values_of(Home::region);
            std::erase_if(ids, [&](ValueId id) { return value(id).region != region; });
            put_together(ids, Role::region);
        }
        for (const ValueId id : values_of(Home::slot)) {
            const auto slot = usize(value(id).region);
            while (slots_.size() <= slot) {
                slots_.push_back(add_buffer(Role::work, 0, value(id).space));
            }
            put(id, slots_[slot]);
        }
        for (const ValueId id : ordered(order)) put(id, space_for(id));
        put_together(values_of(Home::scratch), Role::work);
    }

    [[nodiscard]] Index work_bytes() const {
        Index bytes = 0;
        for (const BufferSpec& buffer : buffers_) {
            if (buffer.role == Role::work) bytes += buffer.room();
        }
        return bytes;
    }
    [[nodiscard]] const std::vector<BufferSpec>& buffers() const { return buffers_; }
    /// By value; of one that no step uses, any.
    [[nodiscard]] const std::vector<int>& buffer_of() const { return buffer_of_; }

  private:
    [[nodiscard]] const Value& value(ValueId id) const { return draft_.values[usize(id)]; }
    [[nodiscard]] const Life& life(ValueId id) const { return *lives_[usize(id)]; }
    /// Those of that home that are used.
    [[nodiscard]] std::vector<ValueId> values_of(Home home) const {
        std::vector<ValueId> ids = all_below(draft_.values.size());
        std::erase_if(ids,
                      [&](ValueId id) { return value(id).home != home || !lives_[usize(id)]; });
        return ids;
    }
    [[nodiscard]] std::vector<ValueId> ordered(PlacingOrder order) const {
        std::vector<ValueId> ids = values_of(Home::anywhere);
        std::stable_sort(ids.begin(), ids.end(), [&](ValueId a, ValueId b) {
            if (order == PlacingOrder::first_made) return life(a).first < life(b).first;
            const bool differ = value(a).bytes != value(b).bytes;
            if (order == PlacingOrder::largest && differ) return value(a).bytes > value(b).bytes;
            return life(a).last > life(b).last;
        });
        return ids;
    }

    /// The values from which on nothing but the output's elements is touched.
    void find_untouched(ValueId output) {
        touches_only_output_.assign(draft_.values.size(), false);
        for (ValueId id = output;; id = *value(id).over) {
            touches_only_output_[usize(id)] = true;
            if (!value(id).over || !value(id).same_elements) return;
        }
    }
    void add_arrays(Index output_bytes) {
        const Index input_bytes = value(input_value).bytes;
        const MemorySpace arrays = value(input_value).space;
        if (use_.in_place) {
            arrays_ = {add_buffer(Role::both, std::max(input_bytes, output_bytes), arrays)};
        } else {
            const std::size_t input = add_buffer(Role::input, input_bytes, arrays);
            arrays_ = {add_buffer(Role::output, output_bytes, arrays), input};
        }
        shared_ = arrays_;
    }
    std::size_t add_buffer(Role role, Index bytes, MemorySpace space) {
        buffers_.push_back({role, bytes, false, space});
        values_in_.emplace_back();
        return buffers_.size() - 1;
    }

    /// Whether the later value may begin while the earlier one, in the same buffer, still lives.
    [[nodiscard]] bool is_over(ValueId later, ValueId earlier) const {
        return value(later).over == earlier && life(later).last_with_over >= life(earlier).last;
    }
    [[nodiscard]] bool meet(ValueId a, ValueId b) const {
        if (life(a).last < life(b).first || life(b).last < life(a).first) return false;
        return !is_over(a, b) && !is_over(b, a);
    }
    /// Whether none of those in a buffer lives at the same time.
    [[nodiscard]] bool is_free(std::size_t buffer, ValueId id) const {
        const std::map<std::ptrdiff_t, ValueId>& values = values_in_[buffer];
        auto other = values.upper_bound(life(id).last);
        while (other != values.begin()) {
            --other;
            if (meet(other->second, id)) return false;
            if (life(other->second).last < life(id).first) return true;
        }
        return true;
    }
    [[nodiscard]] bool fits(std::size_t buffer, ValueId id) const {
        const auto& [role, bytes, exposed, space] = buffers_[buffer];
        if (value(id).space != space) return false;
        if (role == Role::work) return true;
        if (value(id).bytes > bytes) return false;
        if (role == Role::input) return use_.may_destroy_input;
        return use_.output_is_scratch || touches_only_output_[usize(id)];
    }
    std::size_t space_for(ValueId id) {
        for (const std::size_t buffer : shared_) {
            if (fits(buffer, id) && is_free(buffer, id)) return buffer;
        }
        shared_.push_back(add_buffer(Role::work, 0, value(id).space));
        return shared_.back();
    }

    void put(ValueId id, std::size_t buffer) {
        buffer_of_[usize(id)] = static_cast<int>(buffer);
        buffers_[buffer].bytes = std::max(buffers_[buffer].bytes, value(id).bytes);
        values_in_[buffer].emplace(life(id).first, id);
    }
    void put_in_array(ValueId id, std::size_t array) {
        if (!is_free(array, id)) {
            throw Error(ErrorCode::system,
                        "internal: a single step cannot turn one array into itself");
        }
        put(id, array);
    }
    /// Values that take turns, in one buffer; no buffer if there are none.
    void put_together(const std::vector<ValueId>& ids, Role role) {
        if (ids.empty()) return;
        const std::size_t buffer = add_buffer(role, 0, value(ids.front()).space);
        for (const ValueId id : ids) put(id, buffer);
    }

    const Draft& draft_;
    const Lives& lives_;
    ArrayUse use_;
    std::vector<BufferSpec> buffers_;
    std::vector<std::map<std::ptrdiff_t, ValueId>>
        values_in_;                    ///< a buffer, by their lives' begins
    std::vector<std::size_t> arrays_;  ///< the output array, the input array; in place the one
    std::vector<std::size_t>
        shared_;                      ///< those, then work buffers, by whoever lives at other times
    std::vector<std::size_t> slots_;  ///< the buffers of values in slots
    std::vector<bool> touches_only_output_;
    std::vector<int> buffer_of_;
};

}  // namespace

Program assign(Draft draft, ValueId output, const ArrayUse& use) {
    draft.values[usize(output)].home = Home::output;
    const Lives lives = lives_of(draft, output);
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
        for_each_value(operation,
                       [&](int& value, Use /*use*/) { value = best->buffer_of()[usize(value)]; });
        if (std::size_t* named = named_step(operation)) *named = place_of[*named];
        for (std::size_t& after : operation.after) after = place_of[after];
        if (auto* transform = std::get_if<TransformOp>(&operation.what)) {
            transform->task.in_place = transform->from == transform->to;
        }
        place_of[step] = program.operations.size();
        program.operations.push_back(std::move(operation));
    }
    return program;
}

}  // namespace weft::core
