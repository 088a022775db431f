// The device on which a rank computes, and whether memory that it is given is of that device.
#pragma once

#include "api/state.hpp"

namespace weft {

class BoundDevice {
  public:
    /// `arrays`: of what memory those of calls are, if none are bound.
    BoundDevice(const Plan::State& plan, Memory arrays) : plan_(plan), arrays_(arrays) {}

    /// Null: this rank computes on the host.
    [[nodiscard]] core::Device* get() const { return device_; }

    /// Local. Finds the device of this rank; throws Error(bad_request) if arrays are of memory in
    /// which it does not compute. `bound`: what was checked; null: calls bring arrays.
    void find(const ArrayChecks* bound);
    /// Local: a workspace that is given has to be memory in which the plan computes.
    void check(const Workspace& workspace) const;
    /// Collective, where some rank computes on a device: where all ranks' arrays lie, and whether
    /// their MPI reaches the device.
    void agree(core::Environment& environment);
    /// Local: so many bytes of the device are what the plan's space allows, of which the engine
    /// works in some.
    void check_memory(Index bytes, Index engine_bytes) const;

  private:
    [[nodiscard]] const core::Plan& plan() const { return plan_.plan; }
    /// Where this rank computes.
    [[nodiscard]] const core::Placement& here() const { return plan().placement(plan_.rank); }
    /// Local: of a rank of the host beside those of a device.
    void check_arrays_of_host(bool bound);

    const Plan::State& plan_;
    Memory arrays_;
    core::Device* device_ = nullptr;
    ArrayChecks::Whose whose_;
};

}  // namespace weft
