// Choices that run in turns until one of them is known to be the fastest.
#pragma once

#include <string>
#include <vector>

#include "tune/race.hpp"
#include "tune/session.hpp"

namespace weft::core {

/// Example, of two engines of which one cannot be bound:
///
///     Contest contest({native, mkl}, 9);
///     contest.ask({1});                 // native
///     contest.tell({5e-4, 5e-4});
///     contest.ask({1});                 // mkl
///     contest.fail("no MKL", {});       // native is alone: ask() gives nothing, and it has won
class Contest : public Session {
  public:
    /// Complete choices, of which each runs in at most so many rounds; those behind fall out
    /// (tune/race.hpp). One choice by itself is the winner without being run.
    Contest(std::vector<Choice> choices, int most_rounds, Figure figure = Figure::median);

    /// In both directions, without limits.
    std::optional<NextRun> ask(const SearchTime& time) override;
    void tell(const RunSeconds& took) override;
    void fail(const std::string& reason, const RunSeconds& took) override;

    [[nodiscard]] const Trial& trial(std::size_t number) const override { return trials_[number]; }
    /// Evaluations: of how many choices.
    [[nodiscard]] Outcome outcome() const override;

  private:
    std::vector<Trial> trials_;
    Race race_;
    std::size_t asked_ = 0;
};

}  // namespace weft::core
