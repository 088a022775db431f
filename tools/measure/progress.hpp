// How far something that takes long is, told on stderr by one rank.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace weft::cli {

/// Where progress is told, and what time it is: stderr and MPI's clock, or what a test passes in.
struct ProgressOutput {
    bool terminal = false;  ///< whether a line can be written over
    std::function<void(const std::string&)> write{};
    std::function<double()> now{};
};

/// stderr, if it `speaks`: on rank 0, where nothing asks for silence. Otherwise nothing is written.
ProgressOutput progress_output(bool speaks);

/// Says how many steps are done, from two seconds after the begin on: on a terminal in one line
/// that is written over, every half second, and taken away at the end; otherwise in lines of their
/// own, after two seconds, then after four more, and so on, at most every 30 seconds.
///
/// Example: `weft bench: 3 of 11 repeats, about 20 s left`, for the names `weft bench` and
/// `repeats`. Where nobody knows how many steps there are, 0: `weft tune: 34 runs in 12 s`.
class Progress {
  public:
    Progress(std::string verb, std::string unit, int steps, ProgressOutput output);
    Progress(std::string verb, std::string unit, int steps, bool speaks)
        : Progress(std::move(verb), std::move(unit), steps, progress_output(speaks)) {}
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// So many steps are done.
    void done(int step);

  private:
    [[nodiscard]] std::string line(int step, double now) const;
    void clear();

    std::string verb_;
    std::string unit_;
    int steps_;
    ProgressOutput output_;
    double begin_;
    double pause_ = 2;
    double next_;            ///< nothing is said before
    std::size_t shown_ = 0;  ///< characters of the line that stands on the terminal
};

}  // namespace weft::cli
