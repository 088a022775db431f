// SVG as pixels or as pages, where librsvg and cairo are found (WEFT_PNG).
#pragma once

#include <string>

namespace weft::cli {

#ifdef WEFT_WITH_RSVG
inline constexpr bool can_render = true;
#else
inline constexpr bool can_render = false;
#endif

/// The bytes of a file: twice as many pixels along each axis as the picture has units, or one page
/// of its size. Throws Error(system) if that fails, not_available without librsvg.
std::string rendered_png(const std::string& svg);
std::string rendered_pdf(const std::string& svg);

}  // namespace weft::cli
