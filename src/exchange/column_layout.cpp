#include "exchange/column_layout.hpp"

#include <algorithm>
#include <numeric>

#include "base/index.hpp"
#include "base/regions.hpp"
#include "base/transforms.hpp"

namespace weft::core {

namespace {

/// Up to a multiple of the fewest elements that are a multiple of so many bytes.
Index aligned(Index elements, Index bytes, Index each) {
    const Index unit = bytes / std::gcd(bytes, each);
    return (elements + unit - 1) / unit * unit;
}

}  // namespace

ColumnLayout::ColumnLayout(const Layout& from, const Layout& to, int line, const Topology* nodes)
    : from_(from.where),
      to_(to.where),
      order_(to.where.sparse() ? to.format.order : from.format.order),
      line_(line),
      element_bytes_(from.scalar.bytes()),
      nodes_(nodes) {}

void ColumnLayout::add(Transfers::const_iterator first, Transfers::const_iterator last,
                       bool in_place, Shares& shares) const {
    const auto l = usize(line_);
    const auto columns_of = [&](const Box& box) { return box.volume() / box.extent(line_); };
    if (in_place) shares.end = aligned(shares.end, cache_line, element_bytes_);
    while (first != last) {
        const Box& head = first->box;
        Index columns = 0;
        auto end = first;
        const auto follows = [&](const Box& box) {
            return box.lo[l] == head.lo[l] && box.hi[l] == head.hi[l];
        };
        while (end != last && follows(end->box)) {
            columns += columns_of(end++->box);
        }
        Index row = in_place ? aligned(columns, tile_bytes, element_bytes_) : columns;
        // What is written in a column of such rows would all go to the same bank of memory.
        constexpr Index conflict = 4096;
        const bool conflicts = row * element_bytes_ % conflict == 0;
        if (in_place && conflicts) row = aligned(row + 1, tile_bytes, element_bytes_);
        Index offset = shares.end;
        for (; first != end; ++first) {
            const Box& box = first->box;
            RegionPart part{first->peer, first->own, in_place, false, false, {}};
            StoredBox& stored = part.where.stored;
            stored = {box, offset, std::vector<Index>(box.lo.size(), 1)};
            Index stride = 1;
            for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
                if (*axis == line_) continue;
                stored.strides[usize(*axis)] = stride;
                stride *= box.extent(*axis);
            }
            stored.strides[l] = row;
            offset += columns_of(box);
            shares.parts.push_back(std::move(part));
        }
        shares.end += head.extent(line_) * row;
    }
}

ColumnLayout::Shares ColumnLayout::written_shares(int source) const {
    Shares result;
    const Transfers all = sends(from_, to_, source);
    // What is sent comes first. What a rank has for itself is written to where its messages land,
    // if it does not read it in place.
    for (const bool read_here : {false, true}) {
        for (auto first = all.begin(); first != all.end();) {
            const auto last = std::find_if(
                first, all.end(), [&](const Transfer& one) { return one.peer != first->peer; });
            const bool taken =
                in_place(source, first->peer) == read_here && (read_here || first->peer != source);
            if (taken) add(first, last, read_here, result);
            first = last;
        }
    }
    return result;
}

ColumnLayout::Shares ColumnLayout::landed_shares(int reader) const {
    Shares result;
    Transfers all = receives(from_, to_, reader);
    std::erase_if(all, [&](const Transfer& one) { return in_place(one.peer, reader); });
    for (auto first = all.begin(); first != all.end();) {
        const auto last = std::find_if(
            first, all.end(), [&](const Transfer& one) { return one.peer != first->peer; });
        add(first, last, false, result);
        first = last;
    }
    return result;
}

std::vector<RegionPart> ColumnLayout::written(int source) const {
    return written_shares(source).parts;
}

std::vector<RegionPart> ColumnLayout::read(int reader) const {
    std::vector<RegionPart> result;
    std::vector<RegionPart> theirs;
    int source = -1;
    std::size_t next = 0;
    // Transfers between two ranks are in the same order on both.
    for (const Transfer& transfer : receives(from_, to_, reader)) {
        if (!in_place(transfer.peer, reader)) continue;
        if (transfer.peer != source) {
            source = transfer.peer;
            theirs = written(source);
            next = 0;
        }
        while (theirs[next].peer != reader) ++next;
        RegionPart part = theirs[next++];
        part.peer = source;
        part.own = transfer.own;
        part.of_peer = true;
        result.push_back(std::move(part));
    }
    return result;
}

std::vector<RegionPart> ColumnLayout::landed(int reader) const {
    return landed_shares(reader).parts;
}

Index ColumnLayout::written_bytes(int source) const {
    return written_shares(source).end * element_bytes_;
}

Index ColumnLayout::landed_bytes(int reader) const {
    return landed_shares(reader).end * element_bytes_;
}

}  // namespace weft::core
