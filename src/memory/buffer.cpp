#include "memory/buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>

#include "base/index.hpp"
#include "weft/error.hpp"

namespace weft::core {

void* allocate_bytes(Index bytes) {
    if (bytes < 0) {
        throw Error(ErrorCode::bad_request,
                    fmt::format("a negative size: {}; memory has 0 bytes or more", bytes));
    }
    constexpr Index cache_line = 64;
    constexpr Index huge_page = Index{1} << 21;
    const Index alignment = bytes >= 2 * huge_page ? huge_page : cache_line;
    constexpr Index most = Index{1} << 62;
    void* data = nullptr;
    if (bytes <= most) {
        const Index rounded = (std::max<Index>(bytes, 1) + alignment - 1) / alignment * alignment;
        data = std::aligned_alloc(usize(alignment), usize(rounded));
        if (data != nullptr && alignment == huge_page) {
            // Only a wish: without huge pages the memory works as well.
            (void)madvise(data, usize(rounded), MADV_HUGEPAGE);
        }
    }
    if (data == nullptr) {
        throw Error(ErrorCode::system,
                    fmt::format("not enough memory: {} bytes ({:.1f} GiB) could not be allocated; "
                                "use more ranks or a smaller problem",
                                bytes, static_cast<double>(bytes) / (1 << 30)));
    }
    return data;
}

void free_bytes(void* data) noexcept { std::free(data); }  // NOLINT(*-no-malloc)

void Buffer::Free::operator()(std::byte* data) const { free_bytes(data); }

Buffer::Buffer(Index bytes)
    : data_(static_cast<std::byte*>(allocate_bytes(bytes))), bytes_(bytes) {}

}  // namespace weft::core
