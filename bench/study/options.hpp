// What a run of the study measures, and for how long.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "weft/choice.hpp"

namespace weft::study {

/// How long and how often one case is timed.
struct Pace {
    int repeat = 21;         ///< samples of each engine
    double sample_s = 3e-4;  ///< the least that one sample lasts: short transforms run many times
    double case_s = 1.5;     ///< all samples of a case together; the slowest cases have fewer
    int fewest_samples = 3;
};

/// From a minute's look to everything there is.
enum class Extent { quick, sample, full };

/// Empty lists leave everything in.
struct Options {
    std::vector<std::string> studies;
    std::vector<std::string> engines;
    std::vector<std::string> groups;
    std::vector<std::string> patterns;
    std::vector<std::string> levels;
    std::vector<std::string> kinds;
    std::vector<std::string> precisions;
    std::vector<Index> lengths;         ///< instead of those of the extent
    std::vector<std::string> shapes;    ///< of three-dimensional transforms
    std::vector<int> threads;           ///< of three-dimensional transforms
    Effort effort = Effort::automatic;  ///< automatic: patient for what is judged, if affordable
    bool rules = false;                 ///< lines: beside the engines, each way of the native one
    Extent extent = Extent::sample;
    Pace pace;
    double budget_s = 0;   ///< no case is begun later; 0: what the extent is given
    Index largest = 2048;  ///< accuracy: all lengths up to it
    int random = 24;       ///< accuracy: so many random lengths beyond
};

/// Whether a list of words leaves this one in.
inline bool wanted(const std::vector<std::string>& words, const std::string& word) {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

/// Seconds since it was made.
class Stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace weft::study
