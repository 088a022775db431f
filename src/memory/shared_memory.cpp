#include "memory/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "base/index.hpp"
#include "memory/limits.hpp"

namespace weft::core {

namespace {

constexpr Index page = 4096;
constexpr Index huge_page = Index{1} << 21;

Index rounded_up(Index bytes, Index unit) { return (bytes + unit - 1) / unit * unit; }

/// Whole pages; whole huge pages where they take little more.
Index file_bytes(Index bytes) {
    const Index huge = rounded_up(bytes, huge_page);
    return huge - bytes <= bytes / 8 ? huge : rounded_up(bytes, page);
}

/// All bytes of a file, at a multiple of a huge page if they fill one; null if there are no
/// addresses.
std::byte* map_file(int file, Index bytes) {
    const Index unit = bytes >= huge_page ? huge_page : page;
    const auto size = usize(bytes);
    const auto room = usize(bytes + unit - page);
    void* base = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return nullptr;
    const Index over = static_cast<Index>(reinterpret_cast<std::uintptr_t>(base)) % unit;
    const auto before = usize((unit - over) % unit);
    std::byte* begin = static_cast<std::byte*>(base) + before;
    if (mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
        munmap(base, room);
        return nullptr;
    }
    if (before != 0) munmap(base, before);
    if (const std::size_t after = room - before - size; after != 0) munmap(begin + size, after);
    return begin;
}

/// Puts untouched memory on huge pages; only a wish: without them it works as well. Few systems
/// give them to shared memory that is touched (shmem_enabled), but since Linux 6.1 all do where one
/// asks for it: as soon as there is something in such a page.
void collect_in_huge_pages(std::byte* begin, Index bytes) {
    constexpr int collapse = 25;  // MADV_COLLAPSE, which glibc 2.36 does not name.
    (void)madvise(begin, usize(bytes), MADV_HUGEPAGE);
    const Index whole = bytes / huge_page * huge_page;
    const auto is_collapsed = [&](Index from, Index to) {
        return madvise(begin + from, usize(to - from), collapse) == 0;
    };
    const auto may_go_on = [] { return errno == EAGAIN || errno == EBUSY; };
    // Others may count in it already, so it is read.
    for (Index i = 0; i < whole; i += huge_page) (void)*const_cast<volatile std::byte*>(begin + i);
    // Each call waits for all processors of the machine, so there is one, and more only where it
    // has stopped at a page.
    if (whole == 0 || is_collapsed(0, whole) || !may_go_on()) return;
    for (Index i = 0; i < whole; i += huge_page) {
        if (!is_collapsed(i, i + huge_page) && !may_go_on()) return;
    }
}

struct Allocation {
    Index bytes = 0;  ///< that were asked for
    Index file_bytes = 0;
    int file = -1;       ///< -1: nobody is to find it any more
    bool taken = false;  ///< by take_pages
};

/// All of this process, by where their memory begins.
class Allocations {
  public:
    void add(std::byte* begin, const Allocation& allocation) {
        const std::scoped_lock lock(mutex_);
        all_[begin] = allocation;
    }
    Allocation take(std::byte* begin) {
        const std::scoped_lock lock(mutex_);
        const auto node = all_.extract(begin);
        return node.empty() ? Allocation{} : node.mapped();
    }
    /// From now on it has no file; the one that it had, or -1.
    int take_file(std::byte* begin) {
        const std::scoped_lock lock(mutex_);
        const auto found = all_.find(begin);
        return found == all_.end() ? -1 : std::exchange(found->second.file, -1);
    }
    /// From now on its pages are taken; how many bytes of them were not.
    Index take_pages(std::byte* begin) {
        const std::scoped_lock lock(mutex_);
        const auto found = all_.find(begin);
        if (found == all_.end() || std::exchange(found->second.taken, true)) return 0;
        return found->second.file_bytes;
    }
    /// Bytes of those whose pages are not taken.
    Index promised() {
        const std::scoped_lock lock(mutex_);
        Index result = 0;
        for (const auto& [begin, one] : all_) result += one.taken ? 0 : one.file_bytes;
        return result;
    }
    /// The one that holds the address, and where it begins.
    std::pair<const std::byte*, Allocation> holding(const std::byte* address) {
        const std::scoped_lock lock(mutex_);
        auto after = all_.upper_bound(address);
        if (after == all_.begin()) return {};
        --after;
        return {after->first, after->second};
    }

  private:
    std::mutex mutex_;
    std::map<const std::byte*, Allocation, std::less<>> all_;
};

Allocations& allocations() {
    static auto* all = new Allocations();  // Arrays may be freed after all statics are.
    return *all;
}

/// Whether so many files are open that the rest is better left to whoever else opens some: without
/// descriptors MPI fails on one rank and waits on others.
bool uses_up_descriptors(int file, bool briefly) {
    constexpr Index spare = 16;
    const Index most = most_descriptors();
    return file >= (briefly ? most - spare : most / 4);
}

int new_file(Index bytes, bool briefly) {
    const int file = memfd_create("weft", MFD_CLOEXEC);
    if (file == -1) return -1;
    // A file that is larger than the limit of files ends the process by SIGXFSZ.
    const bool usable = !uses_up_descriptors(file, briefly) && bytes <= most_file_bytes() &&
                        is_promised(bytes) && ftruncate(file, bytes) == 0;
    if (usable) return file;
    close(file);
    return -1;
}

}  // namespace

int new_shared_file(Index bytes) { return new_file(bytes, false); }

std::optional<SharedPiece> piece_of_file(int file, Index bytes) {
    struct stat about {};
    if (file == -1 || fstat(file, &about) != 0) return std::nullopt;
    return SharedPiece{getpid(), file, about.st_dev, about.st_ino, bytes, 0};
}

void* allocate_shared(Index bytes, bool briefly) {
    const Index rounded = file_bytes(bytes);
    const int file = new_file(rounded, briefly);
    if (file == -1) return nullptr;
    std::byte* begin = map_file(file, rounded);
    if (begin == nullptr) {
        close(file);
        return nullptr;
    }
    try {
        allocations().add(begin, {.bytes = bytes, .file_bytes = rounded, .file = file});
    } catch (const std::bad_alloc&) {
        munmap(begin, usize(rounded));
        close(file);
        return nullptr;
    }
    return begin;
}

void take_pages(void* data) {
    auto* begin = static_cast<std::byte*>(data);
    const Index bytes = allocations().take_pages(begin);
    if (bytes != 0) collect_in_huge_pages(begin, bytes);
}

Index promised_bytes() { return allocations().promised(); }

bool has_shared_memory() {
    const int file = memfd_create("weft", MFD_CLOEXEC);
    // Of all failures, the lack of memory and of descriptors says nothing about the system.
    if (file == -1) return errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    close(file);
    return true;
}

void hide_shared(void* data) {
    const int file = allocations().take_file(static_cast<std::byte*>(data));
    if (file != -1) close(file);
}

bool free_shared(void* data) noexcept {
    const Allocation allocation = allocations().take(static_cast<std::byte*>(data));
    if (allocation.file_bytes == 0) return false;
    munmap(data, usize(allocation.file_bytes));
    if (allocation.file != -1) close(allocation.file);
    return true;
}

std::optional<SharedPiece> shared_piece(const void* data, Index bytes) {
    const auto* address = static_cast<const std::byte*>(data);
    const auto [begin, allocation] = allocations().holding(address);
    if (begin == nullptr || address - begin + bytes > allocation.bytes) return std::nullopt;
    auto piece = piece_of_file(allocation.file, allocation.file_bytes);
    if (piece) piece->offset = address - begin;
    return piece;
}

int open_shared_file(const SharedPiece& piece, bool& hidden) {
    const std::string path = fmt::format("/proc/{}/fd/{}", piece.process, piece.file);
    // Among processes that are numbered otherwise it may be any file, which is not even opened.
    const auto is_it = [&](const struct stat& about) {
        return about.st_dev == piece.device && about.st_ino == piece.inode;
    };
    struct stat about {};
    hidden = stat(path.c_str(), &about) != 0 || !is_it(about);
    if (hidden) return -1;
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file == -1) {
        hidden = errno != EMFILE && errno != ENFILE && errno != ENOMEM;
        return -1;
    }
    hidden = fstat(file, &about) != 0 || !is_it(about);
    if (!hidden) return file;
    close(file);
    return -1;
}

SharedMapping::SharedMapping(const SharedPiece& piece) {
    const int file = open_shared_file(piece, hidden_);
    if (file == -1) return;
    base_ = map_file(file, piece.bytes);
    bytes_ = usize(piece.bytes);
    if (base_ != nullptr) data_ = base_ + piece.offset;
    close(file);
}

SharedMapping::~SharedMapping() {
    if (base_ != nullptr) munmap(base_, bytes_);
}

SharedMapping::SharedMapping(SharedMapping&& other) noexcept
    : hidden_(other.hidden_),
      base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      data_(std::exchange(other.data_, nullptr)) {}

}  // namespace weft::core
