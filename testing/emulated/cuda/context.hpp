// All that one emulated device has: its memory, streams, events and the error that sticks to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "testing/emulated/cuda/graph_run.hpp"
#include "testing/emulated/cuda/graphs.hpp"
#include "testing/emulated/cuda/memory.hpp"
#include "testing/emulated/cuda/options.hpp"
#include "testing/emulated/cuda/stream.hpp"

namespace weft::core::emulated {

/// An event: the moment it was recorded at, and the time when that was reached.
struct Event {
    explicit Event(bool is_timed) : timed(is_timed) {}

    bool timed;
    std::mutex mutex;
    Stream::Moment moment;
    bool recorded = false;
    std::uint64_t records = 0;
    /// Of the record with that number: nanoseconds of the steady clock.
    std::atomic<std::uint64_t> reached_record = 0;
    std::atomic<std::int64_t> reached_time = 0;
};

/// Memory that is known: of the device, pinned, or the caller's that was registered.
struct Allocation {
    std::unique_ptr<DeviceMemory> memory;  ///< null: the caller's
    std::size_t bytes = 0;
    bool on_device = false;
    bool opened = false;  ///< another process's
};

class Context {
  public:
    explicit Context(const EmulatedOptions& chosen);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Throws the code of a handle that is not known.
    std::shared_ptr<Stream> stream(cudaStream_t handle);
    std::shared_ptr<Event> event(cudaEvent_t handle);
    /// The stream to put work into, which comes after what CUDA says that it comes after.
    std::shared_ptr<Stream> stream_for_work(cudaStream_t handle);
    cudaStream_t add_stream(bool blocking);
    void remove_stream(cudaStream_t handle);
    cudaEvent_t add_event(bool timed);
    void remove_event(cudaEvent_t handle);
    /// Until all streams have run.
    void synchronize();

    void add_capture(const std::shared_ptr<Capture>& capture, cudaStreamCaptureMode mode);
    /// Throws, and makes them invalid, if there are captures that forbid this thread what is not
    /// part of a stream.
    void require_no_capture();
    cudaGraph_t add_graph(const std::shared_ptr<const Capture>& capture);
    void remove_graph(cudaGraph_t handle);
    cudaGraphExec_t add_graph_run(cudaGraph_t handle);
    std::shared_ptr<GraphRun> graph_run(cudaGraphExec_t handle);
    void remove_graph_run(cudaGraphExec_t handle);

    /// Throws cudaErrorInvalidValue unless all bytes may be used by a stream. Says whether they are
    /// the device's.
    bool require_usable(const void* address, std::size_t bytes);
    /// The allocation that has the address, and where it begins; null: none.
    const Allocation* find(const void* address, std::uintptr_t& begin);

    const EmulatedOptions options;
    const std::unique_ptr<Device> device;
    Failure failure = cudaSuccess;
    std::mutex mutex;  ///< of what follows
    std::map<std::uintptr_t, Allocation> allocations;
    std::size_t device_bytes = 0;
    std::uint64_t device_allocations = 0;
    std::map<const void*, int> shared_bytes_allowed;  ///< of kernels

  private:
    struct Capturing {
        std::shared_ptr<Capture> capture;
        cudaStreamCaptureMode mode;
        std::thread::id thread;
    };

    std::shared_ptr<Stream> make_stream(bool blocking);

    std::uintptr_t handles_ = 0;  ///< given so far
    int numbers_ = 0;             ///< of streams
    std::map<cudaEvent_t, std::shared_ptr<Event>> events_;
    std::vector<Capturing> capturing_;  ///< and some that have ended
    std::map<cudaGraph_t, std::shared_ptr<const Capture>> graphs_;
    std::map<cudaGraphExec_t, std::shared_ptr<GraphRun>> graph_runs_;
    std::map<cudaStream_t, std::shared_ptr<Stream>> streams_;  ///< the default one is null's
};

/// The context of the process.
Context& context();

/// Keeps the error for cudaGetLastError, and returns it.
cudaError_t note(cudaError_t error);

/// The error of the options: no device, no driver.
cudaError_t absence(const EmulatedOptions& options);

/// Runs call(context), which may throw a cudaError_t, and notes its error. One that sticks comes
/// before; `always`: the call is made even then.
template <class Call>
cudaError_t with_device(const Call& call, bool always = false) {
    Context& here = context();
    if (const cudaError_t absent = absence(here.options); absent != cudaSuccess) {
        return note(absent);
    }
    if (!always && here.failure != cudaSuccess) return note(here.failure);
    cudaError_t error = cudaSuccess;
    try {
        call(here);
    } catch (const Thrown<cudaError_t>& thrown) {
        error = thrown.code;
    }
    if (here.failure != cudaSuccess) error = here.failure;
    return note(error);
}

}  // namespace weft::core::emulated
