// Memory on the devices of a node's ranks that the ranks share: each one's own, opened by those
// that read or write it.
//
// The memory is reached by work of devices only. Who may use it, and who has, is told by counters
// in the host's memory, as of the host's regions: the program has the host wait for the device's
// queues before it publishes or releases.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "net/mpi_region.hpp"

namespace weft::core {

class DeviceRegion : public SharedRegion {
  public:
    /// Collective over the communicator that the node is of. Throws on all ranks or none.
    DeviceRegion(MPI_Comm all, std::shared_ptr<MpiRegion> counters, Device& device, Index bytes);

    /// Of other ranks once a task has been opened in which this rank uses theirs.
    [[nodiscard]] std::byte* of(int rank) const override;
    std::unique_ptr<RegionUse> open(const RegionTask& task) override;
    bool reclaim(bool block) override { return counters_->reclaim(block); }

    [[nodiscard]] Index bytes() const { return memory_->bytes(); }
    /// Local: numbers, not any bits, since what lies between rows is computed with.
    void clear();
    /// Local: gives up other ranks' memory, which is to happen before those free it.
    void close() { opened_.clear(); }

  private:
    /// What other ranks know of one's memory; without bytes there is no handle.
    struct Offer {
        DeviceHandle handle;
        Index bytes = 0;
    };

    std::shared_ptr<MpiRegion> counters_;
    Device& device_;
    std::unique_ptr<DeviceMemory> memory_;
    std::vector<Offer> offers_;                            ///< by place on the node
    std::map<int, std::unique_ptr<DeviceMemory>> opened_;  ///< by place on the node
};

/// The work region of that number on that kind of device which goes with the communicator, with
/// room for so many bytes here. Collective over it.
std::shared_ptr<DeviceRegion> device_region(GroupComm& all, Device& device, int number,
                                            Index bytes);
/// Frees those that no net uses. Collective.
void forget_device_regions(GroupComm& all);

}  // namespace weft::core
