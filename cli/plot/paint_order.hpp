// Which box is drawn before which, so that nearer ones cover those behind them.
#pragma once

#include <vector>

#include "weft/box.hpp"

namespace weft::cli {

/// A box of a rank, or a part of it.
struct Piece {
    Box part;
    Box whole;
    int rank = 0;
};

/// Disjoint pieces of three axes from back to front. The eye is where axes 0 and 2 are large and
/// axis 1 is small. Pieces that lie behind each other in a circle are cut apart.
std::vector<Piece> paint_order(const std::vector<Piece>& pieces);

}  // namespace weft::cli
