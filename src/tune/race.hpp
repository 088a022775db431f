// Contestants that are measured in turns until one is known to be the fastest.
//
// Rounds are interleaved: in each, every contestant still in the race runs once, so that a machine
// that slows down does so for all of them. After each round those fall out that are behind:
//   - the fastest run is slower than the slowest run of the leader by a tenth, after 2 rounds;
//   - the interval of the median (tune/median_interval.hpp) lies above the leader's.
// The leader has the least median. Whoever is left at the end is tied with it.
//
// Example: of three contestants 1.0, 1.02 and 1.5 ms with 1% noise the third falls out after two
// rounds, and the first two race on until, from the sixth round on, their intervals part.
#pragma once

#include <string>
#include <vector>

#include "tune/strategy.hpp"

namespace weft::core {

/// The order in which contestants run is that of their numbers, which is kept.
class Race : public Strategy {
  public:
    /// `times[i]` is what is known of contestant i already.
    Race(std::vector<std::vector<double>> times, int most_rounds);

    /// {i}: contestant i.
    std::optional<Position> ask() override;
    /// Seconds; infeasible drops the contestant at once.
    void tell(double seconds) override;

    /// Why the contestant fell out; empty: it is the winner or tied with it.
    [[nodiscard]] const std::string& dropped(std::size_t contestant) const {
        return dropped_[contestant];
    }
    /// The contestant with the least median that is still in the race; nothing if all have failed.
    [[nodiscard]] std::optional<std::size_t> leader() const;

  private:
    void drop_those_behind();
    [[nodiscard]] std::size_t in_race() const;

    std::vector<std::vector<double>> times_;
    std::vector<std::string> dropped_;
    std::size_t next_ = 0;
    int rounds_left_;
};

/// The least strategy: each contestant twice, the less of its two times counts ([duy] section
/// 3.2.3). Fails are not run again.
class RunEachTwice : public Strategy {
  public:
    explicit RunEachTwice(int contestants) : contestants_(contestants) {}

    std::optional<Position> ask() override {
        if (next_ == contestants_) return std::nullopt;
        return Position{next_};
    }
    void tell(double seconds) override {
        if (seconds == infeasible || again_) ++next_;
        again_ = !again_ && seconds != infeasible;
    }

  private:
    int contestants_;
    int next_ = 0;
    bool again_ = false;
};

}  // namespace weft::core
