#include "program/window.hpp"

#include <algorithm>
#include <numeric>

#include "base/windows.hpp"

namespace weft::core {

namespace {

/// Adjacent lines of a block: 64, at 16 bytes an element 1 KiB, several tiles of any vectors. A
/// region of more than 2^16 lines has wider blocks, about 1024 of them, so that a rank's lists of
/// blocks grow with its peers and not with its lines: an odd multiple of 64, so that elements of a
/// line are not whole pages apart.
Index block_lines(Index all) {
    constexpr Index usual = 64;
    constexpr Index most_blocks = 1024;
    return usual * ((all - 1) / (usual * most_blocks) | 1);
}

}  // namespace

WindowLayout::WindowLayout(const Layout& from, const Layout& to, int line, const Topology* nodes)
    : from_(from.where),
      to_(to.where),
      order_(to.format.order),
      line_(line),
      element_bytes_(from.scalar.bytes()),
      nodes_(nodes) {}

Index WindowLayout::aligned(Index elements, Index bytes) const {
    const Index unit = bytes / std::gcd(bytes, element_bytes_);
    return (elements + unit - 1) / unit * unit;
}

Index WindowLayout::width(Index lines, Index all, bool in_place) const {
    if (!in_place) return lines;
    return aligned(lines, 4 * tile_bytes <= all * element_bytes_ ? tile_bytes : cache_line);
}

bool WindowLayout::padded(const StoredBox& block) const {
    if (!in_blocks()) return false;
    return block.strides[static_cast<std::size_t>(line_)] * element_bytes_ % tile_bytes == 0;
}

void WindowLayout::add(const Region& region, std::vector<WindowBlock>& blocks) const {
    const Box& box = region.transfer.box;
    const int fastest = order_.back();
    if (!in_blocks()) {
        blocks.push_back({region.transfer.peer, {box, region.begin, strides(Format{order_}, box)}});
        return;
    }
    const auto f = static_cast<std::size_t>(fastest);
    const auto l = static_cast<std::size_t>(line_);
    const Index length = box.extent(line_);
    const Index all = box.extent(fastest);
    StoredBox stored{box, region.begin, std::vector<Index>(box.lo.size(), 1)};
    set_outer_strides(box, region.in_place, stored.strides);
    const Index block = block_lines(all);
    for (Index first = 0; first < all; first += block) {
        const Index lines = std::min(block, all - first);
        stored.box.lo[f] = box.lo[f] + first;
        stored.box.hi[f] = stored.box.lo[f] + lines;
        stored.offset = region.begin + length * first;
        stored.strides[l] = width(lines, all, region.in_place);
        blocks.push_back({region.transfer.peer, stored});
    }
}

void WindowLayout::append(const Transfer& transfer, bool in_place,
                          std::vector<Region>& regions) const {
    Index begin = 0;
    if (!regions.empty()) {
        const bool same_peer = regions.back().transfer.peer == transfer.peer;
        begin = same_peer ? regions.back().end : aligned(regions.back().end, cache_line);
    }
    regions.push_back({transfer, in_place, begin, begin + room(transfer.box, in_place)});
}

std::vector<WindowLayout::Region> WindowLayout::written_regions(int source) const {
    std::vector<Region> result;
    const std::vector<Transfer> all = transfers(from_, to_, source).sends;
    // What is sent comes first, so that no padding lies before it. What a rank has for itself is
    // written to where its messages land.
    for (const bool read_here : {false, true}) {
        for (const Transfer& transfer : all) {
            if (in_place(source, transfer.peer) != read_here) continue;
            if (read_here || transfer.peer != source) append(transfer, read_here, result);
        }
    }
    return result;
}

std::vector<WindowLayout::Region> WindowLayout::landed_regions(int reader) const {
    std::vector<Region> result;
    for (const Transfer& transfer : transfers(from_, to_, reader).receives) {
        if (!in_place(transfer.peer, reader)) append(transfer, false, result);
    }
    return result;
}

std::vector<WindowBlock> WindowLayout::blocks(const std::vector<Region>& regions) const {
    std::vector<WindowBlock> result;
    for (const Region& region : regions) add(region, result);
    return result;
}

std::vector<WindowBlock> WindowLayout::written(int source) const {
    return blocks(written_regions(source));
}

std::vector<StoredBox> WindowLayout::written(int source, int reader) const {
    std::vector<Region> regions = written_regions(source);
    std::erase_if(regions, [&](const Region& region) { return region.transfer.peer != reader; });
    std::vector<StoredBox> result;
    for (WindowBlock& block : blocks(regions)) result.push_back(std::move(block.stored));
    return result;
}

std::vector<WindowBlock> WindowLayout::landed(int reader) const {
    return blocks(landed_regions(reader));
}

Index WindowLayout::written_bytes(int source) const {
    const std::vector<Region> regions = written_regions(source);
    return regions.empty() ? 0 : regions.back().end * element_bytes_;
}

Index WindowLayout::landed_bytes(int reader) const {
    const std::vector<Region> regions = landed_regions(reader);
    return regions.empty() ? 0 : regions.back().end * element_bytes_;
}

Index WindowLayout::room(const Box& box, bool in_place) const {
    if (!in_place) return box.volume();
    if (!in_blocks()) return aligned(box.volume(), cache_line);
    std::vector<Index> strides(box.lo.size());
    return aligned(set_outer_strides(box, in_place, strides), cache_line);
}

Index WindowLayout::set_outer_strides(const Box& box, bool in_place,
                                      std::vector<Index>& strides) const {
    const Index all = box.extent(order_.back());
    const Index full = all / block_lines(all) * block_lines(all);
    Index elements = box.extent(line_) * (full + width(all - full, all, in_place));
    // In the order of the reader, around blocks around lines.
    for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
        if (*axis == order_.back() || *axis == line_) continue;
        // What is written in a row of tiles would all go to the same bank of memory.
        constexpr Index conflict = 4096;
        const bool conflicts = elements * element_bytes_ % conflict == 0;
        if (in_place && conflicts && box.extent(*axis) > 1) elements += tile_bytes / element_bytes_;
        strides[static_cast<std::size_t>(*axis)] = elements;
        elements *= box.extent(*axis);
    }
    return elements;
}

}  // namespace weft::core
