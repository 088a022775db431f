// What kernels that transform lines are made of.
#pragma once

#include <type_traits>

#include "device/gpu/butterfly.hpp"
#include "device/gpu/line_access.hpp"
#include "device/gpu/line_tables.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Which lines a block has in hand.
struct LinesAt {
    std::uint32_t step = 0;   ///< of the loops
    std::uint32_t lane = 0;   ///< the first
    std::uint32_t count = 0;  ///< of lanes
};

WEFT_DEVICE_CODE LinesAt lines_at(const LineArguments& args, std::uint32_t block) {
    std::uint32_t lane_block = block;
    const std::uint32_t step = args.lane_blocks.split(lane_block);
    const std::uint32_t lane = lane_block << args.lanes_log2;
    const std::uint32_t most = std::uint32_t{1} << args.lanes_log2;
    return {step, lane, args.lanes - lane < most ? args.lanes - lane : most};
}

/// Where element 0 of the block's first lane would be, if the segment reached so far.
/// `strides`: by loop.
WEFT_DEVICE_CODE std::byte* segment_begin(const LineArguments& args, const SegmentEntry& segment,
                                          const Index* strides, const LinesAt& at) {
    Index offset = segment.begin + at.lane * segment.lane_step;
    std::uint32_t step = at.step;
    for (int k = 0; k < args.loops.count; ++k) {
        std::uint32_t digit = step;
        step = args.loops.extent[k].split(digit);
        offset += digit * strides[k];
    }
    std::byte* place =
        args.places == nullptr ? args.place[segment.place] : args.places[segment.place];
    return place + offset;
}

/// A pass as a kernel is told it.
template <int Radix>
struct ToldPass {
    static constexpr int radix = Radix;
    static constexpr int held = held_butterflies(Radix);
    const LineArguments& args;
    const LinePass& pass;

    WEFT_DEVICE_CODE std::uint32_t butterflies() const { return pass.butterflies.divisor(); }
    WEFT_DEVICE_CODE std::uint32_t before() const { return pass.before.divisor(); }
    WEFT_DEVICE_CODE std::uint32_t twiddles() const { return pass.twiddles; }
    WEFT_DEVICE_CODE std::uint32_t split_before(std::uint32_t& j) const {
        return pass.before.split(j);
    }
    /// The butterfly and the lane of this thread's number q; false if there is none.
    WEFT_DEVICE_CODE bool find(bool lanes_first, int q, std::uint32_t& butterfly,
                               std::uint32_t& lane) const {
        const std::uint32_t number = threadIdx.x + q * blockDim.x;
        if (number >= butterflies() << args.lanes_log2) return false;
        if (lanes_first) {
            butterfly = number >> args.lanes_log2;
            lane = number & ((std::uint32_t{1} << args.lanes_log2) - 1);
        } else {
            butterfly = number;
            lane = pass.butterflies.split(butterfly);
        }
        return true;
    }
};

/// One pass over all lines of the block. If it reads and writes the same memory, all threads have
/// read before one writes.
template <class Real, bool Same, class Pass, class Source, class Sink>
WEFT_DEVICE_CODE void do_pass(const LineArguments& args, const Pass& pass, bool lanes_first,
                              const Source& source, const Sink& sink) {
    constexpr int held = Pass::held;
    constexpr int radix = Pass::radix;
    Complex<Real> x[held][radix] = {};
    std::uint32_t butterfly[held] = {};
    std::uint32_t lane[held] = {};
    bool there[held];
    WEFT_UNROLL
    for (int q = 0; q < held; ++q) {
        there[q] = pass.find(lanes_first, q, butterfly[q], lane[q]);
        if (!there[q]) continue;
        const auto row = source.row(butterfly[q], pass.butterflies(), lane[q]);
        WEFT_UNROLL
        for (int t = 0; t < radix; ++t) x[q][t] = row(t);
    }
    if constexpr (Same) __syncthreads();
    const auto* twiddles = reinterpret_cast<const Complex<Real>*>(args.twiddles) + pass.twiddles();
    WEFT_UNROLL
    for (int q = 0; q < held; ++q) {
        if (!there[q] || !sink.takes(lane[q])) continue;
        std::uint32_t j = butterfly[q];
        const std::uint32_t first = pass.split_before(j) * pass.before() * radix + j;
        if (pass.before() > 1) {
            WEFT_UNROLL
            for (int t = 1; t < radix; ++t) {
                x[q][t] = x[q][t] * twiddles[(t - 1) * pass.before() + j];
            }
        }
        Butterfly<radix>::transform(x[q]);
        const auto row = sink.row(first, pass.before(), lane[q]);
        WEFT_UNROLL
        for (int t = 0; t < radix; ++t) row(t, x[q][t]);
    }
}

template <class Real, bool Same, class Source, class Sink>
WEFT_DEVICE_CODE void do_told_pass(const LineArguments& args, const LinePass& pass,
                                   bool lanes_first, const Source& source, const Sink& sink) {
    const auto of = [&](const auto& told) {
        do_pass<Real, Same>(args, told, lanes_first, source, sink);
    };
    switch (pass.radix) {
        case 2:
            return of(ToldPass<2>{args, pass});
        case 3:
            return of(ToldPass<3>{args, pass});
        case 4:
            return of(ToldPass<4>{args, pass});
        case 5:
            return of(ToldPass<5>{args, pass});
        case 7:
            return of(ToldPass<7>{args, pass});
        case 8:
            return of(ToldPass<8>{args, pass});
        default:
            return of(ToldPass<1>{args, pass});
    }
}

/// The passes that a kernel is told.
struct ToldPasses {
    static constexpr bool aligned = false;

    template <class Real, class Source, class Sink>
    WEFT_DEVICE_CODE static void run(const LineArguments& args, const Source& source,
                                     const Sink& sink, Complex<Real>* values) {
        const int last = args.passes - 1;
        if (last == 0) {
            return do_told_pass<Real, false>(args, args.pass[0], args.from.lanes_first, source,
                                             sink);
        }
        const SharedLines<Real, told_gap_log2> shared{values, args.shared};
        const bool lanes_first = args.from.lanes_first;
        do_told_pass<Real, false>(args, args.pass[0], lanes_first, source, shared);
        __syncthreads();
        for (int p = 1; p < last; ++p) {
            do_told_pass<Real, true>(args, args.pass[p], lanes_first, shared, shared);
            __syncthreads();
        }
        do_told_pass<Real, false>(args, args.pass[last], args.to.lanes_first, shared, sink);
    }
};

/// Where the segments of a side begin for the block, written by its threads together.
WEFT_DEVICE_CODE void find_segments(const LineArguments& args, const LineSide& side,
                                    const LinesAt& at, std::byte** begins) {
    for (std::uint32_t s = threadIdx.x; s < side.segments; s += blockDim.x) {
        begins[s] = segment_begin(args, side.segment[s],
                                  side.strides + std::size_t{s} * args.loops.count, at);
    }
}

/// What a kernel does for lines in the passes of that name.
template <class Passes, class Real, Kind kind, bool Many>
WEFT_DEVICE_CODE void do_lines_in(const LineArguments& args) {
    auto* values = shared_array<Complex<Real>>();
    auto** begins = reinterpret_cast<std::byte**>(values + args.shared.numbers);
    const LinesAt at = lines_at(args, blockIdx.x);
    ReadLines<Real, kind, Many, Passes::aligned> source{
        args, {args.from, begins, nullptr}, at.count};
    WriteLines<Real, kind, Many, Passes::aligned> sink{
        args, {args.to, begins + args.from.segments, nullptr}, at.count};
    if constexpr (Many) {
        find_segments(args, args.from, at, begins);
        find_segments(args, args.to, at, begins + args.from.segments);
        __syncthreads();
    } else {
        source.lines.begin = segment_begin(args, args.from.only, args.from.only_strides, at);
        sink.lines.begin = segment_begin(args, args.to.only, args.to.only_strides, at);
    }
    Passes::run(args, source, sink, values);
}

/// Calls `kernel` with the kind of the lines and whether there are several segments, as types of
/// their values.
template <class Kernel>
void with_variant(const LineArguments& args, const Kernel& kernel) {
    const auto with_kind = [&](auto many) {
        switch (args.kind) {
            case Kind::r2c:
                return kernel(std::integral_constant<Kind, Kind::r2c>{}, many);
            case Kind::c2r:
                return kernel(std::integral_constant<Kind, Kind::c2r>{}, many);
            default:
                return kernel(std::integral_constant<Kind, Kind::c2c>{}, many);
        }
    };
    if (args.from.segments > 1 || args.to.segments > 1) return with_kind(std::true_type{});
    with_kind(std::false_type{});
}

}  // namespace weft::core::WEFT_GPU_TARGET
