// A device with memory of its own and queues of work, as the library sees any of them: CUDA, HIP.
//
// Work in one queue runs in the order in which it was put in, beside the host and beside other
// queues. Only a wait orders the work of two queues, or a queue and the host. A transform of 1024
// bytes that are on the host:
//
//     const auto memory = device.allocate(1024, "work");
//     const auto copies = device.queue("copies");
//     const auto compute = device.queue("compute");
//     const auto scale = [&](const DeviceView& view) { scale_all(view.reach(memory->data())); };
//
//     const auto arrived = copies->copy(host, memory->data(), 1024, "stage in");   // ticket 1
//     compute->wait_for(*copies, arrived);          // without it scale may run before
//     const auto scaled = compute->launch(scale, "scale");                         // ticket 1
//     copies->wait_for(*compute, scaled);
//     copies->wait(copies->copy(memory->data(), host, 1024, "stage out"));         // ticket 2
//
// A device is destroyed after its memory and its queues. What work refers to is destroyed after the
// work has run, which the destructor of its queue waits for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.hpp"
#include "base/no_copy.hpp"
#include "base/work.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// Memory that a device has given, and takes back when this is destroyed. Its addresses are
/// multiples of 64; what it holds at first is undefined. Addresses of device memory mean something
/// only to copies and to work, which reaches them through its DeviceView. Those of pinned memory
/// mean something to the host as well.
class DeviceMemory : NoCopy {
  public:
    virtual ~DeviceMemory() = default;

    /// Never null, even of 0 bytes.
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] Index bytes() const { return bytes_; }

  protected:
    DeviceMemory(std::byte* data, Index bytes) : data_(data), bytes_(bytes) {}

  private:
    std::byte* data_;
    Index bytes_;
};

/// What is free of a device's memory.
struct FreeMemory {
    Index bytes = 0;
    /// The same number in processes of one machine that have the same device, whose memory they
    /// share.
    std::uint64_t of = 0;
};

/// By which other processes of the machine open memory of a device. Plain, to be sent.
struct DeviceHandle {
    std::array<std::byte, 128> bytes{};
};

/// How work that runs on a device reaches memory.
class DeviceView {
  public:
    /// The address at which the work may read and write. An address that is not of the device's
    /// memory is returned unchanged, so one code serves memory of both kinds.
    [[nodiscard]] virtual std::byte* reach(std::byte* address) const = 0;
    [[nodiscard]] const std::byte* reach(const std::byte* address) const {
        return reach(const_cast<std::byte*>(address));
    }

    /// The stream of the device in which work puts kernels; null where the host does the work.
    [[nodiscard]] virtual void* stream() const { return nullptr; }

  protected:
    ~DeviceView() = default;
};

/// Local work that is prepared once and done as often as it is asked for: by the host at once, or
/// in `launch`, where a device's own puts kernels into the queue's stream.
class PreparedWork : NoCopy {
  public:
    virtual ~PreparedWork() = default;

    /// On memory that begins there, as whoever does it reaches it: of most work from places[0] to
    /// places[1]. Allocates nothing.
    virtual void run(const DeviceView& view, std::span<std::byte* const> places) = 0;
    /// The same, between two places.
    void run(const DeviceView& view, std::byte* from, std::byte* to) {
        const std::array<std::byte*, 2> places = {from, to};
        run(view, places);
    }
};

/// Work in order, beside the host and beside other queues: a stream. One thread of the host at a
/// time puts work into a queue; any may wait.
///
/// An error of work sticks: the work after it in the queue, and in queues that wait for it, does
/// not run, and every later wait or question throws the error.
class DeviceQueue : NoCopy {
  public:
    /// The number of what was put in: 1, 2, ... in each queue; 0 stands for nothing.
    using Ticket = std::uint64_t;
    using Work = FunctionRef<void(const DeviceView&)>;

    /// Waits for all that was put in.
    virtual ~DeviceQueue() = default;

    /// Runs `work` after all that was put in before. A device made of software calls it later, on a
    /// thread of its own; CUDA calls it at once, and it puts kernels into the stream. So the
    /// callable and what it refers to stay until it has run. `step` is a text for messages, which
    /// stays as long. Allocates nothing unless the queue is longer than it ever was.
    virtual Ticket launch(Work work, std::string_view step) = 0;
    /// Copies between host and device or within the device, also in pieces; both sides stay until
    /// it has run. Allocates like `launch`.
    virtual Ticket copy(const std::byte* from, std::byte* to, Index bytes,
                        std::string_view step) = 0;
    /// What is put into this queue from now on runs after that ticket of `other`, which has been
    /// given out already; so queues never wait for each other in a circle.
    virtual void wait_for(DeviceQueue& other, Ticket ticket) = 0;
    /// Whether it has run; throws if it or what was before it has failed.
    virtual bool done(Ticket ticket) = 0;
    /// Blocks the host until it has run; throws if it or what was before it has failed.
    virtual void wait(Ticket ticket) = 0;
    /// The ticket given out last; 0 if none.
    [[nodiscard]] virtual Ticket last() const = 0;
    /// What `put` puts into this queue is not done, but kept: each run of the result does it, at
    /// the price of one launch. `put` neither waits nor asks, and uses no other queue. Null: this
    /// device keeps nothing, and nothing was put in. Throws what `put` throws.
    virtual std::unique_ptr<PreparedWork> record(FunctionRef<void()> /*put*/) { return nullptr; }
};

/// Gives memory and queues. Any thread may ask it.
class Device : NoCopy {
  public:
    virtual ~Device() = default;

    /// Of the kind of device: "cuda".
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Memory of the device. Its name is for messages. Throws Error(system) with the size if there
    /// is not enough.
    virtual std::unique_ptr<DeviceMemory> allocate(Index bytes, std::string name) = 0;
    /// Free memory at this moment; another process may take it. The context of this process is
    /// created first, so that it is not counted as free.
    [[nodiscard]] virtual FreeMemory free_memory() = 0;
    /// Memory of the host that copies from and to the device reach fast; throws like `allocate`.
    virtual std::unique_ptr<DeviceMemory> allocate_pinned(Index bytes) = 0;
    /// Makes copies from and to memory of the host fast that is there already, while the result
    /// lives. Null: it stays as it is, for this device does not need it, or the host cannot keep so
    /// much in place, or some of it is pinned already.
    virtual std::unique_ptr<DeviceMemory> pin(std::byte* /*array*/, Index /*bytes*/) {
        return nullptr;
    }
    /// A new, empty queue. Its name is for messages.
    virtual std::unique_ptr<DeviceQueue> queue(std::string name) = 0;
    /// A stream of the caller's as a queue, of which the caller stays the owner: it outlives the
    /// queue, and nothing waits for what the caller has put there unless a ticket is waited for. A
    /// launch is after all that the caller has put there before, so the ticket of one that does
    /// nothing stands for that. Throws Error(bad_request) if it is no stream of this device.
    virtual std::shared_ptr<DeviceQueue> adopt(void* stream) = 0;
    /// Whether the address is of this device's memory; pinned memory is not.
    [[nodiscard]] virtual bool owns(const void* address) const = 0;
    /// Whether its memory has addresses that an MPI that knows such devices (a GPU-aware one) may
    /// be handed. Whether this MPI is one is found out by net/device_reach.
    [[nodiscard]] virtual bool mpi_reaches() const = 0;
    /// Whether mpi_reaches() is MPI's answer too: of a device that is software, of which no MPI
    /// knows.
    [[nodiscard]] virtual bool answers_for_mpi() const { return false; }
    /// The address that MPI is handed for it, unchanged if it is not of this device; throws
    /// Error(not_available) unless mpi_reaches().
    [[nodiscard]] virtual std::byte* for_mpi(std::byte* address) const = 0;

    // Memory that processes of one machine share.
    /// Why other processes cannot open its memory; empty if it seems that they can.
    [[nodiscard]] virtual std::string why_not_shared() = 0;
    /// For as long as the memory lives, which has bytes, and of which nothing is used meanwhile.
    /// Throws Error(system) if it cannot be shared.
    virtual DeviceHandle handle_of(const DeviceMemory& memory) = 0;
    /// Memory of so many bytes that another process has given, as memory of this device; it stays
    /// that process's, and is closed when the result is destroyed, before its owner frees it.
    /// Throws Error(system) if it cannot be opened from here.
    virtual std::unique_ptr<DeviceMemory> open(const DeviceHandle& handle, Index bytes) = 0;

    // What its own kernels do. Null: it has none, and the host's code does it in `launch`.
    /// Copies between two buffers of the device.
    virtual std::unique_ptr<PreparedWork> copies(const std::vector<CopyTask>& /*tasks*/) {
        return nullptr;
    }
    /// Copies between a buffer of the host and one of the device, either way.
    virtual std::unique_ptr<PreparedWork> hops(const std::vector<CopyTask>& /*tasks*/) {
        return nullptr;
    }
    /// to = factor * from, for the real numbers of the slice; both may be the same buffer.
    virtual std::unique_ptr<PreparedWork> scaling(Precision /*precision*/, const Slice& /*slice*/,
                                                  double /*factor*/) {
        return nullptr;
    }
    /// Bytes 0 from places[1] on; nothing is read.
    virtual std::unique_ptr<PreparedWork> clearing(Index /*bytes*/) { return nullptr; }
};

}  // namespace weft::core
