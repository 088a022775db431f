#include "testing/emulated/cuda/shared_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "weft/error.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace weft::core::emulated {

namespace {

constexpr std::byte untouched{0xff};
constexpr std::size_t aligned = 64;

}  // namespace

SharedBlock::~SharedBlock() { reveal(); }

// AddressSanitizer reports a read of the guard, too.
void SharedBlock::reveal() const {
#if defined(__SANITIZE_ADDRESS__)
    if (begin_ != nullptr) __asan_unpoison_memory_region(begin_ + bytes_, guard);
#endif
}

void SharedBlock::hide() const {
#if defined(__SANITIZE_ADDRESS__)
    __asan_poison_memory_region(begin_ + bytes_, guard);
#endif
}

void SharedBlock::start(std::size_t bytes) {
    reveal();
    if (room_.size() < bytes + guard + aligned) room_.resize(bytes + guard + aligned);
    const auto address = reinterpret_cast<std::uintptr_t>(room_.data());
    begin_ = room_.data() + (aligned - address % aligned) % aligned;
    bytes_ = bytes;
    std::memset(begin_, 0xff, bytes_ + guard);
    hide();
}

void SharedBlock::check() const {
    reveal();
    const std::byte* end = begin_ + bytes_;
    const std::byte* wrong =
        std::find_if(end, end + guard, [](std::byte b) { return b != untouched; });
    hide();
    if (wrong == end + guard) return;
    throw Error(
        ErrorCode::wrong_result,
        fmt::format("a block wrote byte {} of its {} bytes of shared memory; launch it with "
                    "more, or correct its indices",
                    wrong - begin_, bytes_));
}

}  // namespace weft::core::emulated
