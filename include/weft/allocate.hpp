// Memory for a transform's arrays.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>

#include "weft/box.hpp"

#pragma GCC visibility push(default)

namespace weft {

namespace detail {
void* allocate_bytes(Index bytes);
void free_bytes(void* data) noexcept;
}  // namespace detail

/// An array of `size` elements that frees itself. Movable, not copyable.
template <class T>
class Array {
    static_assert(std::is_trivially_destructible_v<T>, "arrays hold numbers");

  public:
    Array() = default;
    explicit Array(Index size)
        : data_(static_cast<T*>(detail::allocate_bytes(bytes_for(size)))), size_(size) {
        std::uninitialized_value_construct_n(data_.get(), size);
    }

    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] const T* data() const { return data_.get(); }
    [[nodiscard]] Index size() const { return data_ == nullptr ? 0 : size_; }
    T& operator[](Index i) { return data_.get()[i]; }
    const T& operator[](Index i) const { return data_.get()[i]; }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + size(); }
    [[nodiscard]] const T* begin() const { return data(); }
    [[nodiscard]] const T* end() const { return data() + size(); }

  private:
    static Index bytes_for(Index size) {
        constexpr Index element = sizeof(T);
        // A size that is negative or too large makes the allocation fail with its message.
        constexpr Index most = std::numeric_limits<Index>::max();
        if (size < 0) return size;
        return size > most / element ? most : size * element;
    }
    struct Free {
        void operator()(T* data) const { detail::free_bytes(data); }
    };
    std::unique_ptr<T, Free> data_;
    Index size_ = 0;
};

/// `size` elements, all zero, aligned to 64 bytes. Local. Arrays of 2 MiB and more are on huge
/// pages if Linux has them (6.1 and later); these are taken at once, near the calling thread. Other
/// ranks of the node can map arrays of 64 KiB and more, if the system allows it, so that transforms
/// store in them directly. Throws Error(system) that states the size if there is not enough memory,
/// Error(bad_request) if the size is negative.
template <class T>
Array<T> allocate(Index size) {
    return Array<T>(size);
}

}  // namespace weft

#pragma GCC visibility pop
