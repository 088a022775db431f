// What `weft bench` says: a table for people, or one JSON object a line.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "measure/contender.hpp"
#include "measure/machine.hpp"
#include "measure/quartiles.hpp"
#include "weft/problem.hpp"

namespace weft::cli {

/// Of one contender; arrays hold forward and backward.
struct Measurement {
    Description how;
    std::array<Quartiles, 2> seconds;
    std::array<std::optional<Profile>, 2> profile;
};

/// Of one problem; weft comes first.
struct Comparison {
    Problem problem;
    int ranks = 1;
    int repeat = 0;
    Machine machine;
    std::vector<Measurement> measurements;
};

/// One line for each contender.
std::string json_lines(const Comparison& comparison);
std::string table(const Comparison& comparison);

}  // namespace weft::cli
