#include "program/pass_scratch.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/transforms.hpp"
#include "program/program.hpp"

namespace weft::core {

PassScratch pass_scratch(const Box& box, const Scalar& scalar, const std::vector<int>& order,
                         std::optional<int> repeat, const std::vector<int>& lines) {
    PassScratch scratch{std::vector<Index>(box.lo.size(), 0)};
    const Index tile = tile_bytes / scalar.bytes();
    std::vector<int> inner(order.rbegin(), order.rend());
    if (repeat) std::erase(inner, *repeat);
    Index elements = 0;
    Index stride = 1;
    for (auto axis = inner.begin(); axis != inner.end(); ++axis) {
        scratch.strides[usize(*axis)] = stride;
        const Index row = stride * box.extent(*axis);
        const bool few = row > 1 && row <= few_lines && axis + 1 != inner.end();
        if (elements == 0 && few && std::count(lines.begin(), lines.end(), axis[1]) == 0) {
            stride = row;
            continue;
        }
        if (elements == 0) {
            elements = stride = (row + tile - 1) / tile * tile;
        } else {
            elements += (box.extent(*axis) - 1) * stride;
            stride *= box.extent(*axis);
        }
        // Rows a power of two of bytes apart would all meet in a few sets of a cache.
        constexpr Index conflict = 512;
        const Index bytes = stride * scalar.bytes();
        if (bytes >= conflict && bytes % conflict == 0) stride += 128 / scalar.bytes();
    }
    scratch.bytes = (elements * scalar.bytes() + alignment - 1) / alignment * alignment;
    return scratch;
}

}  // namespace weft::core
