// An exchange in which nothing is sent: its readers look at the sender's memory.
#pragma once

#include <vector>

#include "net/counted_window.hpp"

namespace weft::core {

/// Peers are told that this rank's window may be read, and waited for until they have told the
/// same.
class WindowReading : public Channel {
  public:
    /// Who reads this rank's window and whose it reads, by their place.
    WindowReading(CountedWindow& window, std::vector<int> readers, std::vector<int> sources);

    void start(const ExchangeBuffers& buffers) override;
    bool test() override;
    void wait() override;
    void release() override;

  private:
    CountedWindow& window_;
    std::vector<int> readers_;
    std::vector<int> sources_;
    std::uint64_t time_ = 0;
};

}  // namespace weft::core
