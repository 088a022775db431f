// A plan bound to arrays: the programs of both directions, ready to run.
#pragma once

#include <memory>
#include <optional>

#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "run/executor.hpp"

namespace weft::core {

/// The programs of one rank for a plan and its reverse, which share one workspace.
struct Programs {
    Program forward;
    Program backward;

    Programs(const Plan& plan, int rank, const Environment& environment = {});
    /// Bytes that both directions can work in.
    [[nodiscard]] Index workspace_bytes() const;
    /// Of each work region that both directions can use.
    [[nodiscard]] std::vector<Index> region_bytes() const;
    /// Collective over the net: joins all groups, in the order of the operations.
    void join(Net& net) const;
    /// Collective, after that: the work regions. Throws on all ranks if there is no memory for
    /// them.
    void share(Net& net) const;
};

/// The arrays of the forward direction.
struct BoundArrays {
    std::byte* in = nullptr;  ///< null also where each start brings its own
    std::byte* out = nullptr;
    /// As what they are exposed to the ranks of the node; null: they are not.
    SharedRegion* in_region = nullptr;
    SharedRegion* out_region = nullptr;
    /// They are the only ones that will be used, as they must be where they are exposed; on all
    /// ranks or on none.
    bool fixed = false;
    /// Not all arrays that will be used are multiples of the engine's alignment.
    bool any_alignment = false;
};

/// Owns what changes while a transform runs, but for its memory and threads: engine plans and
/// channels.
class Binding {
  public:
    /// Local; the programs' groups have been joined. For an in-place plan both arrays are the one.
    /// `workspace` holds programs.workspace_bytes(). `plans` may be gone afterwards.
    Binding(const Programs& programs, EnginePlans& plans, const Workers& workers, Net& net,
            const BoundArrays& arrays, std::byte* workspace);
    /// With plans of its own.
    Binding(const Programs& programs, const FftEngine& engine, Effort effort,
            const Workers& workers, Net& net, const BoundArrays& arrays, std::byte* workspace);
    /// By the engine and with the effort of a choice.
    Binding(const Programs& programs, const Choice& choice, const Workers& workers, Net& net,
            const BoundArrays& arrays, std::byte* workspace);

    /// Collective, once all ranks have bound.
    void connect();

    [[nodiscard]] Executor& executor(bool backward) { return backward ? *backward_ : *forward_; }

  private:
    void make(const Programs& programs, EnginePlans& plans, const Workers& workers, Net& net,
              const BoundArrays& arrays, std::byte* workspace);

    std::optional<Executor> forward_;
    std::optional<Executor> backward_;
};

}  // namespace weft::core
