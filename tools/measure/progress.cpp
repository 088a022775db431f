#include "measure/progress.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace weft::cli {

Progress::Progress(std::string verb, std::string unit, int steps, bool speaks)
    : verb_(std::move(verb)),
      unit_(std::move(unit)),
      steps_(steps),
      speaks_(speaks),
      begin_(MPI_Wtime()),
      last_(begin_) {}

void Progress::done(int step) {
    constexpr double longest_pause = 30;
    const double now = MPI_Wtime();
    if (!speaks_ || now - last_ < pause_ || step == steps_) return;
    last_ = now;
    pause_ = std::min(2 * pause_, longest_pause);
    fmt::print(stderr, "{}: {} of {} {}, about {:.0f} s left\n", verb_, step, steps_, unit_,
               (now - begin_) / step * (steps_ - step));
    std::fflush(stderr);
}

}  // namespace weft::cli
