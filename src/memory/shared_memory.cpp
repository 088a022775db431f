#include "memory/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace weft::core {

namespace {

constexpr Index page = 4096;
constexpr Index huge_page = Index{1} << 21;

struct Allocation {
    void* base = nullptr;  ///< of the mapping, which may begin before the memory handed out
    std::size_t mapped = 0;
    Index bytes = 0;
    int file = -1;
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
bool uses_up_descriptors(int file) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return true;
    return static_cast<rlim_t>(file) >= limit.rlim_cur / 4;
}

/// Addresses for so many bytes of that file, at a multiple of a huge page if there are many; null
/// if there are none, or not as much memory: shared memory itself is promised without limit.
Allocation reserved(int file, Index bytes) {
    const Index room = bytes >= 2 * huge_page ? bytes + huge_page : bytes;
    const auto size = static_cast<std::size_t>(room);
    void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return {};
    return {base, size, bytes, file};
}

std::byte* begin_of(const Allocation& allocation) {
    const auto base = reinterpret_cast<std::uintptr_t>(allocation.base);
    const bool aligned = static_cast<Index>(allocation.mapped) > allocation.bytes;
    const std::uintptr_t unit = aligned ? huge_page : page;
    return static_cast<std::byte*>(allocation.base) + (unit - base % unit) % unit;
}

}  // namespace

void* allocate_shared(Index bytes) {
    const Index rounded = (bytes + page - 1) / page * page;
    const int file = memfd_create("weft", MFD_CLOEXEC);
    if (file == -1) return nullptr;
    const bool usable = !uses_up_descriptors(file) && ftruncate(file, rounded) == 0;
    const Allocation allocation = usable ? reserved(file, rounded) : Allocation{};
    if (allocation.base != nullptr) {
        std::byte* begin = begin_of(allocation);
        const auto size = static_cast<std::size_t>(rounded);
        void* at = mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
        if (at != MAP_FAILED) {
            // Only a wish: without huge pages the memory works as well.
            (void)madvise(at, size, MADV_HUGEPAGE);
            allocations().add(begin, allocation);
            return begin;
        }
        munmap(allocation.base, allocation.mapped);
    }
    close(file);
    return nullptr;
}

bool free_shared(void* data) noexcept {
    const Allocation allocation = allocations().take(static_cast<std::byte*>(data));
    if (allocation.base == nullptr) return false;
    munmap(allocation.base, allocation.mapped);
    close(allocation.file);
    return true;
}

std::optional<SharedPiece> shared_piece(const void* data, Index bytes) {
    const auto* address = static_cast<const std::byte*>(data);
    const auto [begin, allocation] = allocations().holding(address);
    if (begin == nullptr || address - begin + bytes > allocation.bytes) return std::nullopt;
    struct stat about {};
    if (fstat(allocation.file, &about) != 0) return std::nullopt;
    return SharedPiece{getpid(),     allocation.file,  about.st_dev,
                       about.st_ino, allocation.bytes, address - begin};
}

SharedMapping::SharedMapping(const SharedPiece& piece) {
    const std::string path = fmt::format("/proc/{}/fd/{}", piece.process, piece.file);
    // Among processes that are numbered otherwise it may be any file, which is not even opened.
    const auto is_it = [&](const struct stat& about) {
        return about.st_dev == piece.device && about.st_ino == piece.inode;
    };
    struct stat about {};
    if (stat(path.c_str(), &about) != 0 || !is_it(about)) return;
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file == -1) return;
    if (fstat(file, &about) == 0 && is_it(about)) {
        bytes_ = static_cast<std::size_t>(piece.bytes);
        base_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (base_ == MAP_FAILED) base_ = nullptr;
        if (base_ != nullptr) data_ = static_cast<std::byte*>(base_) + piece.offset;
    }
    close(file);
}

SharedMapping::~SharedMapping() {
    if (base_ != nullptr) munmap(base_, bytes_);
}

SharedMapping::SharedMapping(SharedMapping&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      data_(std::exchange(other.data_, nullptr)) {}

}  // namespace weft::core
