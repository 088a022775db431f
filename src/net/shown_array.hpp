// Arrays of the ranks of a node that each of them may read and write.
#pragma once

#include <memory>

#include "net/mpi_windows.hpp"
#include "net/node_memory.hpp"

namespace weft::core {

/// One array of each rank, which the others of its node have mapped. Who may use one, and who has,
/// is counted as for a window that is read: an array is posted when it may be written and released
/// when it has been.
class ShownArray : public SharedWindow {
  public:
    ShownArray(std::shared_ptr<MpiWindow> counters, NodeMemory arrays);

    [[nodiscard]] std::byte* of(int rank) const override;
    bool claim(bool block) override { return counters_->claim(block); }
    [[nodiscard]] MpiWindow& counters() { return *counters_; }

  private:
    std::shared_ptr<MpiWindow> counters_;
    NodeMemory arrays_;
};

/// Collective over the communicator. Null on all ranks if an array of some rank is not of
/// weft::allocate, or cannot be mapped by one of its node.
std::unique_ptr<ShownArray> show_array(GroupComm& all, int number, std::byte* array, Index bytes);

}  // namespace weft::core
