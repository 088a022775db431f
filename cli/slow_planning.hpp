// A verb prints on stderr how far planning is, if that takes long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace weft::cli {

/// After `first`, and each time that the time has doubled, prints on stderr how many operations and
/// messages the thread that made it has lowered, and how they may be fewer. That thread destroys
/// it.
class SlowPlanning {
  public:
    explicit SlowPlanning(std::chrono::milliseconds first = std::chrono::seconds(2));

  private:
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_;  ///< last, so that it ends before what it waits on
};

}  // namespace weft::cli
