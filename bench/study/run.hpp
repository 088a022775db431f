// The parts of the study, each of which prints one JSON object for every case.
#pragma once

#include <string>

#include "study/contest.hpp"
#include "study/options.hpp"

namespace weft::study {

/// One object on one line of standard output, out at once.
void print(const Json& record);

/// Says on stderr how far a part is, from time to time.
class Progress {
  public:
    Progress(std::string part, std::size_t cases) : part_(std::move(part)), cases_(cases) {}
    void next(const std::string& what);

  private:
    std::string part_;
    std::size_t cases_;
    std::size_t done_ = 0;
    double last_ = 0;
    Stopwatch watch_;
};

/// Each measures until `watch` shows the limit; what is left then is left out. Returns how many
/// cases that were. Throws Error(wrong_result) if engines differ.
std::size_t run_lines(const Options& options, const Stopwatch& watch, double limit_s);
std::size_t run_cube(const Options& options, const Stopwatch& watch, double limit_s);
std::size_t run_accuracy(const Options& options, const Stopwatch& watch, double limit_s);

}  // namespace weft::study
