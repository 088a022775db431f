#include "plot/colour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace weft::cli {

namespace {

/// Linear light to the 8 bits of sRGB.
int channel(double linear) {
    const double light = std::clamp(linear, 0.0, 1.0);
    const double encoded =
        light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * encoded));
}

}  // namespace

Colour rank_colour(int rank, int ranks) {
    // Blue comes first. With an odd number of ranks the last is beside the first, so there are
    // three levels.
    constexpr std::array<double, 3> levels = {0.66, 0.80, 0.73};
    const auto level = static_cast<std::size_t>(ranks % 2 == 1 && rank == ranks - 1 ? 2 : rank % 2);
    const double turn = 0.70 + static_cast<double>(rank) / std::max(ranks, 1);
    return {levels[level], 0.115, turn - std::floor(turn)};
}

std::string to_string(const Colour& colour) {
    const double angle = 2 * 3.14159265358979323846 * colour.hue;
    const double a = colour.chroma * std::cos(angle);
    const double b = colour.chroma * std::sin(angle);
    // OKLab to linear sRGB.
    const double l = std::pow(colour.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(colour.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(colour.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return fmt::format("#{:02x}{:02x}{:02x}",
                       channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                       channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                       channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

}  // namespace weft::cli
