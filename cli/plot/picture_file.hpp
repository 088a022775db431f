// Pictures in files, in the format that the ending of the file's name says.
#pragma once

#include <string>

namespace weft::cli {

/// Throws Error(bad_request) that quotes the ending unless it is .svg, .png or .pdf, and
/// Error(not_available) if this build cannot write it. Said before anything is computed.
void require_picture_name(const std::string& path);

/// Writes a picture, given as SVG. Throws as require_picture_name and write_file do.
void write_picture(const std::string& path, const std::string& svg);

/// What --plot takes, for help.
std::string picture_endings();

}  // namespace weft::cli
