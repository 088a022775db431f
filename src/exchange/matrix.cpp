#include "exchange/matrix.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"

namespace weft::core {

namespace {

/// Parts of ceil(n/p), the last ones less: those of CutRule::block, and even ones.
bool is_cut_in_blocks(const Partition& cut) {
    const Index block = (cut.n + cut.parts - 1) / cut.parts;
    for (Index part = 0; part < cut.parts; ++part) {
        if (cut.begin(part) != std::min(part * block, cut.n)) return false;
    }
    return true;
}

/// The two slowest axes swap places, the others keep theirs.
bool swaps_first_axes(std::vector<int> from, const std::vector<int>& to) {
    if (from.size() < 2) return false;
    std::swap(from[0], from[1]);
    return from == to;
}

}  // namespace

std::optional<std::string> why_not_matrix(const Layout& from, const Layout& to) {
    const Distribution& before = from.where;
    const Distribution& after = to.where;
    if (before.list() != nullptr || after.list() != nullptr) return "it has boxes of its own";
    if (before.grid() != after.grid()) return "its ends have different process grids";
    if (!from.format.dense() || !to.format.dense()) return "it has padding or strides";
    if (!swaps_first_axes(from.format.order, to.format.order)) {
        return "its order of axes does not change from ab.. to ba.., as in slab plans with free "
               "orders";
    }
    const auto rows = usize(from.format.order[0]);
    const auto columns = usize(from.format.order[1]);
    auto cuts = before.cuts();
    if (cuts[rows].empty() || !cuts[columns].empty()) {
        return "its source is not cut along its slowest axis, or along the second too";
    }
    std::swap(cuts[rows], cuts[columns]);
    if (cuts != after.cuts()) return "it redistributes other factors of the process grid";
    if (!is_cut_in_blocks(before.partition(static_cast<int>(rows))) ||
        !is_cut_in_blocks(after.partition(static_cast<int>(columns)))) {
        return "its parts are not FFTW's blocks; take cut=block";
    }
    if (from.scalar.bytes() % 4 != 0) return "its elements are no multiples of 4 bytes";
    return {};
}

MatrixTask matrix_of(const Layout& from, const Layout& to, int rank) {
    const int row_axis = from.format.order[0];
    const int column_axis = from.format.order[1];
    const Partition rows = from.where.partition(row_axis);
    const Partition columns = to.where.partition(column_axis);
    const Box box = from.where.box(rank);
    Index tuple = from.scalar.bytes();
    for (int axis = 0; axis < from.where.axes(); ++axis) {
        const auto a = usize(axis);
        if (axis != row_axis && axis != column_axis) tuple *= box.hi[a] - box.lo[a];
    }
    return {rows.n, columns.n, (rows.n + rows.parts - 1) / rows.parts,
            (columns.n + columns.parts - 1) / columns.parts, tuple};
}

}  // namespace weft::core
