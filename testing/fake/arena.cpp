#include "testing/fake/arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "memory/limits.hpp"
#include "testing/fake/trap.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

const Index page_bytes = sysconf(_SC_PAGESIZE);
constexpr Index line_bytes = 64;

Index whole(Index bytes, Index unit) { return (bytes + unit - 1) / unit * unit; }

[[noreturn]] void throw_no_memory(Index bytes, std::string_view name, std::string_view why) {
    throw Error(ErrorCode::system,
                fmt::format("not enough device memory: {} bytes ({:.1f} GiB) for buffer {} could "
                            "not be allocated ({}); use more ranks or a smaller problem",
                            bytes, static_cast<double>(bytes) / (1 << 30), name, why));
}

}  // namespace

FakeArena::FakeArena(Index room) : room_(whole(room, page_bytes)) {
    void* begin = mmap(nullptr, static_cast<std::size_t>(2 * room_), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED) {
        throw Error(ErrorCode::system,
                    fmt::format("the fake device needs {} bytes of addresses, which the process "
                                "cannot have; raise `ulimit -v` or lower FakeOptions::room",
                                2 * room_));
    }
    begin_ = static_cast<std::byte*>(begin);
    if (!watch(*this)) {
        munmap(begin, static_cast<std::size_t>(2 * room_));
        throw Error(ErrorCode::system, "there are too many fake devices; destroy some first");
    }
}

FakeArena::~FakeArena() {
    unwatch(*this);
    for (Span* span = newest_; span != nullptr;) {
        const std::unique_ptr<Span> owned(span);
        if (owned->file != -1) close(owned->file);
        span = owned->older;
    }
    munmap(begin_, static_cast<std::size_t>(2 * room_));
}

bool FakeArena::within(const void* address, const std::byte* begin) const noexcept {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin);
    return offset < static_cast<std::uintptr_t>(room_);
}

/// Of the freed spans that are large enough and whose pages are still their own.
FakeArena::Span* FakeArena::oldest_freed(Index span) {
    Span* result = nullptr;
    for (Span* one = newest_; one != nullptr; one = one->older) {
        if (one->freed && !one->reused && one->span >= span) result = one;
    }
    return result;
}

std::byte* FakeArena::take_pages(Index span, Index bytes) {
    std::byte* pages = begin_ + used_;
    Span* freed = nullptr;
    if (span > room_ - used_) {
        freed = oldest_freed(span);
        if (freed == nullptr) return nullptr;
        pages = freed->pages;
    }
    if (bytes != 0 &&
        mprotect(pages + room_, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE) != 0) {
        return nullptr;
    }
    if (freed != nullptr) {
        freed->reused = true;
    } else {
        used_ += span;
    }
    return pages;
}

std::byte* FakeArena::allocate(Index bytes, std::string_view name) {
    if (bytes < 0 || bytes > room_) throw_no_memory(bytes, name, "the device has not so many");
    const Index pages_bytes = whole(bytes, page_bytes);
    if (bytes != 0 && (!is_promised(pages_bytes) || pages_bytes > available_memory())) {
        throw_no_memory(bytes, name, "the machine has not so many");
    }
    std::byte* data = add(bytes, name, -1);
    if (data == nullptr) throw_no_memory(bytes, name, "the device's addresses are used up");
    // All ones are NaN in every precision, so that elements that nothing has written show.
    if (bytes != 0) std::memset(data + room_, 0xff, static_cast<std::size_t>(bytes));
    return data;
}

std::byte* FakeArena::add(Index bytes, std::string_view name, int file) {
    const Index pages_bytes = whole(bytes, page_bytes);
    auto span = std::make_unique<Span>();
    span->span = pages_bytes + page_bytes;
    span->bytes = bytes;
    span->name.set(name);
    const std::scoped_lock lock(mutex_);
    span->pages = take_pages(span->span, pages_bytes);
    if (span->pages == nullptr) return nullptr;
    if (file != -1 && !map(span->pages, pages_bytes, file)) {
        protect(span->pages, pages_bytes);
        span->freed = true;
    }
    span->data = span->pages + pages_bytes - whole(bytes, line_bytes);
    span->older = newest_;
    std::byte* data = span->freed ? nullptr : span->data;
    newest_ = span.release();
    return data;
}

bool FakeArena::map(std::byte* pages, Index bytes, int file) const noexcept {
    return mmap(pages + room_, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
}

FakeArena::Span* FakeArena::living(const std::byte* address) {
    for (Span* span = newest_; span != nullptr; span = span->older) {
        if (span->data == address && !span->freed) return span;
    }
    return nullptr;
}

std::optional<SharedPiece> FakeArena::share(const std::byte* address) {
    const std::scoped_lock lock(mutex_);
    Span* span = living(address);
    const Index bytes = span != nullptr ? span->span - page_bytes : 0;
    if (bytes == 0) return std::nullopt;
    if (span->file == -1) {
        const int file = new_shared_file(bytes);
        const auto size = static_cast<std::size_t>(bytes);
        if (file == -1) return std::nullopt;
        if (pwrite(file, span->pages + room_, size, 0) != bytes || !map(span->pages, bytes, file)) {
            close(file);
            return std::nullopt;
        }
        span->file = file;
    }
    return piece_of_file(span->file, bytes);
}

std::byte* FakeArena::open(const SharedPiece& piece, Index bytes, std::string_view name) {
    bool hidden = false;
    if (bytes == 0 || whole(bytes, page_bytes) != piece.bytes) return nullptr;
    const int file = open_shared_file(piece, hidden);
    if (file == -1) return nullptr;
    try {
        std::byte* data = add(bytes, name, file);
        close(file);
        return data;
    } catch (...) {  // There is no memory for what is known of it.
        close(file);
        throw;
    }
}

/// Takes the memory away: what is mapped over it is empty and traps.
void FakeArena::protect(std::byte* pages, Index bytes) noexcept {
    if (bytes == 0) return;
    const auto size = static_cast<std::size_t>(bytes);
    void* fresh = mmap(pages + room_, size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (fresh == MAP_FAILED) (void)madvise(pages + room_, size, MADV_DONTNEED);
}

void FakeArena::free(std::byte* address) noexcept {
    const std::scoped_lock lock(mutex_);
    Span* span = living(address);
    if (span == nullptr) return;
    protect(span->pages, span->span - page_bytes);
    if (span->file != -1) close(std::exchange(span->file, -1));
    span->freed = true;
}

int FakeArena::buffers() const noexcept {
    int result = 0;
    for (const Span* span = newest_; span != nullptr; span = span->older) {
        if (!span->freed) ++result;
    }
    return result;
}

int FakeArena::spans() const noexcept {
    int result = 0;
    for (const Span* span = newest_; span != nullptr; span = span->older) ++result;
    return result;
}

std::optional<FakeArena::Found> FakeArena::find(const void* address) const noexcept {
    const bool reached = within(address, begin_ + room_);
    if (!reached && !owns(address)) return {};
    const std::byte* handed = static_cast<const std::byte*>(address) - (reached ? room_ : 0);
    // Newer spans first: they have the pages of those whose addresses were used again.
    for (const Span* span = newest_; span != nullptr; span = span->older) {
        if (handed < span->pages || handed >= span->pages + span->span) continue;
        return Found{&span->name, handed - span->data, span->bytes, span->freed, reached};
    }
    Found none;
    none.reached = reached;
    return none;
}

}  // namespace weft::core
