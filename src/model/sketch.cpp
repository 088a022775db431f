#include "model/sketch.hpp"

#include <algorithm>

#include "model/operation_seconds.hpp"
#include "program/lower.hpp"

namespace weft::core {

namespace {

std::vector<double> numbers_of(const ProgramPrice& price) {
    std::vector<double> result(price.busy.begin(), price.busy.end());
    for (const StagePrice& stage : price.stages) {
        result.insert(result.end(), {stage.work, stage.exchange, stage.hop});
    }
    return result;
}

}  // namespace

Sketch::Sketch(const Plan& plan, int rank, const Environment& environment)
    : samples_(tile_samples(plan)) {
    of_all_tiles<double>(samples_, [&](const TileCounts& tiles) {
        programs_.push_back(sketch(plan, rank, environment, tiles));
        return std::vector<double>();
    });
}

ProgramPrice Sketch::price(const Plan& plan, const Site& site) const {
    // Each time the programs in the order in which they were made.
    std::vector<Program>::const_iterator next;
    const auto of_all = [&](const auto& of_one) {
        next = programs_.begin();
        return of_all_tiles<double>(samples_,
                                    [&](const TileCounts& /*tiles*/) { return of_one(*next++); });
    };
    const std::vector<double> bytes =
        of_all([&](const Program& program) { return stage_bytes(program, plan); });
    const std::vector<double> all = of_all([&](const Program& program) {
        return numbers_of(core::price(program, plan, site, bytes));
    });
    ProgramPrice result;
    std::copy_n(all.begin(), result.busy.size(), result.busy.begin());
    for (std::size_t i = result.busy.size(); i + 2 < all.size(); i += 3) {
        result.stages.push_back({all[i], all[i + 1], all[i + 2]});
    }
    return result;
}

}  // namespace weft::core
