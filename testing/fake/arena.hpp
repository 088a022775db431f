// The memory of a fake device: addresses that trap, and others at which the memory is.
//
// Two halves of one range of addresses, each of `room` bytes. Addresses of the first half are
// handed out, and nothing is ever mapped there. The memory of handed address p is at p + room,
// which queues, copies and MPI use. Two buffers of 100 and 8192 bytes, in pages of 4096:
//
//     handed    | ..........a1 | guard | b1 b2 | guard | ..       traps everywhere
//     reached   | ..........a1 | guard | b1 b2 | guard | ..       a1, b1, b2 can be used
//
// A buffer ends where its last page ends (but for rounding to 64), so the first cache line past it
// traps in both halves. Freed buffers trap in both halves too.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>

#include "memory/shared_memory.hpp"
#include "testing/fake/signal_text.hpp"
#include "weft/box.hpp"

namespace weft::core {

class FakeArena {
  public:
    explicit FakeArena(Index room);
    ~FakeArena();
    FakeArena(const FakeArena&) = delete;
    FakeArena& operator=(const FakeArena&) = delete;

    /// The handed address of a new buffer.
    std::byte* allocate(Index bytes, std::string_view name);
    /// A buffer as other processes open it: its memory is a file's from now on, with what it holds.
    /// Nothing uses it meanwhile. Nothing if there is no such file to be had.
    std::optional<SharedPiece> share(const std::byte* address);
    /// The handed address of a new buffer whose memory is that of another process's buffer of so
    /// many bytes. Null if it cannot be opened.
    std::byte* open(const SharedPiece& piece, Index bytes, std::string_view name);
    void free(std::byte* address) noexcept;

    [[nodiscard]] bool owns(const void* address) const noexcept { return within(address, begin_); }
    /// Buffers that are not freed.
    [[nodiscard]] int buffers() const noexcept;
    /// All that there have been, each of which keeps one block of the host's memory.
    [[nodiscard]] int spans() const noexcept;
    /// Bytes before a handed address.
    [[nodiscard]] Index offset(const std::byte* address) const noexcept { return address - begin_; }
    /// Where the memory of a handed address is; any other address is returned unchanged.
    [[nodiscard]] std::byte* reach(std::byte* address) const noexcept {
        return owns(address) ? address + room_ : address;
    }

    /// A buffer that has, or had, the pages around an address.
    struct Found {
        const SignalText* name = nullptr;
        Index offset = 0;  ///< of the address in the buffer; below 0 or above `bytes` if outside
        Index bytes = 0;
        bool freed = false;
        bool reached = false;  ///< the address is one at which memory is reached
    };
    /// Nothing if the address is of neither half. Signal handlers may call it.
    [[nodiscard]] std::optional<Found> find(const void* address) const noexcept;

    /// The step that was put into a queue last.
    SignalText last_step;

  private:
    /// The pages of one buffer, with the guard page after them. Never removed, so that a signal
    /// handler may walk the list.
    struct Span {
        std::byte* pages = nullptr;
        Index span = 0;  ///< bytes of its pages and the guard page
        std::byte* data = nullptr;
        Index bytes = 0;
        SignalText name;
        int file = -1;  ///< whose memory it is, if others may open it
        std::atomic<bool> freed = false;
        bool reused = false;  ///< a newer span has its pages
        Span* older = nullptr;
    };

    [[nodiscard]] bool within(const void* address, const std::byte* begin) const noexcept;
    std::byte* take_pages(Index span, Index bytes);
    /// A new buffer, on which nothing is written yet; with that file's memory, unless it is -1.
    /// Null if there are no addresses.
    std::byte* add(Index bytes, std::string_view name, int file);
    Span* living(const std::byte* address);
    Span* oldest_freed(Index span);
    void protect(std::byte* pages, Index bytes) noexcept;
    /// Puts a file's memory there.
    bool map(std::byte* pages, Index bytes, int file) const noexcept;

    std::byte* begin_ = nullptr;
    Index room_ = 0;
    mutable std::mutex mutex_;
    Index used_ = 0;  ///< of the room, from its begin
    std::atomic<Span*> newest_ = nullptr;
};

}  // namespace weft::core
