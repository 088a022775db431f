// How far a long measurement is, told on stderr.
#pragma once

#include <string>

namespace weft::cli {

/// Says how many steps are done: after two seconds, then ever less often.
class Progress {
  public:
    /// As in `weft bench: 3 of 11 repeats, about 20 s left`, for the names `weft bench` and
    /// `repeats`; silent unless it `speaks`.
    Progress(std::string verb, std::string unit, int steps, bool speaks);
    void done(int step);

  private:
    std::string verb_;
    std::string unit_;
    int steps_;
    bool speaks_;
    double begin_;
    double last_;
    double pause_ = 2;
};

}  // namespace weft::cli
