// Colours that tell ranks apart, for readers who do not tell all hues apart as well.
#pragma once

#include <string>

namespace weft::cli {

/// In OKLCH: equal steps of lightness and hue look equally large.
struct Colour {
    double lightness = 0;  ///< 0 black to 1 white
    double chroma = 0;
    double hue = 0;  ///< in turns
};

/// Hues go once round the circle with the ranks; lightness changes from each rank to the next.
Colour rank_colour(int rank, int ranks);
/// `#rrggbb`.
std::string to_string(const Colour& colour);

}  // namespace weft::cli
