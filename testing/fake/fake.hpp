// A device made of software, with which staging and the order of queues are tested without a GPU.
//
// An access to its memory from outside the queues traps, in any thread, and ends the process:
//
//     weft: the host touched device memory: byte 8 of buffer work (64 bytes), after step stage in
//
// The message names the step that was put into a queue last. Work that goes past the end of a
// buffer, and accesses to freed buffers, end the process too. Memory that nothing has written holds
// NaN.
//
// Each queue is a thread, which delays its work by times that a seed draws. With `late` nothing is
// left to chance: a queue holds work back until somebody waits for it, or it runs work at once, as
// the bits of the seed say. A wait that was forgotten shows for certain where the queue that should
// be waited for is late and the other one runs at once. In the example of device.hpp, `copies` is
// queue 1 and `compute` is queue 2. Without the first wait_for,
//
//     seed 0    both late:           the wait for "stage out" runs "stage in", then scale: right
//     seed 2    compute at once:     scale runs when it is launched, before "stage in": wrong
//
// so a test of n queues goes through the seeds 0 .. 2^n - 1.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "device/device.hpp"
#include "memory/shared_memory.hpp"

namespace weft::core {

struct FakeOptions {
    std::uint64_t seed = 0;
    /// At most so long before each thing that a queue does, and between pieces of a copy; 0: none.
    std::chrono::microseconds longest_delay{20};
    Index copy_piece = Index{1} << 16;  ///< bytes that a copy moves at a time
    /// Work of the k-th queue (from 1) runs only when the host waits for it or asks whether it is
    /// done, or when a queue comes to a wait for it; if bit k - 1 of the seed is set, it has run
    /// when `launch` or `copy` returns. There are no delays then.
    bool late = false;
    int fail_allocation = 0;  ///< the n-th allocation, device or pinned, throws; 0: none
    bool mpi_reaches = false;
    bool mpi_lies = false;        ///< what MPI is handed for its memory is other memory, of zeros
    bool no_peers = false;        ///< other processes cannot open its memory
    Index free = Index{1} << 36;  ///< bytes of its memory that it says are free
    bool absent = false;          ///< there is none: fake_device() throws
    int lost_after = 0;           ///< after n launches and copies the device is lost; 0: never
    /// Addresses for device memory. Freed ones are given out again only when there are no others.
    Index room = Index{1} << 36;
};

/// Of a text as WEFT_FAKE_DEVICE has it: `seed:3,delay:50,piece:4096,late,mpi,lies,fail:7,lost:40`
/// or `none`, or `nopeers` or `free:100000` among the others, any of them: microseconds of the
/// longest delay; bytes that a copy moves at a time; work is held back; MPI reaches its memory, or
/// says so and does not; the number of the allocation that fails; of launches and copies until it
/// is lost; it is absent; bytes that it says are free.
/// Throws Error(bad_request) that quotes what is not understood, and the variable.
FakeOptions fake_options(const std::string& text, std::string_view variable = "WEFT_FAKE_DEVICE");

/// The stream that a caller has of a queue of a fake device, for `adopt`.
inline void* fake_stream(DeviceQueue& queue) { return &queue; }

/// What a fake device's DeviceHandle holds: the buffer's memory, and the bytes of the buffer.
struct FakeHandle {
    SharedPiece piece;
    Index bytes = 0;
};
FakeHandle fake_handle(const DeviceHandle& handle);

/// How many buffers a fake device has given that are not freed, pinned ones left out.
int buffers_of(const Device& fake);
/// How many there have been, freed ones among them: of each it keeps one block of the host's
/// memory.
int all_buffers_of(const Device& fake);

/// Whatever its options say, it is lost after so many more launches and copies. Nothing: it is not,
/// and new queues work as if it never had been; those on which work has failed do not.
void set_lost_after(Device& fake, std::optional<int> more);
/// How many allocations it was asked for, of the device's and pinned memory, and openings of other
/// processes' memory.
int allocations_of(const Device& fake);
/// Whatever its options say, the n-th of those from now on throws (1: the next one). Nothing: none.
void set_failing_allocation(Device& fake, std::optional<int> next);
/// Whatever its options say, what it says is free. Without a call its memory is this process's own.
void set_free_memory(Device& fake, FreeMemory free);
/// How many launches and copies its queues were given.
int launches_of(const Device& fake);

/// Throws Error(system) if the process cannot have so many addresses.
std::unique_ptr<Device> make_fake_device(const FakeOptions& options);

/// The device of `space=fake`, as WEFT_FAKE_DEVICE says; throws Error(not_available) if that says
/// that it is absent.
Device& fake_device();
/// Whether it is memory of any fake device.
bool fake_knows(const void* address);

}  // namespace weft::core
