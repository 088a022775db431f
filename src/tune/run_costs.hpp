// What a run takes besides its transforms, learned from the runs that were made.
//
// Example: the first run, of 10 ms there and back on average, took 0.3 s until it was bound, since
// its engine planned, and 42 ms from then on. A run of 20 ms by the same engine is expected to take
// 0.3 s + 4.2 * 20 ms.
#pragma once

#include <map>
#include <string>

#include "weft/choice.hpp"

namespace weft::core {

class RunCosts {
  public:
    /// A run by that choice took `seconds` for a transform (infeasible: it failed), `spent` with
    /// all that belongs to it, and `binding` of these until it was bound.
    void told(const Choice& choice, double seconds, double spent, double binding);
    /// The most seconds until a run by the engine and the effort of that choice was bound, or
    /// failed to be; 0: none is known.
    [[nodiscard]] double binding(const Choice& choice) const;
    /// Of a run whose transform takes so many seconds, once it is bound.
    [[nodiscard]] double running(double seconds) const { return overhead_ * seconds; }

  private:
    std::map<std::string, double> bindings_;  ///< by engine and effort
    double overhead_ = 6;  ///< seconds for each second of a transform, at most so far
    bool known_ = false;   ///< by a run
};

}  // namespace weft::core
