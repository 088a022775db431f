// A plan: the states an array goes through from input to output, and the stages between them.
//
// A plan is a value: the same on every rank, comparable, printable, and parseable from its own
// text. It holds no data and knows no MPI; lower() turns it into one rank's program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "geometry/layout.hpp"
#include "weft/choice.hpp"

namespace weft::core {

/// Transforms whole axes where they are local; may change the format as well.
struct TransformStage {
    std::vector<int> axes;  ///< array axes; the last one is halved if the kind is not c2c
    Kind kind = Kind::c2c;
    int sign = -1;  ///< of the exponent
    bool operator==(const TransformStage&) const = default;
};

/// Redistributes: the next layout has another distribution.
struct MoveStage {
    std::string via;
    Pack pack = Pack::sender;
    bool operator==(const MoveStage&) const = default;
};

using Stage = std::variant<TransformStage, MoveStage>;

/// Tiles along an axis: `count` of them, each of `extent` elements of every box, the last ones of
/// fewer or, where a box has not so many, none.
struct TileLevel {
    int axis = 0;
    Index extent = 1;
    int count = 1;
    bool operator==(const TileLevel&) const = default;
};

/// The stages that tiles go through one after the other, so that messages of some travel while
/// others are computed: stages first to last, tile by tile along the last of the levels. If there
/// are two, fields of the first one's tiles go through all stages one after the other.
struct Pipeline {
    std::size_t first = 0;
    std::size_t last = 0;
    /// The layouts whose boxes have tiles: first to last + 1, but for that before a first move that
    /// cuts the axis, and that after a last one that makes it whole.
    std::size_t first_tiled = 0;
    std::size_t last_tiled = 0;
    std::vector<TileLevel> levels;
    bool operator==(const Pipeline&) const = default;
};

/// Stage i maps layout at[i] to at[i+1]; at.front() is the input, at.back() the output.
struct Plan {
    Problem problem;
    int ranks = 1;
    Choice choice;          ///< complete
    bool backward = false;  ///< whether this is the reverse of what the problem's kind names
    std::vector<Layout> at;
    std::vector<Stage> stages;
    std::optional<Pipeline> pipeline{};

    /// The factor applied to the output.
    [[nodiscard]] double scale() const;
    /// How many stages are moves.
    [[nodiscard]] int moves() const;
    bool operator==(const Plan&) const = default;
};

/// The stage of that number as what it is; null if it is none of that kind, or not there.
const MoveStage* move_at(const Plan& plan, std::size_t stage);
const TransformStage* transform_at(const Plan& plan, std::size_t stage);

/// The plan for a problem: fewest exchanges, then least volume, among what the choice allows.
/// Throws Error(bad_request) if the problem is not well formed or nothing fits it.
Plan make_plan(const Problem& problem, const Choice& choice, int ranks);

/// The plan that undoes this one: states and stages backwards, signs turned, sender and receiver
/// swapped. reverse(reverse(p)) == p.
Plan reverse(const Plan& plan);

/// `PROBLEM; ranks=P; CHOICE[; backward]`, complete: parse_plan gives the same plan.
std::string to_string(const Plan& plan);

/// What a text of that form asks for; ranks 0 if it does not say.
struct PlanRequest {
    Problem problem;
    Choice choice;
    int ranks = 0;
    bool backward = false;
};
PlanRequest parse_plan_request(std::string_view text);
Plan parse_plan(std::string_view text);

}  // namespace weft::core
