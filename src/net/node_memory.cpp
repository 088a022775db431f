#include "net/node_memory.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

bool wants_windows_of_mpi() {
    const char* text = std::getenv("WEFT_WINDOWS");
    return text != nullptr && std::string_view(text) == "mpi";
}

/// Collective over the node: whether it has as much memory as its ranks want together. Linux
/// would give it and end a process when it is used.
bool is_there(const NodeRanks& node, Index bytes) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, node.comm()),
              "MPI_Allreduce");
    return bytes < available_memory();
}

}  // namespace

std::optional<NodeMemory> NodeMemory::allocate(MPI_Comm all, const NodeRanks& node, Index bytes) {
    const bool fits = is_there(node, bytes);
    void* memory = fits && !wants_windows_of_mpi() ? allocate_shared(bytes) : nullptr;
    decltype(own_) own(static_cast<std::byte*>(memory));
    std::optional<NodeMemory> result = show(all, node, own.get(), bytes);
    if (!result) return std::nullopt;
    hide_shared(own.get());
    result->own_ = std::move(own);
    return result;
}

std::optional<NodeMemory> NodeMemory::show(MPI_Comm all, const NodeRanks& node, std::byte* own,
                                           Index bytes) {
    // Without bytes there is nothing that others would reach.
    const auto found = bytes == 0 ? SharedPiece{} : shared_piece(own, bytes);
    if (on_any_rank(all, !found)) return std::nullopt;
    const SharedPiece piece = *found;
    std::vector<SharedPiece> pieces(static_cast<std::size_t>(node.size()));
    check_mpi(MPI_Allgather(&piece, sizeof(piece), MPI_BYTE, pieces.data(), sizeof(piece), MPI_BYTE,
                            node.comm()),
              "MPI_Allgather");
    NodeMemory result;
    bool reached = true;
    for (int place = 0; place < node.size(); ++place) {
        const SharedPiece& one = pieces[static_cast<std::size_t>(place)];
        if (place == node.rank() || one.file == -1) {
            result.begin_.push_back(place == node.rank() ? own : nullptr);
            continue;
        }
        result.mappings_.emplace_back(one);
        result.begin_.push_back(result.mappings_.back().data());
        reached = reached && result.begin_.back() != nullptr;
    }
    if (on_any_rank(all, !reached)) return std::nullopt;
    return result;
}

}  // namespace weft::core
