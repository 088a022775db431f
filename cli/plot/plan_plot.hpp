// A picture of a plan: the layouts that the array goes through, with the stages between them.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace weft::cli {

/// Throws Error(bad_request) that quotes the ending unless it is .svg.
void require_picture_name(const std::string& path);

/// Writes an SVG: one group of class "state" for each state. Throws Error(bad_request) if there are
/// more ranks than can be told apart.
void draw_plan(const std::string& path, const core::Plan& plan);

/// Throws Error(bad_request) that says how the JSON of this command is drawn instead.
[[noreturn]] void series_moved(const std::string& command);

}  // namespace weft::cli
