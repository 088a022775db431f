// A capture that streams can run.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "testing/emulated/cuda/capture.hpp"
#include "testing/emulated/cuda/stream.hpp"

namespace weft::core::emulated {

class GraphRun {
  public:
    /// `lanes`: of the capture's but the first.
    GraphRun(std::shared_ptr<const Capture> capture, std::vector<std::shared_ptr<Stream>> lanes);
    /// Puts all of it into the streams; the first lane into this one.
    void launch(Stream& stream);
    /// Until the last launch has run.
    void finish();

  private:
    std::shared_ptr<const Capture> capture_;
    std::vector<std::shared_ptr<Stream>> lanes_;
    std::mutex mutex_;
    std::vector<Stream::Moment> marks_;
    Stream::Moment last_;
};

}  // namespace weft::core::emulated
