#include "model/exchanged_side.hpp"

#include <algorithm>
#include <array>

#include "model/devices.hpp"

namespace weft::core {

namespace {

/// Collects messages by how far they go: to the own node, to others of the same half of all nodes,
/// to the other half. Of each kind all count as alike, so it does not matter how many there are.
class ByDistance {
  public:
    ByDistance(const Site& site, int rank) : site_(site), rank_(rank) {}

    void add(int peer, double bytes, double count = 1) {
        SizedMessage& sum = sums_.at(distance(peer));
        sum.peer = peer;
        sum.bytes += bytes;
        sum.count += count;
        if (site_.same_node(rank_, peer) && !on_same_device(peer)) far_ += bytes;
    }
    /// `regions`: ranks of a node read each other's memory.
    [[nodiscard]] Side side(bool regions) const {
        Side side;
        side.far = far_;
        for (SizedMessage sum : sums_) {
            if (sum.count <= 0) continue;
            const bool on_node = site_.same_node(rank_, sum.peer);
            if (on_node) side.node_peers = sum.count;
            sum.bytes /= sum.count;
            if (!on_node || !regions) side.messages.push_back(sum);
        }
        return side;
    }

  private:
    [[nodiscard]] std::size_t distance(int peer) const {
        if (site_.same_node(rank_, peer)) return 0;
        return site_.half_of(rank_) == site_.half_of(peer) ? 1 : 2;
    }

    [[nodiscard]] bool on_same_device(int peer) const {
        if (!site_.machine.devices) return true;
        const int node = site_.machine.ranks_per_node;
        return same_device(*site_.machine.devices, std::min(site_.ranks, node), rank_ % node,
                           peer % node);
    }

    const Site& site_;
    int rank_;
    double far_ = 0;
    std::array<SizedMessage, 3> sums_ = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
};

/// The elements of the box that a rank has in an assignment.
double common(const Box& box, const Distribution& where, int rank) {
    double elements = 1;
    for (std::size_t a = 0; a < box.lo.size() && elements > 0; ++a) {
        const auto [lo, hi] = where.interval(static_cast<int>(a), rank);
        elements *= static_cast<double>(
            std::max<Index>(0, std::min(hi, box.hi[a]) - std::max(lo, box.lo[a])));
    }
    return elements;
}

}  // namespace

Side listed_side(const Site& site, const Distribution& mine, const Distribution& theirs, int rank,
                 double element, bool regions) {
    ByDistance sums(site, rank);
    for (const Box& box : mine.boxes(rank)) {
        theirs.overlaps(box, [&](int peer, const Box& common) {
            if (peer != rank) sums.add(peer, element * static_cast<double>(common.volume()));
        });
    }
    return sums.side(regions);
}

Side counted_side(const Site& site, const Distribution& mine, const Distribution& theirs, int rank,
                  double element, bool regions) {
    const Box box = mine.box(rank);
    auto left = static_cast<double>(box.volume());
    if (left <= 0) return {};
    double peers = 1;
    for (std::size_t a = 0; a < box.lo.size(); ++a) {
        const Partition cut = theirs.partition(static_cast<int>(a));
        peers *= static_cast<double>(cut.owner(box.hi[a] - 1) - cut.owner(box.lo[a]) + 1);
    }
    ByDistance sums(site, rank);
    const int first = rank / site.machine.ranks_per_node * site.machine.ranks_per_node;
    const int last = std::min(first + site.machine.ranks_per_node, site.ranks);
    for (int peer = first; peer < last; ++peer) {
        const double elements = common(box, theirs, peer);
        if (elements <= 0) continue;
        left -= elements;
        peers -= 1;
        if (peer != rank) sums.add(peer, element * elements);
    }
    const double elsewhere = site.ranks - (last - first);
    for (int half = 0; half < 2 && peers >= 0.5; ++half) {
        const int begin = site.half_begin(half);
        const int end = site.half_end(half);
        const bool own = site.half_of(rank) == half;
        const double part = (end - begin - (own ? last - first : 0)) / elsewhere;
        // Any rank of that half on another node stands for all.
        const int peer = own && begin == first ? last : begin;
        if (part > 0) sums.add(peer, part * element * left, part * peers);
    }
    return sums.side(regions);
}

}  // namespace weft::core
