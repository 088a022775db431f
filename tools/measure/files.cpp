#include "measure/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
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

void replace_file(const std::string& path, const std::string& text) {
    const bool is_device = std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
    if (is_device) return write_file(path, text);
    replace_text_file(path, text);
}

void require_writable(const std::string& path) {
    const bool was_there = std::filesystem::exists(path);
    std::FILE* file = std::fopen(path.c_str(), "a");
    if (file == nullptr) fail(path, "written");
    (void)std::fclose(file);
    if (!was_there) (void)std::remove(path.c_str());
}

std::string read_file(const std::string& path) { return read_existing_text_file(path); }

}  // namespace weft::cli
