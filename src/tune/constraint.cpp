#include "tune/constraint.hpp"

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/placement.hpp"
#include "tune/methods.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

Decomposition overlaid(Decomposition choice, const Decomposition& constraint) {
    if (constraint.least_volume) return choice;
    if (constraint.row_wise != choice.row_wise && constraint != Decomposition{}) return constraint;
    if (constraint.cuts) choice.cuts = constraint.cuts;
    if (!constraint.grid.empty()) choice.grid = constraint.grid;
    if (constraint.path) choice.path = constraint.path;
    return choice;
}

std::optional<Tiling> overlaid(std::optional<Tiling> choice, const Tiling& constraint) {
    if (!choice) return constraint;
    if (constraint.axis) choice->axis = constraint.axis;
    for (const TileNumber& number : tile_numbers) {
        if (constraint.*number.value) *choice.*number.value = constraint.*number.value;
    }
    const Tiling open;
    if (constraint.progress != open.progress) choice->progress = constraint.progress;
    if (constraint.late) choice->late = true;
    if (constraint.strict) choice->strict = true;
    return choice;
}

/// The choice with all that the constraint says in the place of its own.
Choice overlaid(const Choice& choice, const Choice& constraint, int ranks) {
    const Choice wanted = unmeasured(constraint);
    Choice result = choice;
    for (const std::string& item : split(weft::to_string(wanted), ';')) {
        if (!item.empty()) parse_choice_item(item, result);
    }
    // One rank has the whole array, however a text calls that.
    result.decomposition = choice.decomposition;
    if (ranks > 1) result.decomposition = overlaid(choice.decomposition, wanted.decomposition);
    if (wanted.tile) result.tile = overlaid(choice.tile, *wanted.tile);
    Placements(choice).within(Placements(wanted)).say_in(result);
    result.tuning = choice.tuning;
    return result;
}

}  // namespace

bool keeps_to(const Problem& problem, const Choice& choice, const Choice& constraint, int ranks) {
    try {
        return to_string(make_plan(problem, overlaid(choice, constraint, ranks), ranks)) ==
               to_string(make_plan(problem, choice, ranks));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return false;
    }
}

}  // namespace weft::core
