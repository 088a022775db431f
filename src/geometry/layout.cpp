#include "geometry/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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

namespace {

/// Elements from a box's first to its last, and those that padding puts behind; not exact, but
/// never beyond the range of its type.
long double reach(const Format& format, const Box& box) {
    if (box.empty()) return 0;
    long double sum = 1;
    long double product = 1;
    for (std::size_t a = 0; a < box.lo.size(); ++a) {
        const auto extent = static_cast<long double>(box.hi[a] - box.lo[a]);
        if (!format.strides.empty()) {
            sum += (extent - 1) * static_cast<long double>(format.strides[a]);
        } else {
            const Index padding = format.padding.empty() ? 0 : format.padding[a];
            product *= extent + static_cast<long double>(padding);
        }
    }
    return format.strides.empty() ? product : sum;
}

/// Whether two elements of a box could share their memory: each stride must step over all that the
/// smaller ones reach.
bool could_alias(const Format& format, const Box& box) {
    if (format.strides.empty() || box.empty()) return false;
    std::vector<std::size_t> axes(box.lo.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    std::sort(axes.begin(), axes.end(),
              [&](std::size_t a, std::size_t b) { return format.strides[a] < format.strides[b]; });
    Index reached = 0;
    for (const std::size_t a : axes) {
        const Index extent = box.hi[a] - box.lo[a];
        if (extent == 1) continue;
        if (format.strides[a] <= reached) return true;
        reached += (extent - 1) * format.strides[a];
    }
    return false;
}

void check_boxes_fit(const Layout& layout, const std::vector<Box>& boxes, std::string_view end) {
    constexpr long double most_bytes = Index{1} << 62;
    long double elements = 0;
    for (const Box& box : boxes) {
        elements += reach(layout.format, box);
        if (elements * static_cast<long double>(layout.scalar.bytes()) > most_bytes) {
            bad_request(
                fmt::format("{}: with its padding or strides the box {} needs an array of "
                            "more than 2^62 bytes",
                            end, weft::to_string(box)));
        }
        if (could_alias(layout.format, box)) {
            bad_request(
                fmt::format("{}: with the strides {} elements of the box {} could lie on top "
                            "of each other; every stride must step over what the smaller "
                            "ones reach",
                            end, join(layout.format.strides, ","), weft::to_string(box)));
        }
    }
}

}  // namespace

void check_fits_in_memory(const Layout& layout, std::string_view end) {
    if (layout.format.dense()) return;
    if (layout.where.list() != nullptr) {
        for (int rank = 0; rank < layout.where.ranks(); ++rank) {
            check_boxes_fit(layout, layout.where.boxes(rank), end);
        }
        return;
    }
    // What holds for the largest part holds for all.
    Box largest = whole(layout.where.shape());
    for (int axis = 0; axis < layout.where.axes(); ++axis) {
        largest.hi[usize(axis)] = layout.where.partition(axis).largest();
    }
    check_boxes_fit(layout, {largest}, end);
}

}  // namespace weft::core
