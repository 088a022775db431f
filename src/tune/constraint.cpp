#include "tune/constraint.hpp"

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/share.hpp"
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

/// A travel that the constraint leaves open is the choice's, and so are the device and its memory.
Space overlaid(const Space& choice, const Space& constraint) {
    const bool same_device = constraint.device == choice.device || constraint.device == open_space;
    const bool open = constraint.travel == Travel::automatic && constraint.memory == 0;
    Space result = same_device && open ? choice : constraint;
    // A share that the constraint says stays, and its weight, unless that is open.
    if (constraint.share == Share{}) return result;
    result.share = constraint.share;
    if (has_open_weight(constraint)) result.share.weight = choice.share.weight;
    return result;
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
    result.space = choice.space;
    if (!wanted.space.device.empty()) result.space = overlaid(choice.space, wanted.space);
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
