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

#include "base/transforms.hpp"
#include "exchange/via.hpp"
#include "geometry/layout.hpp"
#include "plan/placement.hpp"
#include "weft/choice.hpp"

namespace weft::core {

struct Objective;

/// Where a transform finds its input or leaves its result: as the layout says, in one of this
/// rank's arrays; as messages with nothing packed; in regions, which other ranks read; in the
/// caller's arrays of all ranks, which are exposed to them.
enum class Access { layout, messages, region, exposed };

/// What there is of lines of n in memory, before their transform and behind it.
struct KeptLines {
    Index length = 1;  ///< n
    KeptPart from{};
    KeptPart to{};
    bool operator==(const KeptLines&) const = default;
};

/// Transforms whole axes where they are local; may change the format as well.
struct TransformStage {
    std::vector<int> axes;  ///< array axes; the last one is the r2c axis if the kind is r2c or c2r
    Kind kind = Kind::c2c;
    int sign = -1;                   ///< of the exponent
    Access reads = Access::layout;   ///< fuse() decides
    Access writes = Access::layout;  ///< fuse() decides
    /// r2r: those of the axes, whose numbers are what the layouts say: of complex ones the real and
    /// the imaginary parts are transformed alike.
    std::vector<AxisKind> kinds{};
    bool reproducible = false;  ///< axes one after the other as axis_order() says
    /// Of the axes, if a part is kept along one of them; empty: all lines are whole.
    std::vector<KeptLines> kept{};
    /// Beside redistributions without packing: along which axis it reads lines where they have been
    /// brought, and along which it writes them where they are taken along (plan/accesses).
    std::optional<int> entry{};  ///< fuse() decides
    std::optional<int> exit{};   ///< fuse() decides
    bool operator==(const TransformStage&) const = default;
};

/// The transform of some of a stage's axes, in that order.
TransformStage part_of(const TransformStage& stage, std::vector<int> axes);
/// Says of the line along one of a stage's axes what there is of it.
void set_kept(LineTransform& line, const TransformStage& stage, int axis);
/// The axes in the order in which reproducible transforms are done along them: forward the r2c
/// one, then the last first; backward the other way round.
std::vector<int> axis_order(const TransformStage& stage);
/// The axes in the order in which a stage that keeps a part of lines transforms them, one after the
/// other: those first that leave least, of equal ones as axis_order() has them. The line of r2c
/// comes first, that of c2r last. Reproducible transforms keep axis_order().
std::vector<int> kept_order(const TransformStage& stage);
/// r2r: what the stage does along one of its axes; otherwise none.
AxisKind kind_along(const TransformStage& stage, int axis);

/// Redistributes: the next layout has another distribution.
struct RedistributionStage {
    Via via;
    Pack pack = Pack::sender;
    Carrier carrier = Carrier::automatic;  ///< automatic: left to fuse()
    bool operator==(const RedistributionStage&) const = default;
};

/// Whether nothing is packed: transforms beside it write what it carries and read what it has
/// brought.
bool is_fused(const RedistributionStage& redistribution);

using Stage = std::variant<TransformStage, RedistributionStage>;

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
    /// The layouts whose boxes have tiles: first to last + 1, but for that before a first redistribution that
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
    Placements placements{};  ///< as the choice says

    /// Where that rank computes.
    [[nodiscard]] const Placement& placement(int rank) const { return placements.of(rank); }
    /// Has the plan be computed there, and its choice say so.
    void place(const Placements& where);
    /// The factor applied to the output.
    [[nodiscard]] double scale() const;
    /// How many stages are redistributions.
    [[nodiscard]] int redistributions() const;
    bool operator==(const Plan&) const = default;
};

/// The stage of that number as what it is; null if it is none of that kind, or not there.
const RedistributionStage* redistribution_at(const Plan& plan, std::size_t stage);
const TransformStage* transform_at(const Plan& plan, std::size_t stage);
/// Whether messages of some redistribution go by MPI, and of some by what reaches the memory of devices
/// without it.
bool sends_by_mpi(const Plan& plan);
bool sends_from_device(const Plan& plan);
/// Whether the stage is a redistribution that a transform beside it does, in arrays of all ranks.
bool is_direct(const Plan& plan, std::size_t stage);

/// The plan for a problem: of the ways through the distributions that the choice allows the best by
/// an objective (plan/objective.hpp). Throws Error(bad_request) if the problem is not well formed
/// or nothing fits it.
Plan make_plan(const Problem& problem, const Choice& choice, int ranks, const Objective& objective);
/// By the objective that the choice's decomposition asks for, without a machine: fewest exchanges,
/// then least volume, unless it says least-volume. weft's own plans are default_plan's
/// (model/default_plan.hpp).
Plan make_plan(const Problem& problem, const Choice& choice, int ranks);

/// The plan that undoes this one: states and stages backwards, signs turned, sender and receiver
/// swapped. reverse(reverse(p)) == p, but that direct carriers, which one direction may have and
/// the other not, are left to fuse() again: reverse a plan as it was asked for, not as it was
/// fused.
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
/// Of a backward request the reverse plan; carriers of the choice are that plan's.
Plan make_plan(const PlanRequest& request, int ranks, const Objective& objective);
Plan make_plan(const PlanRequest& request, int ranks);
Plan parse_plan(std::string_view text);

}  // namespace weft::core
