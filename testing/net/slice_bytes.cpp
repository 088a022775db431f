#include "testing/net/slice_bytes.hpp"

#include <fmt/format.h>

#include <cstring>

#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Calls visit(byte offset) for the elements of a slice in the order in which they travel.
template <class Visit>
void for_elements(const Slice& slice, Index element_bytes, const Visit& visit) {
    const Index count = slice.count();
    for (Index i = 0; i < count; ++i) {
        Index rest = i;
        Index offset = slice.offset;
        for (auto run = slice.runs.rbegin(); run != slice.runs.rend(); ++run) {
            offset += rest % run->extent * run->stride;
            rest /= run->extent;
        }
        visit(offset * element_bytes);
    }
}

}  // namespace

std::vector<std::byte> gathered(const std::vector<Slice>& slices, Index element_bytes,
                                const std::byte* from) {
    std::vector<std::byte> bytes;
    for (const Slice& slice : slices) {
        for_elements(slice, element_bytes, [&](Index offset) {
            bytes.insert(bytes.end(), from + offset, from + offset + element_bytes);
        });
    }
    return bytes;
}

void deliver(const std::vector<std::byte>& bytes, const Message& receive, Index element_bytes,
             int rank, std::byte* to) {
    const auto expected = static_cast<std::size_t>(receive.count() * element_bytes);
    if (bytes.size() != expected) {
        throw Error(ErrorCode::system,
                    fmt::format("rank {} expects {} bytes of rank {} and gets {}", rank, expected,
                                receive.peer, bytes.size()));
    }
    const auto* next = bytes.data();
    for (const Slice& slice : receive.slices) {
        for_elements(slice, element_bytes, [&](Index offset) {
            std::memcpy(to + offset, next, static_cast<std::size_t>(element_bytes));
            next += element_bytes;
        });
    }
}

}  // namespace weft::core
