#include "exchange/region_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/index.hpp"
#include "base/regions.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"

namespace weft::core {

namespace {

/// Adjacent lines of a block: 64, at 16 bytes an element 1 KiB, several tiles of any vectors. A
/// share of more than 2^16 lines has wider blocks, about 1024 of them, so that a rank's lists of
/// blocks grow with its peers and not with its lines: an odd multiple of 64, so that elements of a
/// line are not whole pages apart.
Index block_lines(Index all) {
    constexpr Index usual = 64;
    constexpr Index most_blocks = 1024;
    return usual * ((all - 1) / (usual * most_blocks) | 1);
}

/// The fewest elements that are a multiple of so many bytes, a power of two; one, too.
Index elements_of(Index bytes, Index each) { return bytes / std::gcd(bytes, each); }

/// Up to a multiple of a unit that is a power of two.
Index aligned(Index elements, Index unit) { return (elements + unit - 1) & -unit; }

}  // namespace

RegionLayout::RegionLayout(const Layout& from, const Layout& to, std::optional<int> line,
                           const Topology* nodes)
    : from_(from.where),
      to_(to.where),
      order_(to.format.order),
      line_(line),
      along_(order_.back()),
      element_bytes_(from.scalar.bytes()),
      cache_line_elements_(elements_of(cache_line, element_bytes_)),
      tile_elements_(elements_of(tile_bytes, element_bytes_)),
      nodes_(nodes),
      all_in_place_(nodes != nullptr && nodes->one_node()),
      sent_dense_(from_.list() != nullptr || to_.list() != nullptr) {
    if (order_.size() < 2 || !line_) return;
    const auto fastest = order_.rbegin();
    const Index extent = to_.shape()[usize(fastest[0])];
    const bool short_rows = extent > 1 && extent <= few_lines && from_.local(fastest[0]);
    const bool apart = line_ != fastest[0] && line_ != fastest[1];
    if (short_rows && apart && to_.local(fastest[0])) along_ = fastest[1];
}

Index RegionLayout::block_extent(const Box& box) const {
    const Index each = lines_each(box);
    const Index lines = block_lines(box.extent(along_) * each);
    // Whole tiles, as near to the usual block as these come.
    const Index tiles = tile_elements_ / std::gcd(tile_elements_, each);
    return each <= 1 ? lines : std::max(lines / each / tiles, Index{1}) * tiles;
}

Index RegionLayout::width(Index lines, Index all, bool in_place) const {
    if (!in_place) return lines;
    const bool much = 4 * tile_bytes > all * element_bytes_;
    return aligned(lines, much ? cache_line_elements_ : tile_elements_);
}

void RegionLayout::add(const Share& share, std::vector<RegionPart>& parts) const {
    const Box& box = share.transfer.box;
    RegionPart part{
        share.transfer.peer, share.transfer.own, share.in_place, share.of_peer, false, {}};
    StoredBox& stored = part.where.stored;
    stored = {box, share.begin, {}};
    if (!line_) {
        stored.strides = strides(Format{order_}, box);
        parts.push_back(std::move(part));
        return;
    }
    const auto f = usize(along_);
    const Index all = box.extent(along_);
    const Index each = lines_each(box);
    stored.strides.assign(box.lo.size(), 1);
    stored.strides[f] = each;
    lay_out_outer(box, share.in_place,
                  [&](int axis, Index stride) { stored.strides[usize(axis)] = stride; });
    if (line_ == along_) {
        part.padded = width(all, all, share.in_place) * element_bytes_ % tile_bytes == 0;
        return parts.push_back(std::move(part));
    }
    const Index length = box.extent(*line_);
    const Index block = block_extent(box);
    const auto add_blocks = [&](Index begin, Index end, Index extent) {
        if (begin == end) return;
        const Index lines = extent * each;
        stored.box.lo[f] = box.lo[f] + begin;
        stored.box.hi[f] = box.lo[f] + end;
        stored.offset = share.begin + length * begin * each;
        const Index step = width(lines, all * each, share.in_place);
        stored.strides[usize(*line_)] = step;
        part.padded = step * element_bytes_ % tile_bytes == 0;
        const Blocks blocks{along_, extent, length * lines};
        part.where.blocks = end - begin > extent ? std::optional(blocks) : std::nullopt;
        parts.push_back(part);
    };
    add_blocks(0, all - all % block, block);
    add_blocks(all - all % block, all, all % block);
}

void RegionLayout::append(const Transfer& transfer, bool in_place,
                          std::vector<Share>& shares) const {
    Index begin = 0;
    if (!shares.empty()) {
        const bool same_peer = shares.back().transfer.peer == transfer.peer;
        const bool follows = same_peer || (!in_place && sent_dense_);
        begin = follows ? shares.back().end : aligned(shares.back().end, cache_line_elements_);
    }
    shares.push_back({transfer, in_place, false, begin, begin + room(transfer.box, in_place)});
}

std::vector<RegionLayout::Share> RegionLayout::written_shares(int source) const {
    std::vector<Share> result;
    const std::vector<Transfer> all = sends(from_, to_, source);
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

std::vector<RegionLayout::Share> RegionLayout::landed_shares(int reader) const {
    std::vector<Share> result;
    for (const Transfer& transfer : receives(from_, to_, reader)) {
        if (!in_place(transfer.peer, reader)) append(transfer, false, result);
    }
    return result;
}

/// Where a reader's shares begin in the regions of others. A region is laid out peer by peer, so
/// that is known once it has been laid out for all its readers. Sources of an assignment whose
/// boxes are cut alike by the readers' have equal regions, so one of them is laid out for all.
class RegionLayout::Begins {
  public:
    Begins(const RegionLayout& layout, int reader) : layout_(layout), reader_(reader) {}

    /// Of the first share that the transfer's peer has for the reader.
    Index at(const Transfer& transfer) {
        const auto [known, fresh] = begins_.try_emplace(shape_of(transfer), 0);
        if (fresh) known->second = begin_in(transfer.peer);
        return known->second;
    }
    /// How many regions have been laid out.
    [[nodiscard]] Index count() const { return static_cast<Index>(begins_.size()); }

  private:
    /// What the layout of the source's region depends on. Along an axis where its box lies within
    /// one part of the readers', shares are as long as the box; along others, how the box is cut.
    /// Sources that share the reader's node have the same readers in place if all ranks are on one
    /// node or they have the same readers.
    [[nodiscard]] std::vector<Index> shape_of(const Transfer& transfer) const {
        const Distribution& from = layout_.from_;
        const Distribution& to = layout_.to_;
        if (from.list() != nullptr || to.list() != nullptr) return {transfer.peer};
        const Box source = from.box(transfer.peer);
        std::vector<Index> result;
        result.reserve(3 * source.lo.size());
        for (std::size_t a = 0; a < source.lo.size(); ++a) {
            const Partition cut = to.partition(static_cast<int>(a));
            const Index first = cut.owner(source.lo[a]);
            const bool whole = first == cut.owner(source.hi[a] - 1);
            const bool anywhere = whole && layout_.all_in_place_;
            result.push_back(anywhere ? -1 : first);
            result.push_back(whole ? 0 : source.lo[a]);
            result.push_back(whole ? transfer.box.hi[a] - transfer.box.lo[a] : source.hi[a]);
        }
        return result;
    }
    /// Where the reader's first share begins in the source's region: all that is sent to others
    /// comes before what is read in place, and peers ascend.
    [[nodiscard]] Index begin_in(int source) {
        std::vector<std::pair<int, Index>> messages;
        Index in_place = 0;
        for (const Box& box : layout_.from_.boxes(source)) {
            layout_.to_.overlaps(box, [&](int peer, const Box& common) {
                count_share();
                if (!layout_.in_place(source, peer)) {
                    messages.emplace_back(peer, common.volume());
                } else if (peer < reader_) {
                    in_place += layout_.room(common, true);
                }
            });
        }
        std::sort(messages.begin(), messages.end());
        Index begin = 0;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            begin += messages[i].second;
            const bool last =
                i + 1 == messages.size() || messages[i + 1].first != messages[i].first;
            if (last && !layout_.sent_dense_) begin = aligned(begin, layout_.cache_line_elements_);
        }
        return aligned(begin, layout_.cache_line_elements_) + in_place;
    }
    /// Some 80 ns each: more would take a second for every redistribution, and more than once.
    void count_share() {
        constexpr Index most = Index{1} << 23;
        if (++shares_ <= most) return;
        bad_request(
            fmt::format("rank {} would need more than {} parts of shared regions to find the data "
                        "that other ranks write: boxes without a process grid meet too many "
                        "others; take messages instead, via=alltoallv",
                        reader_, most));
    }

    const RegionLayout& layout_;
    int reader_;
    std::map<std::vector<Index>, Index> begins_;
    Index shares_ = 0;
};

std::vector<RegionLayout::Share> RegionLayout::read_shares(int reader, Begins& begins) const {
    std::vector<Share> result;
    for (const Transfer& transfer : receives(from_, to_, reader)) {
        if (!in_place(transfer.peer, reader)) continue;
        const bool same_peer = !result.empty() && result.back().transfer.peer == transfer.peer;
        const Index begin = same_peer ? result.back().end : begins.at(transfer);
        result.push_back({transfer, true, true, begin, begin + room(transfer.box, true)});
    }
    return result;
}

std::vector<RegionPart> RegionLayout::parts(const std::vector<Share>& shares) const {
    std::vector<RegionPart> result;
    result.reserve(shares.size());
    for (const Share& share : shares) add(share, result);
    return result;
}

std::vector<RegionPart> RegionLayout::written(int source) const {
    return parts(written_shares(source));
}

std::vector<RegionPart> RegionLayout::read(int reader) const {
    Begins begins(*this, reader);
    return parts(read_shares(reader, begins));
}

std::vector<RegionPart> RegionLayout::landed(int reader) const {
    return parts(landed_shares(reader));
}

Index RegionLayout::regions_laid_out(int reader) const {
    Begins begins(*this, reader);
    return read_shares(reader, begins).empty() ? 0 : begins.count();
}

Index RegionLayout::written_bytes(int source) const {
    const std::vector<Share> shares = written_shares(source);
    return shares.empty() ? 0 : shares.back().end * element_bytes_;
}

Index RegionLayout::landed_bytes(int reader) const {
    const std::vector<Share> shares = landed_shares(reader);
    return shares.empty() ? 0 : shares.back().end * element_bytes_;
}

Index RegionLayout::room(const Box& box, bool in_place) const {
    if (!in_place) return box.volume();
    if (!line_) return aligned(box.volume(), cache_line_elements_);
    return aligned(lay_out_outer(box, true, [](int, Index) {}), cache_line_elements_);
}

template <class Visit>
Index RegionLayout::lay_out_outer(const Box& box, bool in_place, const Visit& visit) const {
    const Index all = box.extent(along_);
    const Index lines = all * lines_each(box);
    const Index full = (all - all % block_extent(box)) * lines_each(box);
    Index elements = line_ == along_
                         ? width(lines, lines, in_place)
                         : box.extent(*line_) * (full + width(lines - full, lines, in_place));
    // In the order of the reader, around blocks around lines.
    for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
        if (*axis == order_.back() || *axis == along_ || *axis == line_) continue;
        // What is written in a row of tiles would all go to the same bank of memory.
        constexpr Index conflict = 4096;
        const bool conflicts = elements * element_bytes_ % conflict == 0;
        if (in_place && conflicts && box.extent(*axis) > 1) elements += tile_bytes / element_bytes_;
        visit(*axis, elements);
        elements *= box.extent(*axis);
    }
    return elements;
}

}  // namespace weft::core
