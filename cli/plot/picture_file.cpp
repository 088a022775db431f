#include "plot/picture_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.hpp"
#include "measure/files.hpp"
#include "plot/rendered.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

std::string ending_of(const std::string& path) {
    return std::filesystem::path(path).extension().string();
}

}  // namespace

void require_picture_name(const std::string& path) {
    const std::string ending = ending_of(path);
    if (ending == ".svg") return;
    if (ending != ".png" && ending != ".pdf") {
        core::bad_request(
            fmt::format("--plot {}: the ending '{}' is no format of pictures; give {}", path,
                        ending, can_render ? ".svg, .png or .pdf" : ".svg"));
    }
    if (!can_render) {
        throw Error(ErrorCode::not_available,
                    fmt::format("--plot {}: this build writes .svg; built without librsvg, {} is "
                                "not available",
                                path, ending));
    }
}

void write_picture(const std::string& path, const std::string& svg) {
    require_picture_name(path);
    const std::string ending = ending_of(path);
    if (ending == ".svg") {
        write_file(path, svg);
    } else {
        write_file(path, ending == ".png" ? rendered_png(svg) : rendered_pdf(svg));
    }
}

std::string picture_endings() { return can_render ? ".svg, .png or .pdf" : ".svg"; }

}  // namespace weft::cli
