#include "geometry/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.hpp"
#include "base/text.hpp"

namespace weft::core {

Format row_major(int axes) { return {all_below(axes), {}, {}}; }

Format dense(const Format& format) { return {format.order, {}, {}}; }

std::vector<Index> strides(const Format& format, const Box& box) {
    if (!format.strides.empty()) return format.strides;
    std::vector<Index> result(format.order.size());
    Index stride = 1;
    for (auto axis = format.order.rbegin(); axis != format.order.rend(); ++axis) {
        const auto a = usize(*axis);
        result[a] = stride;
        stride *= box.extent(*axis) + (format.padding.empty() ? 0 : format.padding[a]);
    }
    return result;
}

Index span(const Format& format, const Box& box) {
    if (box.empty()) return 0;
    Index n = 1;
    if (format.strides.empty()) {
        for (std::size_t a = 0; a < box.lo.size(); ++a) {
            n *= box.hi[a] - box.lo[a] + (format.padding.empty() ? 0 : format.padding[a]);
        }
        return n;
    }
    for (std::size_t a = 0; a < box.lo.size(); ++a) {
        n += (box.hi[a] - box.lo[a] - 1) * format.strides[a];
    }
    return n;
}

Layout Layout::tile(const Tile& tile) const { return {where.tile(tile), dense(format), scalar}; }

Layout Layout::tile_within(const Tile& tile) const {
    Layout result{where.tile(tile), format, scalar, within};
    if (!within) result.within = static_cast<int>(where.tiles().size());
    return result;
}

Distribution Layout::memory() const { return within ? where.first_tiles(*within) : where; }

std::vector<StoredBox> Layout::stored(int rank) const {
    std::vector<StoredBox> result;
    Index offset = 0;
    for (const Box& box : memory().boxes(rank)) {
        StoredBox stored{box, offset, strides(format, box)};
        offset += core::span(format, box);
        if (within) {
            stored.box = where.tiled(box, *within);
            if (stored.box.empty()) continue;
            for (std::size_t a = 0; a < box.lo.size(); ++a) {
                stored.offset += (stored.box.lo[a] - box.lo[a]) * stored.strides[a];
            }
        }
        result.push_back(std::move(stored));
    }
    return result;
}

Index Layout::count(int rank) const {
    Index n = 0;
    for (const Box& box : where.boxes(rank)) n += box.volume();
    return n;
}

Index Layout::span(int rank) const {
    Index n = 0;
    for (const Box& box : memory().boxes(rank)) {
        n += core::span(format, box);
    }
    return n;
}

Index Layout::largest_span() const {
    if (within) return Layout{memory(), format, scalar}.largest_span();
    if (format.dense()) return where.largest();
    if (where.list() != nullptr) {
        Index most = 0;
        for (int rank = 0; rank < where.ranks(); ++rank) most = std::max(most, span(rank));
        return most;
    }
    Box largest = whole(where.shape());
    for (int axis = 0; axis < where.axes(); ++axis) {
        largest.hi[usize(axis)] = where.partition(axis).largest();
    }
    return core::span(format, largest);
}

StoredBox part_of(const Box& piece, const StoredBox& stored) {
    StoredBox result{piece, stored.offset, stored.strides};
    for (std::size_t a = 0; a < piece.lo.size(); ++a) {
        result.offset += (piece.lo[a] - stored.box.lo[a]) * stored.strides[a];
    }
    return result;
}

Slice slice_of(const Box& piece, const StoredBox& stored, const std::vector<int>& order) {
    Slice slice{part_of(piece, stored).offset, {}};
    for (const int axis : order) {
        slice.runs.push_back({piece.extent(axis), stored.strides[usize(axis)]});
    }
    return slice;
}

std::string to_string(const Format& format, int dims) {
    std::string text = fmt::format("@{}", axis_digits(format.order, dims));
    if (!format.padding.empty()) text += fmt::format("+({})", join(format.padding, ","));
    if (!format.strides.empty()) text += fmt::format("/({})", join(format.strides, ","));
    return text;
}

std::string to_string(const Layout& layout, int dims) {
    const Scalar& scalar = layout.scalar;
    const std::string type = scalar.opaque_bytes != 0
                                 ? fmt::format("{}-byte elements", scalar.opaque_bytes)
                                 : fmt::format("{} {}", scalar.complex ? "complex" : "real",
                                               weft::to_string(scalar.precision));
    return fmt::format("{}{} {} {}", to_string(layout.where, dims), to_string(layout.format, dims),
                       join(layout.where.shape(), "x"), type);
}

}  // namespace weft::core
