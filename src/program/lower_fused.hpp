// What moves without packing, and the transforms beside them, do on one rank.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "plan/plan.hpp"
#include "program/chain.hpp"
#include "program/fused_move.hpp"

namespace weft::core {

/// Adds such stages to a chain of steps. The sizes of values cost the rank's peers; what is done
/// with them, which costs more, is worked out when the chain's program is made.
class FusedLowering {
  public:
    /// All must outlive it, and it the making of the chain's program.
    FusedLowering(const Plan& plan, const Topology& nodes, int rank, Chain& chain);

    /// Whether that stage is a move without packing.
    [[nodiscard]] bool moves_at(int stage) const;
    /// Whether that stage is a transform that reads what such a move has brought, or writes what
    /// the next one takes along.
    [[nodiscard]] bool is_fused_transform(int stage) const {
        return reads_from_move(stage) || writes_to_move(stage);
    }
    /// The transform of that stage: reads what the move before has brought, or writes what the next
    /// one takes along, or both.
    void add_transform(int stage);
    /// What the stages beside that move do not do: it copies what no transform has made to where it
    /// is read or sent, and from there what no transform reads.
    void add_move(int stage);
    /// Whether transforms read others' input arrays, store in their output arrays.
    [[nodiscard]] bool exposes_input() const { return is_direct_in(0); }
    [[nodiscard]] bool exposes_output() const { return is_direct_out(last_stage()); }

  private:
    /// The buffer of each FusedPlace of this rank; -1: it is not used.
    using Buffers = std::array<int, first_peer_place>;
    using Work = std::function<void(std::vector<Operation>&, const Buffers&)>;

    [[nodiscard]] std::optional<FusedMove> move_at(int stage) const;
    [[nodiscard]] int last_stage() const { return static_cast<int>(plan_.stages.size()) - 1; }
    [[nodiscard]] bool reads_from_move(int stage) const;
    [[nodiscard]] bool writes_to_move(int stage) const;
    [[nodiscard]] bool is_direct(int stage) const;
    [[nodiscard]] bool is_direct_in(int stage) const { return stage == 0 && is_direct(stage); }
    [[nodiscard]] bool is_direct_out(int stage) const {
        return stage == last_stage() && is_direct(stage);
    }
    /// Of one transform.
    [[nodiscard]] std::vector<FusedOp> passes(int stage, const FusedEnds& ends,
                                              const std::vector<int>& peers,
                                              const std::vector<int>& readers) const;
    /// Asks for the scratch memory of that transform's passes.
    void need_scratch(int stage);
    /// The transform behind a first move that reads others' input arrays, or before a last one that
    /// stores in their output arrays.
    void add_behind_direct(int stage);
    void add_before_direct(int stage, const std::optional<FusedMove>& before);
    /// `work` between two moves without packing, of which there is at least one: it reads what the
    /// one before has brought and writes what the next one, stage number `next_stage`, takes along,
    /// or a value of so many bytes.
    void add_between(const std::optional<FusedMove>& before, const std::optional<FusedMove>& next,
                     int next_stage, Index bytes, const Work& work);

    const Plan& plan_;
    const Topology& topology_;
    int rank_;
    Chain& chain_;
};

}  // namespace weft::core
