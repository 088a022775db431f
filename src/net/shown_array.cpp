#include "net/shown_array.hpp"

#include <utility>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "weft/error.hpp"

namespace weft::core {

ShownArray::ShownArray(std::shared_ptr<MpiWindow> counters, std::vector<std::byte*> arrays,
                       std::vector<SharedMapping> mappings)
    : counters_(std::move(counters)), arrays_(std::move(arrays)), mappings_(std::move(mappings)) {}

std::byte* ShownArray::of(int rank) const {
    const int place = counters_->node().place(rank);
    return place == -1 ? nullptr : arrays_[static_cast<std::size_t>(place)];
}

std::unique_ptr<ShownArray> show_array(GroupComm& all, int number, std::byte* array, Index bytes) {
    // Without elements there is nothing that others would write.
    const auto found = bytes == 0 ? SharedPiece{} : shared_piece(array, bytes);
    if (on_any_rank(all.comm, !found)) return nullptr;
    std::shared_ptr<MpiWindow> counters;
    try {
        counters = shared_window(all, number, 0);
    } catch (const Error&) {  // On all ranks: no room even for the counters.
        return nullptr;
    }
    const NodeRanks& node = counters->node();
    const SharedPiece piece = *found;
    std::vector<SharedPiece> pieces(static_cast<std::size_t>(node.size()));
    check_mpi(MPI_Allgather(&piece, sizeof(piece), MPI_BYTE, pieces.data(), sizeof(piece), MPI_BYTE,
                            node.comm()),
              "MPI_Allgather");
    std::vector<std::byte*> arrays;
    std::vector<SharedMapping> mappings;
    bool reached = true;
    for (int place = 0; place < node.size(); ++place) {
        const SharedPiece& one = pieces[static_cast<std::size_t>(place)];
        if (place == node.rank() || one.file == -1) {
            arrays.push_back(place == node.rank() ? array : nullptr);
            continue;
        }
        mappings.emplace_back(one);
        arrays.push_back(mappings.back().data());
        reached = reached && arrays.back() != nullptr;
    }
    if (on_any_rank(all.comm, !reached)) return nullptr;
    return std::make_unique<ShownArray>(std::move(counters), std::move(arrays),
                                        std::move(mappings));
}

}  // namespace weft::core
