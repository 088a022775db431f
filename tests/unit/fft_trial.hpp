// A task of the serial engines with its data and what must become of it by the DFT's definition.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "fft/engine.hpp"
#include "property/whole_array.hpp"

namespace weft::core::test {

/// One side of a task in memory.
struct Side {
    bool complex = true;
    Precision precision = Precision::f64;
    std::vector<Index> extents;  ///< of the transformed axes, then of the looped ones
    std::vector<Index> strides;
    Index elements = 1;

    [[nodiscard]] Index count() const;
    [[nodiscard]] Index bytes() const;
    [[nodiscard]] Index place(Index number) const;
    void store(const Whole& whole, std::byte* memory) const;
    [[nodiscard]] Whole load(const std::byte* memory) const;
    /// Which bytes belong to the side's elements.
    [[nodiscard]] std::vector<bool> owned() const;
    /// Makes it dense, the order of the axes given.
    void set_dense(const std::vector<std::size_t>& slowest_first);
};

struct Trial {
    FftTask task;
    Side from;
    Side to;
    Whole input;
    Whole expected;
};

inline const std::vector<AxisKind> real_kinds = {AxisKind::dct1, AxisKind::dct2, AxisKind::dct3,
                                                 AxisKind::dct4, AxisKind::dst1, AxisKind::dst2,
                                                 AxisKind::dst3, AxisKind::dst4};

/// The names of all engines that are.
std::vector<std::string> built_in();

std::string text_of(const FftTask& task);

/// The data and the frequencies of a random problem on these extents, and sides without strides.
void draw_values(Random& random, Trial& trial, const std::vector<Index>& extents);
/// The task's strides, once those of the sides are known.
void set_loops(Trial& trial);
/// Any kind, up to three transformed and three looped dimensions, random strides and gaps.
Trial random_trial(Random& random);

/// Plans and executes twice; fails the test (fatally) if the result is not what is expected, or if
/// bytes change that must not.
void check(const FftEngine& engine, Effort effort, const Trial& trial);

}  // namespace weft::core::test
