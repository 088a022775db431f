// How much goes between two distributions.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "base/text.hpp"
#include "exchange/transfers.hpp"

namespace weft::core {

namespace {

/// Axes that exchange factors, and those factors. Distinct components are independent: the
/// elements that stay on their ranks are the product of what stays in each.
struct Component {
    std::vector<int> axes;
    std::vector<int> factors;
};

template <class T>
bool meet(const std::vector<T>& a, const std::vector<T>& b) {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

template <class T>
void add_all(std::vector<T>& to, const std::vector<T>& from) {
    for (const T& item : from) {
        if (std::count(to.begin(), to.end(), item) == 0) to.push_back(item);
    }
}

std::vector<Component> components(const Distribution& from, const Distribution& to) {
    std::vector<Component> result;
    for (int axis = 0; axis < from.axes(); ++axis) {
        const auto a = usize(axis);
        Component merged{{axis}, from.cuts()[a]};
        add_all(merged.factors, to.cuts()[a]);
        for (auto other = result.begin(); other != result.end();) {
            if (meet(other->factors, merged.factors)) {
                add_all(merged.axes, other->axes);
                add_all(merged.factors, other->factors);
                other = result.erase(other);
            } else {
                ++other;
            }
        }
        result.push_back(merged);
    }
    return result;
}

/// What one rank has of an axis in two assignments.
Index common_extent(const Distribution& from, const Distribution& to, int axis, int rank) {
    const auto [from_lo, from_hi] = from.interval(axis, rank);
    const auto [to_lo, to_hi] = to.interval(axis, rank);
    return std::max<Index>(0, std::min(from_hi, to_hi) - std::max(from_lo, to_lo));
}

/// The sum of value(i) over 0 <= i < count, from at most `samples` of them.
template <class Value>
Index sampled(Index count, Index samples, const Value& value) {
    const Index looked_at = std::min(count, samples);
    Index total = 0;
    for (Index s = 0; s < looked_at; ++s) total += value(s * (count / looked_at));
    if (looked_at == count) return total;
    return static_cast<Index>(static_cast<double>(total) * static_cast<double>(count) /
                              static_cast<double>(looked_at));
}

/// A factor of the process grid: how many ranks there are along it, and how far apart.
struct Digit {
    int factor;
    Index count;
    Index apart;
};

/// The intervals of an axis in an assignment by the coordinates along the factors that cut it, each
/// worked out once.
class IntervalsOfAxis {
  public:
    IntervalsOfAxis(const Distribution& where, int axis, const std::vector<Digit>& digits) {
        Index count = 1;
        for (const int factor : where.cuts()[usize(axis)]) {
            const auto digit = std::find_if(digits.begin(), digits.end(),
                                            [&](const Digit& one) { return one.factor == factor; });
            steps_.emplace_back(usize(digit - digits.begin()), digit->count);
            count *= digit->count;
        }
        for (Index part = 0; part < count; ++part) {
            Index rank = 0;
            Index rest = part;
            for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
                rank += rest % step->second * digits[step->first].apart;
                rest /= step->second;
            }
            intervals_.push_back(where.interval(axis, static_cast<int>(rank)));
        }
    }
    [[nodiscard]] const std::pair<Index, Index>& at(const std::vector<Index>& coordinates) const {
        Index part = 0;
        for (const auto& [digit, count] : steps_) part = part * count + coordinates[digit];
        return intervals_[usize(part)];
    }

  private:
    std::vector<std::pair<std::size_t, Index>> steps_;  ///< a digit and its count, slowest first
    std::vector<std::pair<Index, Index>> intervals_;
};

/// What stays on the ranks that differ in the component's factors only, by the component's axes.
Index staying(const Component& component, const Distribution& from, const Distribution& to,
              Index samples) {
    // Ranks whose other coordinates are 0, the innermost factor first.
    const std::vector<int>& factors = from.grid().factors;
    std::vector<Digit> digits;
    Index count = 1;
    for (auto f = component.factors.rbegin(); f != component.factors.rend(); ++f) {
        Index apart = 1;
        for (auto g = usize(*f) + 1; g < factors.size(); ++g) apart *= factors[g];
        digits.push_back({*f, factors[usize(*f)], apart});
        count *= digits.back().count;
    }
    std::vector<std::pair<IntervalsOfAxis, IntervalsOfAxis>> axes;
    axes.reserve(component.axes.size());
    for (const int axis : component.axes) {
        axes.emplace_back(IntervalsOfAxis(from, axis, digits), IntervalsOfAxis(to, axis, digits));
    }
    std::vector<Index> coordinates(digits.size());
    return sampled(count, samples, [&](Index i) {
        for (std::size_t digit = 0; digit < digits.size(); ++digit) {
            coordinates[digit] = i % digits[digit].count;
            i /= digits[digit].count;
        }
        Index common = 1;
        for (const auto& [before, behind] : axes) {
            const auto& [from_lo, from_hi] = before.at(coordinates);
            const auto& [to_lo, to_hi] = behind.at(coordinates);
            common *= std::max<Index>(0, std::min(from_hi, to_hi) - std::max(from_lo, to_lo));
        }
        return common;
    });
}

}  // namespace

Index common_elements(const Distribution& from, const Distribution& to, int source, int target) {
    Index count = 0;
    from.for_each_box(source, [&](const Index* lo, const Index* hi) {
        to.for_each_box(target, [&](const Index* other_lo, const Index* other_hi) {
            Index common = 1;
            for (int axis = 0; axis < from.axes() && common > 0; ++axis) {
                common *= std::max<Index>(
                    0, std::min(hi[axis], other_hi[axis]) - std::max(lo[axis], other_lo[axis]));
            }
            count += common;
        });
    });
    return count;
}

namespace {

/// What stays on one rank.
Index staying_boxes(const Distribution& from, const Distribution& to, int rank) {
    // A rank's few boxes are compared each with each; the tree would show all other ranks' too.
    constexpr std::size_t few = 4096;
    if (from.most_boxes(rank) * to.most_boxes(rank) <= few) {
        return common_elements(from, to, rank, rank);
    }
    Index count = 0;
    for (const Box& box : from.boxes(rank)) {
        to.overlaps(box, [&](int peer, const Box& common) {
            if (peer == rank) count += common.volume();
        });
    }
    return count;
}

/// The elements of a rank that somebody owns behind the redistribution.
Index going_on(const Distribution& from, const Distribution& to, int rank) {
    Index count = 0;
    const bool all = !to.sparse();
    for (const Box& box : from.boxes(rank)) {
        if (all) {
            count += box.volume();
        } else {
            to.overlaps(box, [&](int, const Box& common) { count += common.volume(); });
        }
    }
    return count;
}

/// The elements that somebody owns before and behind the redistribution.
Index common_to_all(const Distribution& from, const Distribution& to) {
    if (!from.sparse() || !to.sparse()) return std::min(from.covered(), to.covered());
    Index count = 0;
    for (int rank = 0; rank < from.ranks(); ++rank) count += going_on(from, to, rank);
    return count;
}

}  // namespace

Index volume(const Distribution& from, const Distribution& to, Index samples) {
    if (from == to) return 0;
    Index stays = 0;
    if (from.list() != nullptr || to.list() != nullptr) {
        stays = sampled(from.ranks(), samples, [&](Index rank) {
            return staying_boxes(from, to, static_cast<int>(rank));
        });
    } else if (from.grid() == to.grid()) {
        stays = 1;
        for (const Component& part : components(from, to)) {
            stays *= staying(part, from, to, samples);
        }
    } else {
        stays = sampled(from.ranks(), samples, [&](Index rank) {
            Index common = 1;
            for (int axis = 0; axis < from.axes() && common > 0; ++axis) {
                common *= common_extent(from, to, axis, static_cast<int>(rank));
            }
            return common;
        });
    }
    return std::max<Index>(0, common_to_all(from, to) - stays);
}

namespace {

/// All messages of all ranks: at 100 ns each these take three seconds.
void check_looked_at(Index messages) {
    constexpr Index most = Index{1} << 25;
    if (messages <= most) return;
    bad_request(
        fmt::format("a method with slots of one size (alltoall, fftw) needs the size of the "
                    "largest message, but these distributions exchange more than {} messages "
                    "without a pattern; take a method without slots, via=alltoallv",
                    most));
}

Index largest_overlap(const Partition& from, const Partition& to) {
    Index largest = 0;
    for (Index i = 0; i < from.parts; ++i) {
        if (from.begin(i) == from.end(i)) continue;
        for (Index j = to.owner(from.begin(i)); j <= to.owner(from.end(i) - 1); ++j) {
            largest = std::max(
                largest, std::min(from.end(i), to.end(j)) - std::max(from.begin(i), to.begin(j)));
        }
    }
    return largest;
}

}  // namespace

Index largest_message(const Distribution& from, const Distribution& to) {
    Index largest = 0;
    if (from.list() == nullptr && to.list() == nullptr && from.grid() == to.grid()) {
        largest = 1;
        for (int axis = 0; axis < from.axes(); ++axis) {
            const Index overlap = largest_overlap(from.partition(axis), to.partition(axis));
            largest *= to.tiled_extent(axis, from.tiled_extent(axis, overlap));
        }
        return largest;
    }
    Index looked_at = 0;
    std::vector<std::pair<int, Index>> by_peer;
    for (int rank = 0; rank < from.ranks(); ++rank) {
        by_peer.clear();
        for (const Box& box : from.boxes(rank)) {
            to.overlaps(box, [&](int peer, const Box& common) {
                if (peer != rank) by_peer.emplace_back(peer, common.volume());
            });
        }
        looked_at += static_cast<Index>(by_peer.size());
        check_looked_at(looked_at);
        std::sort(by_peer.begin(), by_peer.end());
        Index message = 0;
        for (std::size_t i = 0; i < by_peer.size(); ++i) {
            const bool same_peer = i > 0 && by_peer[i - 1].first == by_peer[i].first;
            message = by_peer[i].second + (same_peer ? message : 0);
            largest = std::max(largest, message);
        }
    }
    return largest;
}

Index sent(const Distribution& from, const Distribution& to, int rank) {
    return going_on(from, to, rank) - staying_boxes(from, to, rank);
}

}  // namespace weft::core
