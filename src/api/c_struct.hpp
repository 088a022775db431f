// Structs of the C interface that grow: callers may know fewer members than the library, or more.
#pragma once

#include <cstddef>

namespace weft {

/// A struct that callers fill: its name, the size that the library knows, the least size that has
/// the members without which it means nothing, and its alignment.
struct StructType {
    const char* name;
    const char* init;  ///< the initialiser of weft.h
    std::size_t known;
    std::size_t least;
    std::size_t alignment;
};

/// How many bytes of a caller's struct, which begins with its size, the library and the caller both
/// know. Throws Error(bad_request), which quotes both sizes, if the size is no size of the struct
/// in any version, or if it is larger and a byte beyond those that are known is not zero: the
/// caller asks for something that this library cannot do.
///
/// Example: the library knows 120 bytes. A caller built with 112 gets 112, and the library's
/// default for the last member; one built with 128 gets 120 if its bytes 120 to 127 are zero.
std::size_t common_bytes(const void* given, const StructType& type);

/// The caller's struct, with the defaults that `result` holds for members the caller does not know.
void take_struct(void* result, const void* given, const StructType& type);

}  // namespace weft
