// Transforms of lines of which a part is in memory, by an engine that has whole ones only.
#pragma once

#include <memory>

#include "fft/engine.hpp"

namespace weft::core {

/// FftEngine::tiles of such lines, by the engine's tiles of whole ones: these have segments of
/// zeros where there is nothing to read, and none where nothing is kept.
std::unique_ptr<TilePlan> kept_tiles(const FftEngine& engine, const TileTask& task);

/// The task, of one axis, by kept_tiles.
std::unique_ptr<FftPlan> kept_plan(const FftEngine& engine, const FftTask& task);

}  // namespace weft::core
