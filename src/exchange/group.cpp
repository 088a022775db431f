// Among which ranks two distributions exchange.
#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "base/text.hpp"
#include "exchange/transfers.hpp"

namespace weft::core {

namespace {

/// Which factors of the common grid stay where they are. On a balanced axis the outermost factors
/// that both sides share separate the ranks, because balanced cuts nest; block cuts do not nest,
/// so there all factors of the axis must agree.
std::vector<bool> staying_factors(const Distribution& from, const Distribution& to) {
    std::vector<bool> stays(from.grid().factors.size(), false);
    for (int axis = 0; axis < from.axes(); ++axis) {
        const auto& a = from.cuts()[usize(axis)];
        const auto& b = to.cuts()[usize(axis)];
        if (from.split().rule != CutRule::balanced && a != b) continue;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) {
            stays[usize(a[i])] = true;
        }
    }
    return stays;
}

/// Steps the coordinates of the given factors like an odometer; false after the last.
bool advance(std::vector<int>& coordinates, const std::vector<int>& factors,
             const ProcessGrid& grid) {
    for (auto f = factors.rbegin(); f != factors.rend(); ++f) {
        const auto factor = usize(*f);
        if (++coordinates[factor] < grid.factors[factor]) return true;
        coordinates[factor] = 0;
    }
    return false;
}

/// Whether all ranks are one group, whatever the factors say.
bool groupless(const Distribution& from, const Distribution& to) {
    const bool lists = from.list() != nullptr || to.list() != nullptr;
    return lists || !from.cuts_like(to);
}

}  // namespace

Index group_size(const Distribution& from, const Distribution& to, int rank) {
    if (groupless(from, to)) return from.ranks();
    const ProcessGrid& grid = from.grid();
    if (rank >= grid.size()) return 1;
    const std::vector<bool> stays = staying_factors(from, to);
    Index size = 1;
    for (std::size_t f = 0; f < stays.size(); ++f) size *= stays[f] ? 1 : grid.factors[f];
    return size;
}

Group group(const Distribution& from, const Distribution& to, int rank) {
    Group result;
    if (groupless(from, to)) {
        result.key = "all";
        result.ranks = all_below(from.ranks());
        return result;
    }
    const ProcessGrid& grid = from.grid();
    const std::vector<bool> stays = staying_factors(from, to);
    result.key = join(grid.factors, "x") + ":";
    for (const bool fixed : stays) result.key += fixed ? '.' : '*';
    // Where everyone moves there is one group, which shares its communicator with other such redistributions.
    const bool none_stays =
        std::none_of(stays.begin(), stays.end(), [](bool fixed) { return fixed; });
    if (none_stays && grid.size() == from.ranks()) result.key = "all";
    if (rank >= grid.size()) {
        result.ranks = {rank};
        return result;
    }
    // Factors ascend from outermost to innermost, so counting through the moving ones in that
    // order lists the ranks ascending.
    std::vector<int> coordinates = grid.coordinates(rank);
    for (std::size_t f = 0; f < stays.size(); ++f) {
        if (!stays[f]) coordinates[f] = 0;
    }
    std::vector<int> moving;
    for (std::size_t f = 0; f < stays.size(); ++f) {
        if (!stays[f]) moving.push_back(static_cast<int>(f));
    }
    std::vector<int> ranks;
    do {
        ranks.push_back(grid.rank(coordinates));
    } while (advance(coordinates, moving, grid));
    result.ranks = std::move(ranks);
    return result;
}

}  // namespace weft::core
