// A stream of the emulated runtime: a queue of the fake device, with the work that is in it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "testing/emulated/cuda/capture.hpp"
#include "testing/emulated/cuda/closure.hpp"
#include "testing/emulated/cuda/errors.hpp"

namespace weft::core::emulated {

/// The error that sticks to a device; cudaSuccess: none.
using Failure = std::atomic<cudaError_t>;

class Stream : public std::enable_shared_from_this<Stream> {
  public:
    /// How far a stream has come: all that was put in before. Of a stream that is gone, all has
    /// run.
    struct Moment {
        std::weak_ptr<Stream> stream;
        DeviceQueue::Ticket ticket = 0;
        std::shared_ptr<Capture> capture;  ///< of a captured stream
        std::size_t mark = 0;
    };

    Stream(Device& device, int number, bool blocking, Failure& failure);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// Keeps a copy of the work until it has run. Work does not run once something has failed.
    void work(const Closure& work, std::string_view step);
    void copy(const std::byte* from, std::byte* to, Index bytes);
    /// What is put in from now on runs after it. A captured stream, and one that waits for such,
    /// throws the error of CUDA where that cannot be.
    void wait_for(const Moment& moment);
    [[nodiscard]] Moment now();

    /// Whether it has run; one that is wanted lets a late stream run. An error sticks to the
    /// device.
    bool has_run(const Moment& moment);
    /// Returns when it has run or failed. Like has_run, throws for a moment of a captured stream.
    void wait(const Moment& moment);
    /// Returns when all that was put in has run or failed, captured or not.
    void drain();

    /// From now on what is put in is kept and does not run.
    std::shared_ptr<Capture> begin_capture();
    /// Throws unless it began in this stream.
    std::shared_ptr<Capture> end_capture();
    /// The capture that goes on in this stream; null: none.
    std::shared_ptr<Capture> captured();

    /// Whether the default stream waits for this one, and this one for it.
    [[nodiscard]] bool blocking() const { return blocking_; }

  private:
    /// Work that was put in, or a place for some.
    struct Task {
        Closure closure;
        Failure* failure = nullptr;
        std::atomic<bool> finished = false;
        std::unique_ptr<Task> next;

        void operator()(const DeviceView& view);
    };

    /// captured(), by whoever holds the mutex.
    const std::shared_ptr<Capture>& capture();
    /// Takes the stream into the capture of the moment, if there is one. Whether it did all there
    /// was to do.
    bool wait_captured(const Moment& moment);
    DeviceQueue::Ticket last_ticket();
    void put(const Closure& closure, std::string_view step);
    void free_finished();
    /// Notes why the queue threw.
    void fail() noexcept;

    bool blocking_;
    Failure& failure_;
    std::mutex mutex_;
    std::shared_ptr<Capture> capture_;  ///< the last one
    int lane_ = 0;                      ///< in it
    std::unique_ptr<Task> oldest_;      ///< of those put in, in their order
    Task* newest_ = nullptr;
    std::unique_ptr<Task> spare_;
    bool waits_ = false;  ///< the last thing put in was a wait, which has no ticket of its own
    std::unique_ptr<DeviceQueue> queue_;
};

}  // namespace weft::core::emulated
