#include "settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace weft::fftw {

namespace {

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// FFTW's planner has no errors to return, so the program goes on without the value.
void pass_over(const char* name, std::string_view value, const char* allowed) {
    std::fprintf(stderr, "weft: %s is '%s', but can be %s; it is passed over\n", name,
                 std::string(value).c_str(), allowed);
}

Settings read() {
    Settings result;
    const std::string_view mode = variable("WEFT_FFTW");
    if (mode == "off") {
        result.mode = Mode::off;
    } else if (mode == "alone") {
        result.mode = Mode::alone;
    } else if (!mode.empty() && mode != "on") {
        pass_over("WEFT_FFTW", mode, "on, off or alone");
    }
    const std::string_view log = variable("WEFT_FFTW_LOG");
    result.log = log == "1";
    if (!log.empty() && log != "0" && log != "1") pass_over("WEFT_FFTW_LOG", log, "0 or 1");
    result.choice = variable("WEFT_FFTW_CHOICE");
    return result;
}

}  // namespace

const Settings& settings() {
    static const Settings result = read();
    return result;
}

}  // namespace weft::fftw
