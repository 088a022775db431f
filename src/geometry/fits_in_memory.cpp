#include "geometry/fits_in_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/index.hpp"
#include "base/text.hpp"

namespace weft::core {

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
