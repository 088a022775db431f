// Arrays of the ranks of a node that each of them may read and write.
#pragma once

#include <memory>

#include "net/mpi_region.hpp"
#include "net/node_memory.hpp"

namespace weft::core {

/// One array of each rank, which the others of its node have mapped. Who may use one, and who has,
/// is counted in a region that holds nothing else.
class ExposedArray : public SharedRegion {
  public:
    ExposedArray(std::shared_ptr<MpiRegion> counters, NodeMemory arrays);

    [[nodiscard]] std::byte* of(int rank) const override;
    std::unique_ptr<RegionUse> open(const RegionTask& task) override {
        return counters_->open(task);
    }
    bool reclaim(bool block) override { return counters_->reclaim(block); }

  private:
    std::shared_ptr<MpiRegion> counters_;
    NodeMemory arrays_;
};

/// Collective over the communicator. Null on all ranks if an array of some rank is not of
/// weft::allocate, or cannot be mapped by one of its node.
std::unique_ptr<ExposedArray> expose_array(GroupComm& all, int number, std::byte* array,
                                           Index bytes);

}  // namespace weft::core
