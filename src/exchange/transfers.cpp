#include "exchange/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.hpp"

namespace weft::core {

namespace {

/// A program takes a kilobyte for each box that a rank sends or receives.
void check_few(std::size_t boxes) {
    constexpr std::size_t most = std::size_t{1} << 19;
    if (boxes < most) return;
    bad_request(fmt::format(
        "a rank would exchange more than {} boxes with others in one redistribution; take fewer "
        "ranks, or cut more axes, so that each rank meets fewer others: decomposition=pencil",
        most));
}

std::vector<Transfer> one_side(const std::vector<Box>& mine, const Distribution& others) {
    std::vector<Transfer> result;
    for (std::size_t own = 0; own < mine.size(); ++own) {
        others.overlaps(mine[own], [&](int peer, const Box& box) {
            check_few(result.size());
            result.push_back({peer, box, static_cast<int>(own)});
        });
    }
    const auto before = [](const Transfer& a, const Transfer& b) {
        return std::tie(a.peer, a.box.lo) < std::tie(b.peer, b.box.lo);
    };
    if (!std::is_sorted(result.begin(), result.end(), before)) {
        std::sort(result.begin(), result.end(), before);
    }
    return result;
}

}  // namespace

Transfers transfers(const Distribution& from, const Distribution& to, int rank) {
    return {sends(from, to, rank), receives(from, to, rank)};
}

std::vector<Transfer> sends(const Distribution& from, const Distribution& to, int rank) {
    return one_side(from.boxes(rank), to);
}

std::vector<Transfer> receives(const Distribution& from, const Distribution& to, int rank) {
    return one_side(to.boxes(rank), from);
}

std::vector<int> other_peers(const std::vector<Transfer>& transfers, int rank) {
    std::vector<int> result;
    for (const Transfer& transfer : transfers) {
        const bool known = !result.empty() && result.back() == transfer.peer;
        if (!known && transfer.peer != rank) result.push_back(transfer.peer);
    }
    return result;
}

}  // namespace weft::core
