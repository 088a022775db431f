// What the kernel that transforms lines is told.
//
// A block of threads transforms up to 2^lanes_log2 lines side by side in one step of the loops. The
// first pass reads them from global memory, passes hand on values through shared memory, and the
// last one writes them to global memory: nothing else is read or written there but tables. A pass
// of radix r after passes of product s has n/r butterflies (Stockham's order). Butterfly number
// b = block*s + j takes elements b + t*n/r, t < r, times exp(-2 pi i jt/(rs)), and gives elements
// block*s*r + j + t*s.
//
// Lengths of line_shape.hpp have kernels that are compiled for them, which know their passes; all
// others a kernel that is told them.
//
// Example: n = 12 in passes of radices 4 and 3. Pass 0 has 3 butterflies; number 1 takes elements
// 1, 4, 7, 10 and gives elements 4 to 7. Pass 1 has 4; number 1 takes elements 1, 5, 9, the second
// times exp(-2 pi i/12), and gives elements 1, 5, 9.
#pragma once

#include <cstdint>

#include "base/transforms.hpp"
#include "device/gpu/divider.hpp"

namespace weft::core::WEFT_GPU_TARGET {

inline constexpr Index longest_line = 4096;
inline constexpr int most_passes = 8;
/// Places whose addresses a launch carries; more are put into device memory first.
inline constexpr int carried_places = 64;
/// Of a block, where the kernel is told the length. 4032 = 7 * 576: no line has more for itself.
inline constexpr int most_line_threads = 576;
/// Of a block, where the kernel is compiled for the length.
inline constexpr int most_fixed_threads = 512;

inline constexpr int most_line_loops = 8;

/// Butterflies of a radix that a thread of a kernel that is told the length holds at once: at most
/// 8 complex numbers.
WEFT_BOTH_CODE constexpr int held_butterflies(int radix) {
    return radix == 1 ? 8 : radix == 2 ? 4 : radix <= 4 ? 2 : 1;
}

struct LinePass {
    int radix = 1;
    Divider butterflies;         ///< of a line: n/radix
    Divider before;              ///< product of the radices of the passes before
    std::uint32_t twiddles = 0;  ///< where they begin in the table: for t = 1.., for j < before
};

/// A segment of lines; offsets and strides in bytes.
struct SegmentEntry {
    Index begin = 0;  ///< of element 0 of lane 0, if the segment reached so far
    Index step = 0;
    Index lane_step = 0;
    std::uint32_t place = 0;
};

/// How lines are read or written.
struct LineSide {
    bool lanes_first = false;  ///< neighbouring threads have neighbouring lanes, not elements
    bool narrow = false;       ///< number by number: elements are not aligned to their size
    std::uint32_t segments = 1;
    SegmentEntry only{};                        ///< if there is one; then the following too
    Index only_strides[most_line_loops] = {};   ///< by loop, bytes: they come with the launch
    const SegmentEntry* segment = nullptr;      ///< table of them
    const std::uint16_t* segment_of = nullptr;  ///< of each element
    const Index* strides = nullptr;             ///< [segment][loop], bytes

    template <class Reach>
    void reach(const Reach& reach) {
        segment = reach(segment);
        segment_of = reach(segment_of);
        strides = reach(strides);
    }
};

/// Elements in shared memory after which there is a gap, by the radix of the first pass: its
/// results, which are so far apart, are in other banks then.
WEFT_BOTH_CODE constexpr int gap_log2(int first_radix) { return first_radix == 16 ? 4 : 3; }
inline constexpr int told_gap_log2 = gap_log2(8);

/// Where elements of lines are in shared memory, in complex numbers and without the gaps: of
/// neighbouring lanes side by side, or of neighbouring elements, as threads read and write them.
struct SharedLayout {
    std::uint32_t element = 1;  ///< from one element to the next
    std::uint32_t lane = 1;
    std::uint32_t gap = 0;
    std::uint32_t numbers = 0;  ///< of all lines, with the gaps
};

struct LineLoops {
    int count = 0;
    Divider extent[most_line_loops];  ///< fastest first
};

struct LineArguments {
    LineLoops loops{};
    Divider lane_blocks;  ///< in a step of the loops
    std::uint32_t blocks = 0;
    std::uint32_t lanes = 1;
    std::uint32_t lanes_log2 = 0;  ///< of a block
    std::uint32_t length = 1;
    Kind kind = Kind::c2c;
    bool backward = false;  ///< by exchanging real and imaginary parts
    int passes = 1;         ///< of a kernel that is told them
    LinePass pass[most_passes];
    SharedLayout shared{};
    const std::byte* twiddles = nullptr;
    LineSide from{};
    LineSide to{};
    std::byte* place[carried_places] = {};
    std::byte* const* places = nullptr;  ///< in device memory, instead; null: those carried

    template <class Reach>
    void reach(const Reach& reach) {
        twiddles = reach(twiddles);
        from.reach(reach);
        to.reach(reach);
        for (std::byte*& address : place) address = reach(address);
        places = reach(places);
    }
};

/// How lines are transformed in a block.
struct LineLaunch {
    unsigned threads = 1;
    std::size_t shared_bytes = 0;
};

/// By the kernel that is told the length.
void launch_lines(Precision precision, const LineArguments& arguments, const LineLaunch& how,
                  cudaStream_t stream);
/// By the kernel that is compiled for the length, one of line_shape.hpp; elements have to be
/// aligned.
void launch_fixed_lines(Precision precision, const LineArguments& arguments, const LineLaunch& how,
                        cudaStream_t stream);
template <class Real>
void launch_fixed_lines_of(const LineArguments& arguments, const LineLaunch& how,
                           cudaStream_t stream);

/// Some addresses, to be put into a table in device memory from number `first` on.
struct PlaceAddresses {
    int first = 0;
    int count = 0;
    std::byte* address[carried_places] = {};

    template <class Reach>
    void reach(const Reach& reach) {
        for (std::byte*& each : address) each = reach(each);
    }
};
void launch_places(const PlaceAddresses& addresses, std::byte** table, cudaStream_t stream);

}  // namespace weft::core::WEFT_GPU_TARGET
