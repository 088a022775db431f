// What a rank's program takes on any machine, without all of its tiles.
#pragma once

#include <vector>

#include "model/price.hpp"
#include "plan/tile_samples.hpp"

namespace weft::core {

/// A rank's program; where its plan has many tiles, programs of a few of them (plan/tile_samples).
/// It is made once, and walking through it for another machine takes microseconds.
class Sketch {
  public:
    /// Of a plan that is fused.
    Sketch(const Plan& plan, int rank, const Environment& environment);

    [[nodiscard]] ProgramPrice price(const Plan& plan, const Site& site) const;
    bool operator==(const Sketch&) const = default;

  private:
    TileSamples samples_;
    std::vector<Program> programs_;
};

}  // namespace weft::core
