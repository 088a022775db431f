#include "measure/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "api/text_file.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
    throw Error(ErrorCode::system, fmt::format("'{}' could not be {}: {}", path, what,
                                               std::generic_category().message(errno)));
}

}  // namespace

void say_error(const std::string& text) { (void)std::fputs(text.c_str(), stderr); }

void write_file(const std::string& path, const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file != nullptr) written = std::fclose(file) == 0 && written;
    if (!written) fail(path, "written");
}

std::string read_file(const std::string& path) { return read_existing_text_file(path); }

}  // namespace weft::cli
