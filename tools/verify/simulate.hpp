// All ranks of a plan in one process: the same programs and executor as over MPI.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "memory/buffer.hpp"
#include "plan/plan.hpp"
#include "run/executor.hpp"
#include "run/programs.hpp"
#include "testing/net/local.hpp"

namespace weft::core {

/// Runs the ranks of one plan in turns that the seed draws. The arrays belong to the simulation.
class Simulation {
  public:
    /// Ranks that compute on a device do so on that one, with arrays of the device or the host.
    Simulation(const Plan& plan, const LocalOptions& options, Device* device = nullptr,
               bool device_arrays = false);
    /// Waits for the device before what its work refers to goes.
    ~Simulation() = default;
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// The arrays of one rank, uninitialised at first; for an in-place plan both are the same.
    [[nodiscard]] std::byte* in(int rank) const;
    [[nodiscard]] std::byte* out(int rank) const;
    /// Runs one direction on all ranks. Throws Error(system) if no rank can go on (a deadlock) or a
    /// message is left over.
    void run(bool backward);

  private:
    /// What a rank has on the device.
    struct OnDevice {
        std::unique_ptr<DeviceMemory> in{};
        std::unique_ptr<DeviceMemory> out{};
        std::unique_ptr<DeviceMemory> workspace{};
        std::unique_ptr<DeviceMemory> staging{};
        std::unique_ptr<DeviceWork> work{};
    };

    void add_rank(int rank, const LocalOptions& options);
    /// Where a rank's program works on the device.
    void add_device(int rank, const Memory& memory, Bound& bound);
    /// Copies all ranks' arrays to the device's, or back, if those are what is bound.
    void copy_arrays(bool to_device);

    Plan plan_;
    Device* device_;
    bool device_arrays_;
    std::map<int, OnDevice> on_device_;  ///< by rank, of those that compute there
    std::vector<std::unique_ptr<Team>>
        teams_;  ///< of all ranks, which take turns; on a device of each
    LocalWorld world_;
    Random random_;
    std::vector<std::unique_ptr<Net>> nets_;
    std::vector<Buffer> in_;
    std::vector<Buffer> out_;
    std::vector<Buffer> workspace_;
    std::vector<std::unique_ptr<Programs>> programs_;
    std::vector<std::unique_ptr<Executor>> forward_;  ///< by rank
    std::vector<std::unique_ptr<Executor>> backward_;
};

}  // namespace weft::core
