// The kernel that transforms lines.
#pragma once

#include "device/gpu/access.hpp"
#include "device/gpu/butterfly.hpp"
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
WEFT_DEVICE_CODE std::byte* segment_begin(const LineArguments& args, const LineSide& side,
                                          const SegmentEntry& segment, std::uint32_t number,
                                          const LinesAt& at) {
    Index offset = segment.begin + at.lane * segment.lane_step;
    const Index* strides = side.strides + std::size_t{number} * args.loops.count;
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

/// The lines of a block in global memory. With Many segments, where each begins is in shared
/// memory.
template <bool Many>
struct GlobalLines {
    const LineSide& side;
    std::byte* const* begins;
    std::byte* begin;

    WEFT_DEVICE_CODE std::byte* address(std::uint32_t element, std::uint32_t lane) const {
        if constexpr (!Many) {
            return begin + element * side.only.step + lane * side.only.lane_step;
        } else {
            const std::uint32_t number = side.segment_of[element];
            const SegmentEntry& segment = side.segment[number];
            return begins[number] + element * segment.step + lane * segment.lane_step;
        }
    }
};

template <class Real>
WEFT_DEVICE_CODE Complex<Real> load_complex(const std::byte* address, bool narrow) {
    if (narrow) return {load<Real>(address), load<Real>(address + sizeof(Real))};
    return load<Complex<Real>>(address);
}

/// What the first pass reads: complex lines, real ones, or the half that there is of complex ones.
template <class Real, bool Reals, bool Many>
struct ReadLines {
    const LineArguments& args;
    GlobalLines<Many> lines;
    std::uint32_t count;  ///< of lanes

    WEFT_DEVICE_CODE Complex<Real> operator()(std::uint32_t element, std::uint32_t lane) const {
        if (lane >= count) return {0, 0};
        const Complex<Real> value = read(element, lane);
        return args.backward ? Complex<Real>{value.im, value.re} : value;
    }

  private:
    WEFT_DEVICE_CODE Complex<Real> read(std::uint32_t element, std::uint32_t lane) const {
        if constexpr (Reals) {
            if (args.kind == Kind::r2c) return {load<Real>(lines.address(element, lane)), 0};
            if (2 * element > args.length) {
                const Complex<Real> mirrored = load_complex<Real>(
                    lines.address(args.length - element, lane), args.from.narrow);
                return {mirrored.re, -mirrored.im};
            }
        }
        return load_complex<Real>(lines.address(element, lane), args.from.narrow);
    }
};

template <class Real, bool Reals, bool Many>
struct WriteLines {
    const LineArguments& args;
    GlobalLines<Many> lines;
    std::uint32_t count;

    WEFT_DEVICE_CODE void operator()(std::uint32_t element, std::uint32_t lane,
                                     const Complex<Real>& result) const {
        if (lane >= count) return;
        if constexpr (Reals) {
            // Backward, the real part is where the imaginary one is otherwise.
            if (args.kind == Kind::c2r) return store(lines.address(element, lane), result.im);
            if (2 * element > args.length) return;
        }
        const Complex<Real> value = args.backward ? Complex<Real>{result.im, result.re} : result;
        std::byte* address = lines.address(element, lane);
        if (args.to.narrow) {
            store(address, value.re);
            store(address + sizeof(Real), value.im);
        } else {
            store(address, value);
        }
    }
};

/// Lines in shared memory, where rows of 8 are one number apart from each other, so that strides of
/// powers of two meet all banks.
template <class Real>
struct SharedLines {
    Complex<Real>* values;
    std::uint32_t pitch;
    std::uint32_t pad_shift;

    WEFT_DEVICE_CODE Complex<Real>& at(std::uint32_t element, std::uint32_t lane) const {
        return values[lane * pitch + element + (element >> pad_shift)];
    }
    WEFT_DEVICE_CODE Complex<Real> operator()(std::uint32_t element, std::uint32_t lane) const {
        return at(element, lane);
    }
    WEFT_DEVICE_CODE void operator()(std::uint32_t element, std::uint32_t lane,
                                     const Complex<Real>& value) const {
        at(element, lane) = value;
    }
};

/// The butterfly and the lane of that number in a pass; false if there is none.
WEFT_DEVICE_CODE bool butterfly_of(const LineArguments& args, const LinePass& pass,
                                   bool lanes_first, std::uint32_t number, std::uint32_t& butterfly,
                                   std::uint32_t& lane) {
    if (number >= pass.butterflies.divisor() << args.lanes_log2) return false;
    if (lanes_first) {
        butterfly = number >> args.lanes_log2;
        lane = number & ((std::uint32_t{1} << args.lanes_log2) - 1);
    } else {
        butterfly = number;
        lane = pass.butterflies.split(butterfly);
    }
    return true;
}

/// One pass over all lines of the block. If it reads and writes the same memory, all threads have
/// read before one writes.
template <class Real, int Radix, bool Same, class Source, class Sink>
WEFT_DEVICE_CODE void do_pass(const LineArguments& args, const LinePass& pass, bool lanes_first,
                              const Source& source, const Sink& sink) {
    constexpr int held = held_butterflies(Radix);
    Complex<Real> x[held][Radix] = {};
    std::uint32_t butterfly[held] = {};
    std::uint32_t lane[held] = {};
    bool there[held];
    WEFT_UNROLL
    for (int q = 0; q < held; ++q) {
        there[q] = butterfly_of(args, pass, lanes_first, threadIdx.x + q * blockDim.x, butterfly[q],
                                lane[q]);
        if (!there[q]) continue;
        WEFT_UNROLL
        for (int t = 0; t < Radix; ++t) {
            x[q][t] = source(butterfly[q] + t * pass.butterflies.divisor(), lane[q]);
        }
    }
    if constexpr (Same) __syncthreads();
    const auto* twiddles = reinterpret_cast<const Complex<Real>*>(args.twiddles) + pass.twiddles;
    const std::uint32_t before = pass.before.divisor();
    WEFT_UNROLL
    for (int q = 0; q < held; ++q) {
        if (!there[q]) continue;
        std::uint32_t j = butterfly[q];
        const std::uint32_t first = pass.before.split(j) * before * Radix + j;
        if (before > 1) {
            WEFT_UNROLL
            for (int t = 1; t < Radix; ++t) x[q][t] = x[q][t] * twiddles[(t - 1) * before + j];
        }
        Butterfly<Radix>::transform(x[q]);
        WEFT_UNROLL
        for (int t = 0; t < Radix; ++t) sink(first + t * before, lane[q], x[q][t]);
    }
}

template <class Real, bool Same, class Source, class Sink>
WEFT_DEVICE_CODE void do_any_pass(const LineArguments& args, const LinePass& pass, bool lanes_first,
                                  const Source& source, const Sink& sink) {
    switch (pass.radix) {
        case 2:
            return do_pass<Real, 2, Same>(args, pass, lanes_first, source, sink);
        case 3:
            return do_pass<Real, 3, Same>(args, pass, lanes_first, source, sink);
        case 4:
            return do_pass<Real, 4, Same>(args, pass, lanes_first, source, sink);
        case 5:
            return do_pass<Real, 5, Same>(args, pass, lanes_first, source, sink);
        case 7:
            return do_pass<Real, 7, Same>(args, pass, lanes_first, source, sink);
        case 8:
            return do_pass<Real, 8, Same>(args, pass, lanes_first, source, sink);
        default:
            return do_pass<Real, 1, Same>(args, pass, lanes_first, source, sink);
    }
}

template <class Real, class Source, class Sink>
WEFT_DEVICE_CODE void do_passes(const LineArguments& args, const Source& source, const Sink& sink,
                                Complex<Real>* values) {
    const int last = args.passes - 1;
    if (last == 0) {
        return do_any_pass<Real, false>(args, args.pass[0], args.from.lanes_first, source, sink);
    }
    const SharedLines<Real> shared{values, args.pitch, args.pad_shift};
    do_any_pass<Real, false>(args, args.pass[0], args.from.lanes_first, source, shared);
    __syncthreads();
    for (int p = 1; p < last; ++p) {
        do_any_pass<Real, true>(args, args.pass[p], false, shared, shared);
        __syncthreads();
    }
    do_any_pass<Real, false>(args, args.pass[last], args.to.lanes_first, shared, sink);
}

/// Where the segments of a side begin for the block, written by its threads together.
WEFT_DEVICE_CODE void find_segments(const LineArguments& args, const LineSide& side,
                                    const LinesAt& at, std::byte** begins) {
    for (std::uint32_t s = threadIdx.x; s < side.segments; s += blockDim.x) {
        begins[s] = segment_begin(args, side, side.segment[s], s, at);
    }
}

template <class Real, bool Reals, bool Many>
WEFT_KERNEL void WEFT_THREADS(most_line_threads, 1)
    do_lines(const WEFT_CONSTANT_ARGUMENT LineArguments given) {
    const LineArguments& args = where_launched(given);
    auto* values = shared_array<Complex<Real>>();
    auto** begins =
        reinterpret_cast<std::byte**>(values + (std::size_t{args.pitch} << args.lanes_log2));
    const LinesAt at = lines_at(args, blockIdx.x);
    ReadLines<Real, Reals, Many> source{args, {args.from, begins, nullptr}, at.count};
    WriteLines<Real, Reals, Many> sink{
        args, {args.to, begins + args.from.segments, nullptr}, at.count};
    if constexpr (Many) {
        find_segments(args, args.from, at, begins);
        find_segments(args, args.to, at, begins + args.from.segments);
        __syncthreads();
    } else {
        source.lines.begin = segment_begin(args, args.from, args.from.only, 0, at);
        sink.lines.begin = segment_begin(args, args.to, args.to.only, 0, at);
    }
    do_passes(args, source, sink, values);
}

/// Puts addresses into a table.
template <class Address>
WEFT_KERNEL void WEFT_THREADS(carried_places, 1)
    set_places(const PlaceAddresses from, Address* table) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < from.count) table[from.first + i] = from.address[i];
}

void launch_places(const PlaceAddresses& addresses, std::byte** table, cudaStream_t stream) {
    launch({1, carried_places, 0, stream}, &set_places<std::byte*>, addresses, table);
}

template <class Real>
void launch_lines_of(const LineArguments& args, const Launch& how) {
    const bool reals = args.kind != Kind::c2c;
    const bool many = args.from.segments > 1 || args.to.segments > 1;
    if (reals && many) {
        launch(how, &do_lines<Real, true, true>, args);
    } else if (reals) {
        launch(how, &do_lines<Real, true, false>, args);
    } else if (many) {
        launch(how, &do_lines<Real, false, true>, args);
    } else {
        launch(how, &do_lines<Real, false, false>, args);
    }
}

void launch_lines(Precision precision, const LineArguments& arguments, const LineLaunch& how,
                  cudaStream_t stream) {
    const Launch launch{arguments.blocks, how.threads, how.shared_bytes, stream};
    if (precision == Precision::f64) {
        launch_lines_of<double>(arguments, launch);
    } else {
        launch_lines_of<float>(arguments, launch);
    }
}

}  // namespace weft::core::WEFT_GPU_TARGET
