// An emulated communicator: one rank's end of it.
#pragma once

#include <poll.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "testing/emulated/cuda/launch.hpp"
#include "testing/emulated/nccl/line.hpp"

namespace weft::core::emulated {

/// A send or receive that was asked for.
struct Transfer {
    bool sends = false;
    int peer = 0;
    std::byte* at = nullptr;  ///< as the device reaches it
    std::size_t bytes = 0;
};

class Comm : public std::enable_shared_from_this<Comm> {
  public:
    /// Throws CommError.
    Comm(const ncclUniqueId& id, int rank, int ranks, std::chrono::milliseconds patience);
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;

    [[nodiscard]] int ranks() const { return ranks_; }
    /// Puts them into the stream as one group, behind what was put in before, in whatever stream.
    /// Throws CommError. Allocates nothing if it did as much before.
    void put(const std::vector<Transfer>& transfers, cudaStream_t stream);
    /// What was put in fails from now on.
    void abort();
    /// Once all has run that was put in. A stream may keep this itself for longer.
    void close() const;
    /// Of what has run.
    [[nodiscard]] CommError error() const;
    /// Its text; stays as long as this.
    [[nodiscard]] const char* error_text() const;

  private:
    using Transfers = std::vector<Transfer>;

    void run(const Transfers& transfers, const DeviceView& view, bool fails);
    void prepare(const Transfers& transfers, const DeviceView& view);
    void exchange_with_itself();
    void exchange();
    /// Until one of the lines can go on, or time is over.
    void await(Clock::time_point last_moved);
    void fail(const CommError& error);

    int rank_;
    int ranks_;
    std::chrono::milliseconds patience_;
    std::vector<Line> lines_;  ///< by rank; this rank's own is not used
    std::vector<Piece> own_sends_;
    std::vector<Piece> own_receives_;
    std::vector<pollfd> polled_;
    std::vector<std::shared_ptr<Transfers>> known_;  ///< to use again
    cudaStream_t stream_ = nullptr;                  ///< the last one
    cudaEvent_t behind_ = nullptr;                   ///< what was put in last
    std::atomic<bool> aborted_ = false;
    std::atomic<bool> failed_ = false;
    mutable std::mutex mutex_;
    CommError error_;
};

}  // namespace weft::core::emulated
