#include "net/mpi_windows.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cstring>
#include <limits>
#include <thread>
#include <utility>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

constexpr Index cache_line = 64;

/// Bytes that are free where MPI keeps shared memory; very many if that cannot be told.
Index free_shared_memory() {
    struct statvfs about {};
    const bool told = statvfs("/dev/shm", &about) == 0 && about.f_blocks != 0;
    if (!told) return std::numeric_limits<Index>::max();  // Without blocks it is not limited.
    return static_cast<Index>(about.f_bavail) * static_cast<Index>(about.f_frsize);
}

/// Collective. Where there is too little, Open MPI 4.1 fails on one rank of the node and leaves the
/// others waiting; so it is looked at before.
void require_room(MPI_Comm all, const NodeRanks& node, Index bytes) {
    constexpr Index page = 4096;
    Index needed = bytes + 2 * page;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_INT64_T, MPI_SUM, node.comm()),
              "MPI_Allreduce");
    const Index free = free_shared_memory();
    if (!on_any_rank(all, needed > free)) return;
    throw Error(
        ErrorCode::system,
        fmt::format("via=shared: the ranks of a node need more shared memory than /dev/shm "
                    "has free; this one's node needs {} bytes of {}. Make it larger (docker "
                    "run --shm-size), or take another method (`weft methods`)",
                    needed, free));
}

std::byte* aligned(void* address) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return static_cast<std::byte*>(address) + (cache_line - value % cache_line) % cache_line;
}

}  // namespace

MpiWindow::MpiWindow(MPI_Comm all, std::shared_ptr<NodeRanks> node, Index bytes)
    : node_(std::move(node)), bytes_(bytes) {
    const Index room = header_bytes(node_->size()) + bytes;
    if (!take_own_memory(all, room)) take_memory_of_mpi(all, room + cache_line);
    renew();
}

bool MpiWindow::take_own_memory(MPI_Comm all, Index room) {
    memory_ = NodeMemory::allocate(all, *node_, room);
    if (!memory_) return false;
    std::vector<std::byte*> begin(static_cast<std::size_t>(node_->size()));
    for (int place = 0; place < node_->size(); ++place) {
        begin[static_cast<std::size_t>(place)] = memory_->of(place);
    }
    attach(std::move(begin), node_->rank());
    return true;
}

void MpiWindow::take_memory_of_mpi(MPI_Comm all, Index room) {
    require_room(all, *node_, room);
    MPI_Info info = MPI_INFO_NULL;
    check_mpi(MPI_Info_create(&info), "MPI_Info_create");
    // Every rank's part in pages of its own, on its own memory.
    check_mpi(MPI_Info_set(info, "alloc_shared_noncontig", "true"), "MPI_Info_set");
    void* base = nullptr;
    const int status =
        MPI_Win_allocate_shared(room, 1, info, node_->comm(), static_cast<void*>(&base), &window_);
    MPI_Info_free(&info);
    if (on_any_rank(all, status != MPI_SUCCESS)) {
        throw Error(ErrorCode::system,
                    fmt::format("via=shared: MPI_Win_allocate_shared failed on some rank; this one "
                                "asked for {} bytes, which take room in /dev/shm; or take another "
                                "method (`weft methods`)",
                                room));
    }
    std::vector<std::byte*> begin;
    for (int place = 0; place < node_->size(); ++place) {
        MPI_Aint size = 0;
        int unit = 0;
        check_mpi(MPI_Win_shared_query(window_, place, &size, &unit, static_cast<void*>(&base)),
                  "MPI_Win_shared_query");
        begin.push_back(aligned(base));
    }
    attach(std::move(begin), node_->rank());
}

MpiWindow::MpiWindow(MPI_Comm all, Index bytes) : bytes_(bytes) {
    all_or_none(all, [&] {
        int rank = 0;
        check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
        node_ = NodeRanks::alone(rank);
        own_ = Buffer(header_bytes(1) + bytes);
    });
    attach({own_.data()}, 0);
    renew();
}

void MpiWindow::renew() {
    // Touched first by its owner, so that it lies in the memory next to it. What lies between rows
    // is computed with, though nobody looks at the results: numbers, not any bits.
    reset();
    std::memset(memory(node_->rank()), 0, static_cast<std::size_t>(bytes_));
    check_mpi(MPI_Barrier(node_->comm()), "MPI_Barrier");
}

MpiWindow::~MpiWindow() {
    if (!mpi_is_finalised() && window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
}

std::byte* MpiWindow::of(int rank) const {
    const int place = node_->place(rank);
    return place == -1 ? nullptr : memory(place);
}

void MpiWindow::let_others_work(int looks) const {
    // Peers may wait for a message of this rank that MPI sends only when it is called.
    if (looks % 16 == 0) {
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, node_->comm(), &found, MPI_STATUS_IGNORE);
    }
    std::this_thread::yield();
}

std::shared_ptr<NodeRanks> node_ranks(GroupComm& all) {
    auto& kept = all.kept["node"];
    if (kept == nullptr) kept = std::make_shared<NodeRanks>(all.comm);
    return std::static_pointer_cast<NodeRanks>(kept);
}

std::shared_ptr<MpiWindow> private_window(GroupComm& all, Index bytes) {
    return std::make_shared<MpiWindow>(all.comm, bytes);
}

std::shared_ptr<MpiWindow> shared_window(GroupComm& all, int number, Index bytes) {
    const auto node = node_ranks(all);
    auto& kept = all.kept[fmt::format("shared {}", number)];
    const auto* window = static_cast<const MpiWindow*>(kept.get());
    const bool too_small = window == nullptr || window->bytes() < bytes;
    if (on_any_rank(all.comm, too_small)) {
        kept.reset();
        kept = std::make_shared<MpiWindow>(all.comm, node, bytes);
    } else {
        // Whoever had it before has given back its lease on every rank.
        std::static_pointer_cast<MpiWindow>(kept)->renew();
    }
    return std::static_pointer_cast<MpiWindow>(kept);
}

}  // namespace weft::core
