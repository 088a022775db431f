#include "memory/limits.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "base/index.hpp"

namespace weft::core {

namespace {

constexpr Index unlimited = std::numeric_limits<Index>::max();

/// Without an answer nothing is known to be limited.
Index limit_of(decltype(RLIMIT_AS) resource) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= rlim_t{unlimited}) return unlimited;
    return static_cast<Index>(limit.rlim_cur);
}

bool can_map(Index bytes, int protection, int flags) {
    const auto size = usize(bytes);
    void* trial = mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (trial == MAP_FAILED) return false;
    munmap(trial, size);
    return true;
}

}  // namespace

Index available_memory() {
    Index result = unlimited;
    std::ifstream about("/proc/meminfo");
    for (std::string name; about >> name;) {
        Index kilobytes = 0;
        if (name == "MemAvailable:" && about >> kilobytes) result = kilobytes * 1024;
    }
    // What is left of a container's share; "max" is no number.
    std::ifstream limit("/sys/fs/cgroup/memory.max");
    std::ifstream current("/sys/fs/cgroup/memory.current");
    Index most = 0;
    Index now = 0;
    if (limit >> most && current >> now) result = std::min(result, std::max(most - now, Index{0}));
    return result;
}

Index free_shared_memory() {
    struct statvfs about {};
    const bool told = statvfs("/dev/shm", &about) == 0 && about.f_blocks != 0;
    if (!told) return unlimited;  // Without blocks it is not limited.
    return static_cast<Index>(about.f_bavail) * static_cast<Index>(about.f_frsize);
}

bool is_promised(Index bytes) { return can_map(bytes, PROT_READ | PROT_WRITE, 0); }

bool has_addresses(Index bytes) { return can_map(bytes, PROT_NONE, MAP_NORESERVE); }

bool has_descriptors(int files) {
    const int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (lowest == -1) return false;
    close(lowest);
    return lowest + files <= most_descriptors();
}

Index most_descriptors() { return limit_of(RLIMIT_NOFILE); }

Index most_file_bytes() { return limit_of(RLIMIT_FSIZE); }

std::string limits_text() {
    const auto text = [](Index limit, Index unit) {
        return limit == unlimited ? "unlimited" : fmt::format("{}", limit / unit);
    };
    return fmt::format(
        "the limits here are {} bytes of memory available, ulimit -v {}, -f {} (KiB), -n {}",
        text(available_memory(), 1), text(limit_of(RLIMIT_AS), 1024), text(most_file_bytes(), 1024),
        text(most_descriptors(), 1));
}

}  // namespace weft::core
