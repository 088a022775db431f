// Lines in segments for engines that know arrays only: gathered, transformed, scattered.
#pragma once

#include <memory>

#include "device/gpu/target.hpp"
#include "fft/engine.hpp"
#include "fft/gpu/work_area.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// In the area, which holds all lines of both sides, line after line. The library's plans work in
/// the same area.
std::unique_ptr<PreparedWork> gathered_lines(const FusedLines& lines,
                                             const std::shared_ptr<WorkArea>& area,
                                             const FftEngine& library);

/// The copies of one side between its places, by place, and memory in which line after line has
/// `length` elements: the steps of the loops, then the lanes.
std::vector<std::vector<CopyTask>> line_copies(const FusedLines& lines, bool gathers);

}  // namespace weft::core::WEFT_GPU_TARGET
