// The memory that a plan needs on its ranks, each worked out once.
#pragma once

#include <map>
#include <mutex>

#include "program/lower.hpp"

namespace weft {

/// For one plan and one environment. Any thread may ask.
class MemoryOfRanks {
  public:
    /// `work_out()` gives that rank's, and is called the first time.
    template <class WorkOut>
    core::Memory of(int rank, const WorkOut& work_out) {
        const std::scoped_lock lock(mutex_);
        const auto found = known_.find(rank);
        return found != known_.end() ? found->second
                                     : known_.emplace(rank, work_out()).first->second;
    }

  private:
    std::mutex mutex_;
    std::map<int, core::Memory> known_;
};

}  // namespace weft
