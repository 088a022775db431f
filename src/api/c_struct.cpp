#include "api/c_struct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "weft/version.hpp"

namespace weft {

namespace {

[[noreturn]] void refuse(const StructType& type, std::size_t given, const char* why) {
    core::bad_request(
        fmt::format("{0}.struct_size is {1}, but weft {2} knows {0} of {3} bytes: {4}; initialise "
                    "it with {5}",
                    type.name, given, version(), type.known, why, type.init));
}

}  // namespace

std::size_t common_bytes(const void* given, const StructType& type) {
    std::size_t size = 0;
    std::memcpy(&size, given, sizeof size);
    if (size < type.least || size % type.alignment != 0) {
        refuse(type, size, "no version had that size");
    }
    if (size <= type.known) return size;
    // More than a page is no struct of a later version, and need not be there to be read.
    constexpr std::size_t most = 4096;
    if (size > most) refuse(type, size, "no version had that size");
    const auto* bytes = static_cast<const unsigned char*>(given);
    const bool zero =
        std::all_of(bytes + type.known, bytes + size, [](unsigned char byte) { return byte == 0; });
    if (!zero) {
        refuse(type, size, "a member that only a later version has is set");
    }
    return type.known;
}

void take_struct(void* result, const void* given, const StructType& type) {
    std::memcpy(result, given, common_bytes(given, type));
    std::memcpy(result, &type.known, sizeof type.known);
}

}  // namespace weft
