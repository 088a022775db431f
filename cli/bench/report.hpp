// What `weft bench` says: a sentence and tables for people, or a JSON document.
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

/// What weft takes, and what it takes of each competitor's time.
std::string bench_verdict(const Comparison& comparison);
/// The verdict, and an object for each contender.
std::string bench_json(const Comparison& comparison);
/// The verdict and tables.
std::string bench_text(const Comparison& comparison);

}  // namespace weft::cli
