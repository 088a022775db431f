#include "program/window.hpp"

#include <algorithm>
#include <numeric>

#include "exchange/transfers.hpp"

namespace weft::core {

namespace {

/// Adjacent lines of a block: at 16 bytes an element 1 KiB, several tiles of any vectors.
constexpr Index block_lines = 64;
constexpr Index cache_line = 64;

}  // namespace

WindowLayout::WindowLayout(const Layout& from, const Layout& to, int line)
    : from_(from.where),
      to_(to.where),
      order_(to.format.order),
      line_(line),
      element_bytes_(from.scalar.bytes()) {}

Index WindowLayout::aligned(Index elements, Index bytes) const {
    const Index unit = bytes / std::gcd(bytes, element_bytes_);
    return (elements + unit - 1) / unit * unit;
}

Index WindowLayout::width(Index lines, Index all) const {
    return aligned(lines, 4 * tile_bytes <= all * element_bytes_ ? tile_bytes : cache_line);
}

bool WindowLayout::padded(const StoredBox& block) const {
    if (!in_blocks()) return false;
    return block.strides[static_cast<std::size_t>(line_)] * element_bytes_ % tile_bytes == 0;
}

void WindowLayout::add(const Box& box, int reader, Index offset,
                       std::vector<WindowBlock>& blocks) const {
    const int fastest = order_.back();
    if (!in_blocks()) {
        blocks.push_back({reader, {box, offset, strides(Format{order_}, box)}});
        return;
    }
    const auto f = static_cast<std::size_t>(fastest);
    const auto l = static_cast<std::size_t>(line_);
    const Index length = box.extent(line_);
    const Index all = box.extent(fastest);
    const Index full = all / block_lines * block_lines;
    // The outer axes, in the order of the reader, around blocks around lines.
    StoredBox stored{box, offset, std::vector<Index>(box.lo.size(), 1)};
    Index stride = length * (full + width(all - full, all));
    for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
        if (*axis == fastest || *axis == line_) continue;
        stored.strides[static_cast<std::size_t>(*axis)] = stride;
        stride *= box.extent(*axis);
    }
    for (Index first = 0; first < all; first += block_lines) {
        const Index lines = std::min(block_lines, all - first);
        stored.box.lo[f] = box.lo[f] + first;
        stored.box.hi[f] = stored.box.lo[f] + lines;
        stored.offset = offset + length * first;
        stored.strides[l] = width(lines, all);
        blocks.push_back({reader, stored});
    }
}

std::vector<WindowBlock> WindowLayout::blocks(int source) const {
    std::vector<WindowBlock> result;
    Index offset = 0;
    for (const Transfer& transfer : transfers(from_, to_, source).sends) {
        add(transfer.box, transfer.peer, offset, result);
        offset += room(transfer.box);
    }
    return result;
}

std::vector<StoredBox> WindowLayout::blocks(int source, int reader) const {
    std::vector<WindowBlock> found;
    Index offset = 0;
    for (const Transfer& transfer : transfers(from_, to_, source).sends) {
        if (transfer.peer > reader) break;
        if (transfer.peer == reader) add(transfer.box, reader, offset, found);
        offset += room(transfer.box);
    }
    std::vector<StoredBox> result;
    result.reserve(found.size());
    for (WindowBlock& block : found) result.push_back(std::move(block.stored));
    return result;
}

Index WindowLayout::bytes(int source) const {
    Index elements = 0;
    for (const Transfer& transfer : transfers(from_, to_, source).sends) {
        elements += room(transfer.box);
    }
    return elements * element_bytes_;
}

Index WindowLayout::room(const Box& box) const {
    if (!in_blocks()) return aligned(box.volume(), cache_line);
    const Index all = box.extent(order_.back());
    const Index full = all / block_lines * block_lines;
    const Index rows = box.volume() / all;
    return aligned(rows * (full + width(all - full, all)), cache_line);
}

}  // namespace weft::core
