// Aligned memory that frees itself.
#pragma once

#include <cstddef>
#include <memory>

#include "weft/box.hpp"

namespace weft::core {

/// Uninitialised bytes at a multiple of 64; large ones at a multiple of a huge page, which the
/// system is asked to use. Throws Error(system) that states the size if there is not enough.
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(Index bytes);

    [[nodiscard]] std::byte* data() const { return data_.get(); }
    [[nodiscard]] Index bytes() const { return bytes_; }

  private:
    struct Free {
        void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte, Free> data_;
    Index bytes_ = 0;
};

/// The same as free functions, for owners of another kind.
void* allocate_bytes(Index bytes);
void free_bytes(void* data) noexcept;

}  // namespace weft::core
