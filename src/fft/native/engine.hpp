// Plans of the native engine for one instruction set.
#pragma once

#include <memory>

#include "fft/engine.hpp"
#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// Arrays of more bytes than that are beyond the caches.
inline constexpr Index large_bytes = Index{4} << 20;

/// As FftEngine::plan; the kernels are those that a test wants, not the machine's best. Null of
/// real-to-real lines that are long or few or along several axes, which are left to reduced_plan
/// (fft/reduced_lines.hpp).
template <class T>
std::unique_ptr<FftPlan> make_plan(const FftTask& task, const Kernels<T>& kernels);

/// As FftEngine::tiles, of lines of at most longest_tile. Results that no segment holds are dropped.
template <class T>
std::unique_ptr<TilePlan> make_tiles(const TileTask& task, const Kernels<T>& kernels);

/// make_tiles for r2c, c2r and r2r.
template <class T>
std::unique_ptr<TilePlan> make_real_tiles(const TileTask& task, const Kernels<T>& kernels);

}  // namespace weft::core::native
