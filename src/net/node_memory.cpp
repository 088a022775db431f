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

}  // namespace

std::optional<NodeMemory> NodeMemory::allocate(MPI_Comm all, const NodeRanks& node, Index bytes) {
    void* memory = wants_windows_of_mpi() ? nullptr : allocate_shared(bytes);
    decltype(own_) own(static_cast<std::byte*>(memory));
    std::optional<NodeMemory> result = show(all, node, own.get(), bytes);
    if (result) result->own_ = std::move(own);
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
