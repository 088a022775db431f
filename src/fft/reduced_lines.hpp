// Real-to-real transforms by an engine that has complex and real ones only.
#pragma once

#include <memory>

#include "fft/engine.hpp"

namespace weft::core {

/// The task, whose kind is r2r, by r2c, c2r and c2c plans of the engine (fft/reduction.hpp). Lines
/// are taken some at a time, side by side.
std::unique_ptr<FftPlan> reduced_plan(const FftEngine& engine, const FftTask& task, Effort effort);

/// FftEngine::tiles in that way.
std::unique_ptr<TilePlan> reduced_tiles(const FftEngine& engine, const TileTask& task);

}  // namespace weft::core
