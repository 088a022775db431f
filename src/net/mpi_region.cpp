#include "net/mpi_region.hpp"

#include <fmt/format.h>

#include <cstring>
#include <thread>
#include <utility>

#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "memory/limits.hpp"
#include "memory/shared_memory.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

constexpr Index page = 4096;

/// Collective: whether MPI has room for a window of so many bytes of this rank. Where one rank of a
/// node has not, MPI fails on that rank alone and leaves the others waiting in its call, so each
/// limit that the call meets is tried before, for all that the call maps: the windows of the node's
/// ranks, in one file of /dev/shm, and what MPI keeps beside them.
void require_room(MPI_Comm all, const NodeRanks& node, Index bytes) {
    constexpr Index beside = Index{4} << 20;
    constexpr Index beside_each = Index{64} << 10;
    constexpr int files = 16;
    const Index needed = node.sum(all, bytes + 2 * page);
    const Index mapped = needed + beside + node.size() * beside_each;
    all_or_none(all, [&] {
        const Index free = free_shared_memory();
        if (needed > free) {
            throw Error(
                ErrorCode::system,
                fmt::format(
                    "via=shared: the ranks of a node need more shared memory than /dev/shm "
                    "has free; this one's node needs {} bytes of {}. Make it larger (docker "
                    "run --shm-size), or take another method (`weft methods`)",
                    needed, free));
        }
        if (!has_addresses(mapped) || !has_descriptors(files) || mapped > most_file_bytes()) {
            throw Error(ErrorCode::system,
                        fmt::format("via=shared: MPI maps {} bytes for the windows of the node's "
                                    "ranks, in a file of its own, but {}; raise the limit, or take "
                                    "another method (`weft methods`)",
                                    mapped, limits_text()));
        }
    });
}

class Info : NoCopy {
  public:
    Info() { check_mpi(MPI_Info_create(&info_), "MPI_Info_create"); }
    ~Info() { MPI_Info_free(&info_); }

    void set(const char* key, const char* value) const {
        check_mpi(MPI_Info_set(info_, key, value), "MPI_Info_set");
    }
    [[nodiscard]] MPI_Info get() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

/// Has new memory lie next to this rank, which touches it first.
void touch(std::byte* memory, Index bytes) {
    for (Index i = 0; i < bytes; i += page) memory[i] = std::byte{0};
    if (bytes > 0) memory[bytes - 1] = std::byte{0};
}

std::byte* aligned(void* address) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return static_cast<std::byte*>(address) + (cache_line - value % cache_line) % cache_line;
}

}  // namespace

MpiRegion::MpiRegion(MPI_Comm all, std::shared_ptr<NodeRanks> node, Index bytes)
    : MpiRegion(std::move(node), bytes) {
    const Index room = header_bytes(node_->size()) + bytes;
    memory_ = NodeMemory::allocate(all, *node_, room);
    if (!memory_) take_memory_of_mpi(all, room + cache_line);
    all_or_none(all, [&] {
        std::vector<std::byte*> begin;
        begin.reserve(usize(node_->size()));
        for (int place = 0; place < node_->size(); ++place) {
            begin.push_back(memory_ ? memory_->of(place) : begin_of_mpi(place));
        }
        attach(std::move(begin), node_->rank());
    });
    if (!memory_) {
        renew(all);
        return;
    }
    // It has zeros already.
    reset();
    all_or_none(all, [] {});
}

bool MpiRegion::reclaim(bool block) {
    if (memory_ && !taken_) {
        take_pages(memory_->of(node_->rank()));
        touch(memory(node_->rank()), bytes_);
    }
    taken_ = true;
    return CountedRegion::reclaim(block);
}

void MpiRegion::take_memory_of_mpi(MPI_Comm all, Index room) {
    std::optional<Info> info;
    all_or_none(all, [&] {
        // Every rank's part in pages of its own, on its own memory.
        info.emplace().set("alloc_shared_noncontig", "true");
    });
    require_room(all, *node_, room);
    void* base = nullptr;
    MPI_Win made = MPI_WIN_NULL;
    all_or_none(all, [&] {
        check_mpi(MPI_Win_allocate_shared(room, 1, info->get(), node_->comm(),
                                          static_cast<void*>(&base), &made),
                  "MPI_Win_allocate_shared");
    });
    window_ = made;
}

std::byte* MpiRegion::begin_of_mpi(int place) const {
    void* base = nullptr;
    MPI_Aint size = 0;
    int unit = 0;
    check_mpi(MPI_Win_shared_query(window_, place, &size, &unit, static_cast<void*>(&base)),
              "MPI_Win_shared_query");
    return aligned(base);
}

void MpiRegion::renew(MPI_Comm all) {
    // What lies between rows is computed with, though nobody looks at the results: numbers, not any
    // bits.
    reset();
    if (taken_ || !memory_) std::memset(memory(node_->rank()), 0, usize(bytes_));
    all_or_none(all, [] {});
}

MpiRegion::~MpiRegion() {
    if (!mpi_is_finalised() && window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
}

std::byte* MpiRegion::of(int rank) const {
    const std::optional<int> place = node_->place(rank);
    return place ? memory(*place) : nullptr;
}

void MpiRegion::let_others_work(int looks) const {
    // Peers may wait for a message of this rank that MPI sends only when it is called.
    if (looks % 16 == 0) {
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, node_->comm(), &found, MPI_STATUS_IGNORE);
    }
    std::this_thread::yield();
}

std::shared_ptr<NodeRanks> node_ranks(GroupComm& all) {
    // All ranks have found them or none has.
    auto known = all.kept.find("node");
    if (known == all.kept.end() || known->second == nullptr) {
        all_or_none(all.comm, [&] { known = all.kept.emplace("node", nullptr).first; });
        known->second = node_ranks(*all.pooled);
    }
    return std::static_pointer_cast<NodeRanks>(known->second);
}

namespace {

constexpr std::string_view work_key = "region ";
constexpr std::string_view counters_key = "counters ";
constexpr std::string_view device_counters_key = "device counters ";

/// What the communicator keeps under that name, made or renewed. Collective.
std::shared_ptr<MpiRegion> kept_region(GroupComm& all, std::string_view key, int number,
                                       Index bytes) {
    const auto node = node_ranks(all);
    std::shared_ptr<void>* kept = nullptr;
    Numbers too_small{};
    const auto look = [&] {
        kept = &all.kept[fmt::format("{}{}", key, number)];
        const auto* region = static_cast<const MpiRegion*>(kept->get());
        too_small[0] = region == nullptr || region->bytes() < bytes ? 1 : 0;
    };
    all_or_none(all.comm, look, too_small);
    if (too_small[0] != 0) {
        kept->reset();
        *kept = make_collectively<MpiRegion>(all.comm, all.comm, node, bytes);
    } else {
        // Whoever had it before has given back its lease on every rank.
        std::static_pointer_cast<MpiRegion>(*kept)->renew(all.comm);
    }
    return std::static_pointer_cast<MpiRegion>(*kept);
}

}  // namespace

std::shared_ptr<MpiRegion> work_region(GroupComm& all, int number, Index bytes) {
    return kept_region(all, work_key, number, bytes);
}

void forget_work_regions(GroupComm& all) {
    std::erase_if(all.kept, [](const auto& one) { return one.first.starts_with(work_key); });
}

std::shared_ptr<MpiRegion> counters_of_array(GroupComm& all, int number) {
    return kept_region(all, counters_key, number, 0);
}

std::shared_ptr<MpiRegion> counters_of_device_region(GroupComm& all, int number) {
    return kept_region(all, device_counters_key, number, 0);
}

}  // namespace weft::core
