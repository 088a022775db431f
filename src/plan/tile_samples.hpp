// What holds for a program of many tiles, from programs of a few, where tiles are alike but for the
// last one: each rank has one box, and all ranks' boxes are equally long along the axis, or one
// element shorter.
//
// Once as many tiles are in flight as may be, each further one adds the same to what a program
// takes: seconds on every clock, and bytes where tiles keep buffers. So both are straight lines
// from some number of tiles on, and two programs on the line tell the rest.
//
// Example: 2048 tiles of one exchange, 1 in flight. Programs of 5 and 9 tiles, the last of the plan
// among them, take 40 and 68 us; so all take 40 + (68 - 40) * (2048 - 5) / (9 - 5) us.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// How many fields that go one after the other, and tiles of each, a program has. The last one is
/// the plan's last, the others are its first.
struct TileCounts {
    int fields = 1;
    int tiles = 1;
    bool operator==(const TileCounts&) const = default;
};

/// Counts that stand for a count of all.
struct CountSamples {
    int all = 1;
    int few = 1;   ///< all, if that is not many
    int more = 1;  ///< all, if that is not many
    [[nodiscard]] bool leave_out() const { return few < all; }
    bool operator==(const CountSamples&) const = default;
};

struct TileSamples {
    CountSamples fields;
    CountSamples tiles;
    [[nodiscard]] bool leave_out() const { return fields.leave_out() || tiles.leave_out(); }
    bool operator==(const TileSamples&) const = default;
};

TileSamples tile_samples(const Plan& plan);

/// All that the plan has.
TileCounts all_tiles(const Plan& plan);

/// Numbers of the whole program: `at(counts)` gives them, as many each time, of one of so many
/// tiles, and is called for as few as tell the rest.
template <class Number, class At>
std::vector<Number> of_all_tiles(const TileSamples& samples, const At& at) {
    const auto along = [](const CountSamples& count, const auto& of) {
        std::vector<Number> result = of(count.few);
        if (!count.leave_out()) return result;
        const std::vector<Number> more = of(count.more);
        const auto further = static_cast<Number>(count.all - count.few);
        const auto step = static_cast<Number>(count.more - count.few);
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] += (more.at(i) - result[i]) * further / step;
        }
        return result;
    };
    return along(samples.fields, [&](int fields) {
        return along(samples.tiles, [&](int tiles) { return at(TileCounts{fields, tiles}); });
    });
}

}  // namespace weft::core
