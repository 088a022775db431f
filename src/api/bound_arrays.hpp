// The arrays that a plan is bound to, and as what the net exposes them.
#pragma once

#include <cstddef>
#include <vector>

#include "api/state.hpp"

namespace weft {

class BoundArrays {
  public:
    /// Local.
    void take(const detail::ArrayList& in, const detail::ArrayList& out);
    [[nodiscard]] bool taken() const { return taken_; }
    [[nodiscard]] const std::vector<std::byte*>& in() const { return in_.arrays; }
    [[nodiscard]] const std::vector<std::byte*>& out() const { return out_.arrays; }

    /// Collective. Exposes the arrays of each end, if there is use in it and all ranks of each node
    /// can map them.
    void expose(const Plan::State& plan, core::Net& net);
    /// No program uses the exposed arrays. Local.
    void hide();
    [[nodiscard]] bool input_exposed() const { return !in_.regions.empty(); }
    [[nodiscard]] bool output_exposed() const { return !out_.regions.empty(); }

    /// Whether the address of some array is no multiple of so many bytes.
    [[nodiscard]] bool lie_anyhow(Index multiple) const;
    /// Tells an executor of the arrays of that field, if any were taken.
    void give(std::size_t field, core::Bound& bound) const;

  private:
    struct End {
        std::vector<std::byte*> arrays;
        std::vector<core::SharedRegion*> regions;  ///< empty: the arrays are not exposed

        void expose(Index bytes, core::Net& net);
        [[nodiscard]] core::SharedRegion* region(std::size_t field) const {
            return regions.empty() ? nullptr : regions[field];
        }
    };

    bool taken_ = false;
    End in_;
    End out_;
};

}  // namespace weft
