// One item of a choice's text, for the texts that contain a choice.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "weft/choice.hpp"

namespace weft::core {

/// Throws Error(bad_request) if an item of that name was seen before; remembers it.
void check_not_repeated(std::string_view item, std::set<std::string>& seen);

/// Reads `via=alltoallw` into the choice; throws Error(bad_request) if it is not understood.
void parse_choice_item(std::string_view item, Choice& choice);

/// A number of a tiling, by its name in texts.
struct TileNumber {
    std::string_view name;
    std::optional<Index> Tiling::*value;
    Index least;  ///< that it may be
};
/// All of them, in the order of texts; the last four are those of polls.
inline constexpr std::array<TileNumber, 11> tile_numbers = {
    {{"T", &Tiling::tile_extent, 1},
     {"W", &Tiling::tiles_in_flight, 0},
     {"Px", &Tiling::pack_block_across, 1},
     {"Pz", &Tiling::pack_block, 1},
     {"Uy", &Tiling::unpack_block_across, 1},
     {"Uz", &Tiling::unpack_block, 1},
     {"B", &Tiling::fields_together, 1},
     {"Fy", &Tiling::polls_transforming, 0},
     {"Fp", &Tiling::polls_packing, 0},
     {"Fu", &Tiling::polls_unpacking, 0},
     {"Fx", &Tiling::polls_finishing, 0}}};
inline constexpr std::span<const TileNumber> poll_numbers =
    std::span(tile_numbers).subspan(tile_numbers.size() - 4);

/// Throws Error(bad_request) that quotes a value that no decomposition or tiling has.
void validate(const Decomposition& decomposition);
void validate(const Tiling& tiling);

/// The device of a space that is left to the model: the host, or a device.
inline constexpr std::string_view open_space = "auto";

/// Throws Error(bad_request) that quotes a value that no space has.
void validate(const Space& space);
/// Throws Error(bad_request) that quotes a value that no tuning has.
void validate(const Tuning& tuning);
/// Whether the model chooses the whole plan for a machine that is named, without running anything.
bool estimates_for_machine(const Tuning& tuning);
/// Whether it times something, or asks what is known where it runs.
bool needs_ranks(const Tuning& tuning);

/// The method of the redistribution of that number; empty if the choice leaves it open.
const std::string& via_of(const Choice& choice, int redistribution);

}  // namespace weft::core
