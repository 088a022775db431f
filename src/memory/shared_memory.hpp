// Arrays that other processes of the node can map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "weft/box.hpp"

namespace weft::core {

/// Some bytes of an allocation, as any process of the node finds them. Plain, to be sent.
struct SharedPiece {
    std::int64_t process = 0;
    std::int64_t file = -1;  ///< the process's descriptor; -1: the bytes are not shared memory
    std::uint64_t device = 0;
    std::uint64_t inode = 0;  ///< with the device: that it is the same file that was found
    Index bytes = 0;          ///< of the whole allocation
    Index offset = 0;
};

/// Zero bytes at a multiple of a page, large ones at a multiple of a huge page; null if there are
/// none. It counts as the process's own, not as /dev/shm's.
/// Until take_pages the system has only promised the memory.
/// It takes a file descriptor until hide_shared or free_shared. `briefly`: that comes soon, so the
/// last descriptors but 16 will do; otherwise at most a quarter of those that the process may have.
void* allocate_shared(Index bytes, bool briefly = false);
/// Takes whole huge pages of it, on the memory of the calling thread's node, once; while others may
/// write it too. Clearing them is most of what such memory costs.
void take_pages(void* data);
/// Of all allocations whose pages are not taken: this process may take so many bytes at any time.
Index promised_bytes();
/// False where the system gives no process such memory, however little of it.
bool has_shared_memory();
/// Closes the file descriptor: existing mappings stay valid, new ones fail.
void hide_shared(void* data);
/// False if it is not one of those.
bool free_shared(void* data) noexcept;
/// Where others find these bytes; nothing if they are not within one of those allocations.
std::optional<SharedPiece> shared_piece(const void* data, Index bytes);

/// A new file of so many bytes in memory, for whoever maps it; -1: there is none to be had.
int new_shared_file(Index bytes);
/// All of that file, as any process of the node finds it.
std::optional<SharedPiece> piece_of_file(int file, Index bytes);
/// A descriptor of this process's for the file of a piece, to be closed; -1: it cannot be opened.
/// `hidden`: this process may not see it, so that no limit that is raised would help.
int open_shared_file(const SharedPiece& piece, bool& hidden);

/// Another process's allocation in this one's memory, as long as this lives.
class SharedMapping {
  public:
    explicit SharedMapping(const SharedPiece& piece);
    ~SharedMapping();
    SharedMapping(SharedMapping&& other) noexcept;
    SharedMapping& operator=(SharedMapping&&) = delete;

    /// The piece; null if it could not be mapped.
    [[nodiscard]] std::byte* data() const { return data_; }
    /// Whether this process may not see the other's allocation, so that no limit that is raised
    /// would help.
    [[nodiscard]] bool is_hidden() const { return hidden_; }

  private:
    bool hidden_ = false;
    std::byte* base_ = nullptr;
    std::size_t bytes_ = 0;
    std::byte* data_ = nullptr;
};

}  // namespace weft::core
