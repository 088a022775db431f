// The engines on several threads, each as it does best.
#pragma once

#include <memory>
#include <string>

#include "fft/engine.hpp"

namespace weft::study {

/// A plan of the engine of that name that uses so many threads: FFTW's own and MKL's own, which
/// weft leaves alone; all others share a task out as weft does. MKL is asked for transforms of
/// doubles without loops only. Throws Error(not_available) if the library is not here or
/// has no threads.
std::unique_ptr<core::FftPlan> plan(const std::string& engine, int threads,
                                    const core::FftTask& task, Effort effort, std::byte* from,
                                    std::byte* to);

}  // namespace weft::study
