#include <bit>
#include <cstdint>

#include "base/index.hpp"
#include "kernels/copy.hpp"

namespace weft::core {

namespace {

/// The upper half of a float: eight bits of the significand.
using Bf16 = std::uint16_t;

Bf16 rounded(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t to_nearest = 0x7fff + (bits >> 16 & 1);
    // A NaN stays one, whichever of its bits are cut off.
    const std::uint32_t result = number == number ? bits + to_nearest : bits | 0x400000;
    return static_cast<Bf16>(result >> 16);
}

void convert(const double* from, float* to, Index count) {
    for (Index i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
}
void convert(const float* from, double* to, Index count) {
    for (Index i = 0; i < count; ++i) to[i] = from[i];
}
void convert(const float* from, Bf16* to, Index count) {
    for (Index i = 0; i < count; ++i) to[i] = rounded(from[i]);
}
void convert(const Bf16* from, float* to, Index count) {
    for (Index i = 0; i < count; ++i) to[i] = std::bit_cast<float>(std::uint32_t{from[i]} << 16);
}

/// The runs of the slice from `level` on, slowest first.
template <class From, class To>
void convert_runs(const From* from, To* to, const Slice& slice, std::size_t level) {
    if (level == slice.runs.size()) return convert(from, to, 1);
    const Run& run = slice.runs[level];
    if (level + 1 == slice.runs.size() && run.stride == 1) return convert(from, to, run.extent);
    for (Index i = 0; i < run.extent; ++i) {
        convert_runs(from + i * run.stride, to + i * run.stride, slice, level + 1);
    }
}

template <class From, class To>
void convert_slice(const std::byte* from, std::byte* to, const Slice& slice) {
    convert_runs(reinterpret_cast<const From*>(from) + slice.offset,
                 reinterpret_cast<To*>(to) + slice.offset, slice, 0);
}

}  // namespace

void halve(Precision precision, const std::byte* from, std::byte* to, const Slice& slice) {
    if (precision == Precision::f64) return convert_slice<double, float>(from, to, slice);
    convert_slice<float, Bf16>(from, to, slice);
}

void unhalve(Precision precision, const std::byte* from, std::byte* to, const Slice& slice) {
    if (precision == Precision::f64) return convert_slice<float, double>(from, to, slice);
    convert_slice<Bf16, float>(from, to, slice);
}

}  // namespace weft::core
