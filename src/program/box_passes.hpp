// The passes of a transform stage over one of a rank's boxes, beside redistributions without packing.
//
// Example: backward from a sphere of modes, a rank has 4 planes of 8 x 8. Of each plane a pass clears
// 8 x 8 elements of scratch memory, copies there what the columns of all ranks have of the plane,
// transforms both axes there, and writes the plane.
#pragma once

#include <optional>
#include <vector>

#include "plan/plan.hpp"
#include "program/line_cells.hpp"
#include "program/pass_caches.hpp"
#include "program/pass_scratch.hpp"

namespace weft::core {

/// A pass repeats its work along the slowest axis that is not transformed, for as long as no part
/// begins or ends: it reads lines along the entry axis into scratch memory, transforms the axes in
/// between, and writes lines along the exit axis from there. A single axis needs no scratch memory.
/// Where a redistribution beside it leaves elements out, lines have gaps: then the pass gathers parts
/// in scratch memory, and scatters them from there.
class BoxPasses {
  public:
    BoxPasses(const Plan& plan, std::size_t stage, const StoredBox& before, const StoredBox& after,
              const PassCaches& caches);

    [[nodiscard]] Index scratch_bytes() const { return scratch_.bytes; }
    /// Of the last of the places scratch memory is made, if it is needed.
    void add(Sides sides, const std::vector<BufferRef>& places, PartLimit& limit,
             std::vector<FusedOp>& ops);

  private:
    /// Steps along the repeated axis.
    struct Steps {
        Index first = 0;
        Index count = 1;
    };

    /// Whether lines go from parts to parts.
    [[nodiscard]] bool is_single() const {
        return transform_.axes.size() == 1 && !gathers_ && !scatters_;
    }
    /// What lies in scratch memory.
    [[nodiscard]] Scalar between() const {
        return {source_.precision, transform_.kind != Kind::r2r || source_.complex};
    }
    void choose_repeat();
    void choose_between();
    [[nodiscard]] Box with_done(const std::vector<int>& done) const;
    /// Such a box in scratch memory.
    [[nodiscard]] StoredBox in_scratch(const Box& box) const { return {box, 0, scratch_.strides}; }
    void lay_out_scratch();
    void choose_lines(Sides& sides);
    [[nodiscard]] Lines lines(int axis, const Sides& sides) const;
    void add_pass(const Steps& steps, const Sides& sides, FusedOp& op, PartLimit& limit) const;
    void add_gather(Index first, const std::vector<const PlacedBox*>& parts, FusedOp& op) const;
    void add_scatter(Index first, const std::vector<const PlacedBox*>& parts, FusedOp& op) const;
    /// Elements that a part has, in the first step, there and in scratch memory.
    struct StepSlices {
        Slice part;
        Slice scratch;
        Index step = 0;  ///< elements of the part on each step
    };
    [[nodiscard]] StepSlices slices_of(Index first, const BlockedBox& part,
                                       const StoredBox& scratch) const;
    [[nodiscard]] Box step_of(Box box, Index first) const;
    void add_between(Index first, const Sides& sides, FusedOp& op) const;
    /// What axes in between read or write.
    struct Side {
        StoredBox stored;
        int place = 0;
        bool is_scratch = false;
    };
    void add_group(Index first, const std::vector<int>& axes, const Side& from, const Side& to,
                   FusedOp& op) const;

    const TransformStage& transform_;
    Scalar source_;
    const std::vector<int>& order_;
    const StoredBox& before_;
    const StoredBox& after_;
    const PassCaches& caches_;
    bool gathers_;                ///< what it reads has gaps ..
    bool scatters_;               ///< .. or what it writes
    std::optional<int> entry_{};  ///< the axes of lines ..
    std::optional<int> exit_{};
    std::optional<int> repeat_{};
    std::vector<std::vector<int>> between_{};
    PassScratch scratch_{};
    PlacedBox entered_{{}, 0, true};  ///< scratch memory, when the entry axis is transformed ..
    PlacedBox left_{{}, 0, true};     ///< .. and when only the exit axis is left
    std::optional<Lines> first_{};    ///< .. and these lines, where they lie in parts
    std::optional<Lines> last_{};
};

}  // namespace weft::core
