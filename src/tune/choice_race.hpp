// Choices that are run in turns until one is known to be the fastest; what was measured is
// evidence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/race.hpp"
#include "tune/wisdom.hpp"
#include "weft/choice.hpp"

namespace weft::core {

/// Ask and tell, as with any Strategy. Example, of two engines of which one cannot be bound:
///
///     ChoiceRace race({native, mkl}, 9);
///     race.ask();            // native
///     race.tell(1e-3);
///     race.ask();            // mkl
///     race.fail("no MKL");   // native is alone: ask() gives null, and it is the winner
class ChoiceRace {
  public:
    /// Each runs in at most so many rounds; those behind fall out (tune/race.hpp). One choice by
    /// itself is the winner without being run.
    ChoiceRace(std::vector<Choice> choices, int most_rounds);

    /// What to run next; null: the race is over.
    const Choice* ask();
    /// Seconds of what was asked for last.
    void tell(double seconds);
    /// What was asked for last cannot be run.
    void fail(const std::string& why);

    /// Of those that can be run the one of the least median; null: all have failed.
    [[nodiscard]] const Choice* winner() const;
    /// How far each has come, for wisdom, with `spent` seconds in all; nothing where the winner has
    /// not run. The date is left to whoever remembers it.
    [[nodiscard]] std::optional<Evidence> evidence(double spent) const;

  private:
    [[nodiscard]] std::optional<std::size_t> leader() const;

    std::vector<Choice> choices_;
    Race race_;
    std::optional<std::size_t> asked_;
    bool in_race_ = false;  ///< what was asked for last
    std::vector<std::vector<double>> times_;
    std::vector<std::string> failures_;  ///< why; empty: it has not failed
};

}  // namespace weft::core
