#include "geometry/layout.hpp"

#include <fmt/format.h>

#include <numeric>

#include "base/text.hpp"

namespace weft::core {

Format row_major(int axes) {
    Format format;
    format.order.resize(static_cast<std::size_t>(axes));
    std::iota(format.order.begin(), format.order.end(), 0);
    return format;
}

std::vector<Index> strides(const Format& format, const Box& box) {
    std::vector<Index> result(format.order.size());
    Index stride = 1;
    for (auto axis = format.order.rbegin(); axis != format.order.rend(); ++axis) {
        result[static_cast<std::size_t>(*axis)] = stride;
        stride *= box.extent(*axis);
    }
    return result;
}

Slice slice_of(const Box& piece, const Box& stored, const Format& format, const Format& travel) {
    const std::vector<Index> stride = strides(format, stored);
    Slice slice;
    for (const int axis : travel.order) {
        const auto a = static_cast<std::size_t>(axis);
        slice.offset += (piece.lo[a] - stored.lo[a]) * stride[a];
        slice.runs.push_back({piece.extent(axis), stride[a]});
    }
    return slice;
}

std::string to_string(const Layout& layout, int dims) {
    return fmt::format("{}@{} {} {} {}", to_string(layout.where, dims),
                       axis_digits(layout.format.order, dims), join(layout.where.shape(), "x"),
                       layout.scalar.complex ? "complex" : "real",
                       weft::to_string(layout.scalar.precision));
}

}  // namespace weft::core
