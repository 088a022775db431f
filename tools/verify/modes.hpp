// Which modes a spectrum keeps, in the words of docs/layout.md; engines and plans do not look here.
#pragma once

#include <cstdlib>

#include "plan/problem.hpp"

namespace weft::core {

/// The modes that a spectrum keeps of one axis of n.
struct Modes {
    Index n = 1;
    Index m = 1;
    bool r2c = false;
    EvenModes rule = EvenModes::split;

    /// Whether a mode has its value together with the opposite one, or is left out with it.
    [[nodiscard]] bool is_shared(Index mode) const {
        return m < n && m % 2 == 0 && std::abs(mode) == m / 2 && rule != EvenModes::keep;
    }
    /// How many values there are.
    [[nodiscard]] Index count() const { return r2c ? m / 2 + 1 : m; }
    /// The mode of value i: 0, 1, .., then, unless of an r2c axis, the negative ones up to -1.
    [[nodiscard]] Index mode(Index i) const { return r2c || 2 * i < m ? i : i - m; }
    /// Where a mode is in a line of n.
    [[nodiscard]] std::size_t place(Index mode) const {
        return static_cast<std::size_t>((mode + n) % n);
    }
};

inline Modes modes_of(const Problem& problem, int axis) {
    const auto a = static_cast<std::size_t>(axis);
    const Index n = problem.shape[a];
    return {n, problem.modes.empty() ? n : problem.modes[a], axis == r2c_axis_of(problem),
            problem.even_modes};
}

}  // namespace weft::core
