#include "net/node_memory.hpp"

#include <fmt/format.h>

#include "base/index.hpp"
#include "base/variables.hpp"
#include "memory/limits.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

[[noreturn]] void throw_no_room(Index bytes, Index together) {
    throw Error(
        ErrorCode::system,
        fmt::format("via=shared: not enough memory: {} bytes for this rank, whose node needs "
                    "{} bytes for all ranks and plans, could not be allocated; {}; use "
                    "more nodes or a smaller problem, raise the limit, or take another "
                    "method (`weft methods`)",
                    bytes, together, limits_text()));
}

}  // namespace

std::optional<NodeMemory> NodeMemory::allocate(MPI_Comm all, const NodeRanks& node, Index bytes) {
    bool leaves_it_to_mpi = false;
    all_or_none(all, [&] { leaves_it_to_mpi = wants_windows_of_mpi() || !has_shared_memory(); });
    if (on_any_rank(all, leaves_it_to_mpi)) return std::nullopt;
    // What was promised before is as good as taken.
    const Index together = node.sum(all, bytes + promised_bytes());
    NodeMemory result;
    SharedPiece piece;
    all_or_none(all, [&] {
        // Linux would give more memory than there is, and end a process when it is used.
        if (together < available_memory()) {
            result.own_.reset(static_cast<std::byte*>(allocate_shared(bytes, true)));
        }
        const auto found = shared_piece(result.own_.get(), bytes);
        if (!found) throw_no_room(bytes, together);
        piece = *found;
    });
    const Obstacle obstacle = result.map(all, node, piece, result.own_.get());
    if (obstacle == hidden) return std::nullopt;
    all_or_none(all, [&] {
        if (obstacle == no_room) throw_no_room(bytes, together);
        hide_shared(result.own_.get());
    });
    return result;
}

std::optional<NodeMemory> NodeMemory::expose(MPI_Comm all, const NodeRanks& node, std::byte* own,
                                             Index bytes) {
    // Without bytes there is nothing that others would reach.
    const auto found = bytes == 0 ? SharedPiece{} : shared_piece(own, bytes);
    if (on_any_rank(all, !found)) return std::nullopt;
    NodeMemory result;
    if (result.map(all, node, *found, own) != none) return std::nullopt;
    return result;
}

NodeMemory::Obstacle NodeMemory::map(MPI_Comm all, const NodeRanks& node, const SharedPiece& piece,
                                     std::byte* own) {
    std::vector<SharedPiece> pieces;
    all_or_none(all, [&] {
        pieces.resize(usize(node.size()));
        begin_.reserve(pieces.size());
        mappings_.reserve(pieces.size());
    });
    all_or_none(all, [&] {
        check_mpi(MPI_Allgather(&piece, sizeof(piece), MPI_BYTE, pieces.data(), sizeof(piece),
                                MPI_BYTE, node.comm()),
                  "MPI_Allgather");
    });
    Obstacle here = none;
    all_or_none(all, [&] {
        for (int place = 0; place < node.size(); ++place) {
            const SharedPiece& one = pieces[usize(place)];
            if (place == node.rank() || one.file == -1) {
                begin_.push_back(place == node.rank() ? own : nullptr);
                continue;
            }
            const SharedMapping& mapping = mappings_.emplace_back(one);
            begin_.push_back(mapping.data());
            if (mapping.data() == nullptr) here = mapping.is_hidden() ? hidden : no_room;
            if (here != none) return;
        }
    });
    return static_cast<Obstacle>(highest(all, here));
}

}  // namespace weft::core
