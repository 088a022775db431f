// How lines are transformed by kernels that are compiled for their length: known to the compiler,
// so that a kernel has no loop, no division and no multiplication of its own for where elements
// are.
//
// A thread holds 8 complex numbers of a line, or 16 where they are small or lines are long.
// Measured on an H200 (bench/results/gpu_h200.json), lines of 200 in passes of 8, 5 and 5 by 40 threads
// are twice as fast as by 25, of which each would have two butterflies of radix 5.
#pragma once

#include <cstdint>

#include "device/gpu/kernel.hpp"
#include "device/gpu/line_tables.hpp"

namespace weft::core::WEFT_GPU_TARGET {

// The lengths: of the build (WEFT_GPU_LENGTHS), or powers of two, these times 3, 5, 9 and 25, of
// which most grids are made, and 1000, which people choose.
#if defined(WEFT_GPU_LENGTHS_HEADER)
#include WEFT_GPU_LENGTHS_HEADER
#else
#define WEFT_FIXED_LENGTHS(each)                                                                \
    each(16) each(32) each(64) each(128) each(256) each(512) each(1024) each(2048) each(4096)   \
        each(48) each(96) each(192) each(384) each(768) each(1536) each(80) each(160) each(320) \
            each(640) each(1280) each(144) each(288) each(576) each(100) each(200) each(400)    \
                each(800) each(1000)
#endif

/// The passes of a kernel for one length.
struct LineShape {
    int passes = 0;
    int radix[most_passes] = {};
    std::uint32_t threads = 1;  ///< of a line
};

/// Of the passes before number p, their product.
WEFT_BOTH_CODE constexpr std::uint32_t before_pass(const LineShape& shape, int p) {
    std::uint32_t result = 1;
    for (int k = 0; k < p; ++k) result *= static_cast<std::uint32_t>(shape.radix[k]);
    return result;
}

/// Where the twiddle factors of pass p begin in the table (twiddle_table).
WEFT_BOTH_CODE constexpr std::uint32_t twiddles_of_pass(const LineShape& shape, int p) {
    std::uint32_t result = 0;
    for (int k = 1; k < p; ++k) {
        result += before_pass(shape, k) * static_cast<std::uint32_t>(shape.radix[k] - 1);
    }
    return result;
}

/// The complex numbers that a thread holds, of so many bytes each.
WEFT_BOTH_CODE constexpr int held_numbers(std::uint32_t length, int bytes) {
    const bool power = (length & (length - 1)) == 0;
    return length > 512 || (bytes == 8 && power && length >= 128) ? 16 : 8;
}

/// So many factors of 2 as passes of radices to 2^most_bits, as few of them as can be and alike.
WEFT_BOTH_CODE constexpr void take_twos(int bits, int most_bits, LineShape& shape) {
    const int passes = (bits + most_bits - 1) / most_bits;
    for (int i = 0; i < passes; ++i) {
        shape.radix[shape.passes++] = 1 << (bits / passes + (i < bits % passes ? 1 : 0));
    }
}

/// The largest radix first.
WEFT_BOTH_CODE constexpr void sort_radices(LineShape& shape) {
    for (int i = 1; i < shape.passes; ++i) {
        const int radix = shape.radix[i];
        int k = i;
        for (; k > 0 && shape.radix[k - 1] < radix; --k) shape.radix[k] = shape.radix[k - 1];
        shape.radix[k] = radix;
    }
}

/// How many butterflies of a radix a thread has that holds so many numbers.
WEFT_BOTH_CODE constexpr std::uint32_t butterflies_of(int radix, int held) {
    return held > radix ? static_cast<std::uint32_t>(held / radix) : 1;
}

/// Of lines of `length` >= 16, a product of 2, 3, 5 and 7, in complex numbers of so many bytes.
///
/// Example: 1024 is 16 8 8 by 64 threads, and 200 is 8 5 5 by 40.
WEFT_BOTH_CODE constexpr LineShape line_shape(std::uint32_t length, int bytes) {
    const int held = held_numbers(length, bytes);
    LineShape result;
    std::uint32_t rest = length;
    int twos = 0;
    for (; rest % 2 == 0; rest /= 2) ++twos;
    take_twos(twos, held == 16 ? 4 : 3, result);
    for (const std::uint32_t radix : {7U, 5U, 3U}) {
        for (; rest % radix == 0; rest /= radix) {
            result.radix[result.passes++] = static_cast<int>(radix);
        }
    }
    sort_radices(result);
    for (int p = 0; p < result.passes; ++p) {
        const int radix = result.radix[p];
        const std::uint32_t each = butterflies_of(radix, held);
        const std::uint32_t needed = (length / static_cast<std::uint32_t>(radix) + each - 1) / each;
        if (needed > result.threads) result.threads = needed;
    }
    return result;
}

}  // namespace weft::core::WEFT_GPU_TARGET
