// One item of a choice's text, for the texts that contain a choice.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "weft/choice.hpp"

namespace weft::core {

/// Throws Error(bad_request) if an item of that name was seen before; remembers it.
void check_not_repeated(std::string_view item, std::set<std::string>& seen);

/// Reads `via=alltoallw` into the choice; throws Error(bad_request) if it is not understood.
void parse_choice_item(std::string_view item, Choice& choice);

/// Throws Error(bad_request) that quotes a value that no tiling has.
void validate(const Tiling& tiling);

/// Throws Error(bad_request) that quotes a value that no tuning has.
void validate(const Tuning& tuning);
/// Whether it times something, or asks what is known where it runs.
bool needs_ranks(const Tuning& tuning);

/// The method of the move of that number; empty if the choice leaves it open.
const std::string& via_of(const Choice& choice, int move);

}  // namespace weft::core
