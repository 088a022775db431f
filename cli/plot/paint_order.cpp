#include "plot/paint_order.hpp"

#include <algorithm>
#include <cstddef>

namespace weft::cli {

namespace {

constexpr std::size_t toward_the_eye_when_small = 1;

/// Along every axis that separates them, a is the farther one. Where axes disagree, neither hides
/// the other.
bool behind(const Box& a, const Box& b) {
    bool any = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool flip = axis == toward_the_eye_when_small;
        const Box& low = flip ? b : a;
        const Box& high = flip ? a : b;
        if (high.hi[axis] <= low.lo[axis]) return false;
        any = any || low.hi[axis] <= high.lo[axis];
    }
    return any;
}

/// Moves the pieces that have nothing left behind them to `sorted`; leaves those in circles.
std::vector<Piece> take_sorted(const std::vector<Piece>& pieces, std::vector<Piece>& sorted) {
    std::vector<std::vector<std::size_t>> before(pieces.size());
    std::vector<int> waits_for(pieces.size(), 0);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        for (std::size_t j = 0; j < pieces.size(); ++j) {
            if (!behind(pieces[i].part, pieces[j].part)) continue;
            before[i].push_back(j);
            ++waits_for[j];
        }
    }
    std::vector<std::size_t> ready;
    for (std::size_t i = pieces.size(); i-- > 0;) {
        if (waits_for[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
        const std::size_t next = ready.back();
        ready.pop_back();
        sorted.push_back(pieces[next]);
        waits_for[next] = -1;
        for (const std::size_t later : before[next]) {
            if (--waits_for[later] == 0) ready.push_back(later);
        }
    }
    std::vector<Piece> rest;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (waits_for[i] > 0) rest.push_back(pieces[i]);
    }
    return rest;
}

struct Plane {
    std::size_t axis = 0;
    Index at = 0;
};

/// A plane with pieces on both sides. There is one: any two of them are disjoint.
Plane plane_between(const std::vector<Piece>& pieces) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Index least = pieces.front().part.lo[axis];
        for (const Piece& piece : pieces) least = std::min(least, piece.part.lo[axis]);
        for (const Piece& piece : pieces) {
            if (piece.part.lo[axis] > least) return {axis, piece.part.lo[axis]};
        }
    }
    return {};
}

/// The parts of the pieces on one side of a plane.
std::vector<Piece> side(const std::vector<Piece>& pieces, const Plane& plane, bool low) {
    std::vector<Piece> result;
    for (Piece piece : pieces) {
        Index& end = low ? piece.part.hi[plane.axis] : piece.part.lo[plane.axis];
        end = low ? std::min(end, plane.at) : std::max(end, plane.at);
        if (piece.part.lo[plane.axis] < piece.part.hi[plane.axis]) result.push_back(piece);
    }
    return result;
}

}  // namespace

std::vector<Piece> paint_order(const std::vector<Piece>& pieces) {
    std::vector<Piece> sorted;
    const std::vector<Piece> rest = take_sorted(pieces, sorted);
    if (rest.empty()) return sorted;
    const Plane plane = plane_between(rest);
    const bool low_first = plane.axis != toward_the_eye_when_small;
    for (const bool low : {low_first, !low_first}) {
        const std::vector<Piece> half = paint_order(side(rest, plane, low));
        sorted.insert(sorted.end(), half.begin(), half.end());
    }
    return sorted;
}

}  // namespace weft::cli
