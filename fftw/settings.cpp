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

Settings read() {
    Settings result;
    const std::string_view mode = variable("WEFT_FFTW");
    if (mode == "off") {
        result.mode = Mode::off;
    } else if (mode == "alone") {
        result.mode = Mode::alone;
    } else if (!mode.empty() && mode != "on") {
        std::fprintf(stderr, "weft: WEFT_FFTW=%s is ignored; say on, off or alone\n",
                     std::string(mode).c_str());
    }
    const std::string_view log = variable("WEFT_FFTW_LOG");
    result.log = !log.empty() && log != "0";
    result.choice = variable("WEFT_FFTW_CHOICE");
    return result;
}

}  // namespace

const Settings& settings() {
    static const Settings result = read();
    return result;
}

}  // namespace weft::fftw
