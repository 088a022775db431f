// The arrays that a plan is bound to, and as what the net exposes them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "api/state.hpp"

namespace weft {

class BoundArrays {
  public:
    /// Local.
    void take(const detail::ArrayList& in, const detail::ArrayList& out);
    [[nodiscard]] bool taken() const { return taken_; }
    /// Pins arrays of the host of at least 1 MiB, from and to which a device copies, until the
    /// result is destroyed: copies are several times as fast then. WEFT_DEVICE_PIN=no leaves all as
    /// they are.
    [[nodiscard]] std::vector<std::unique_ptr<core::DeviceMemory>> pinned(
        core::Device& device, const core::Programs& programs) const;

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
