// Contestants that are measured in turns until one is known to be the fastest.
//
// Rounds are interleaved: in each, every contestant still in the race runs once, so that a machine
// that slows down does so for all of them. After each round those fall out that are behind:
//   - the fastest run is slower than the slowest run of the leader by a tenth, after 2 rounds;
//   - the interval of the median (tune/median_interval.hpp) lies above the leader's.
// The leader has the least median, or the least time where that counts ([duy] section 3.2.3 runs
// each twice and takes the shorter time). Whoever is left at the end is tied with it.
//
// Example: of three contestants 1.0, 1.02 and 1.5 ms with 1% noise the third falls out after two
// rounds, and the first two race on until, from the sixth round on, their intervals part.
#pragma once

#include <string>
#include <vector>

#include "tune/strategy.hpp"

namespace weft::core {

/// Which of a contestant's times counts.
enum class Figure { median, least };

/// The order in which contestants run is that of their numbers, which is kept.
class Race : public Strategy {
  public:
    /// `times[i]` is what is known of contestant i already.
    Race(std::vector<std::vector<double>> times, int most_rounds, Figure figure = Figure::median);

    /// {i}: contestant i. What the failures of all others leave over is asked for if it has not
    /// run, since it may fail as well; of one contestant nothing is asked.
    std::optional<Position> ask() override;
    /// Seconds; infeasible drops the contestant at once.
    void tell(double seconds) override;

    /// Why the contestant fell out; empty: it is the winner or tied with it.
    [[nodiscard]] const std::string& dropped(std::size_t contestant) const {
        return dropped_[contestant];
    }
    /// The contestant with the least figure that is still in the race; nothing if all have failed.
    [[nodiscard]] std::optional<std::size_t> leader() const;

  private:
    void drop_those_behind();
    [[nodiscard]] std::size_t in_race() const;
    [[nodiscard]] double figure(std::size_t contestant) const;

    std::vector<std::vector<double>> times_;
    std::vector<std::string> dropped_;
    std::size_t next_ = 0;
    int rounds_left_;
    Figure figure_of_;
};

}  // namespace weft::core
