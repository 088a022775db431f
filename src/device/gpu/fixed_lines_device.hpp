// Kernels that transform lines of one length each, for which they are compiled: a file that
// includes this instantiates launch_fixed_lines_of for a precision.
#pragma once

#include <stdexcept>

#include "device/gpu/line_device.hpp"
#include "device/gpu/line_shape.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Pass number P of lines of Length, in complex numbers of so many bytes.
template <std::uint32_t Length, int Bytes, int P>
struct FixedPass {
    static constexpr LineShape shape = line_shape(Length, Bytes);
    static_assert(Length >= 16 && Length <= longest_line &&
                      before_pass(shape, shape.passes) == Length,
                  "WEFT_GPU_LENGTHS are products of 2, 3, 5 and 7 from 16 to 4096");
    static constexpr int radix = shape.radix[P];
    static constexpr std::uint32_t of_line = Length / static_cast<std::uint32_t>(radix);
    static constexpr int held = static_cast<int>((of_line + shape.threads - 1) / shape.threads);
    static constexpr std::uint32_t product = before_pass(shape, P);
    static constexpr std::uint32_t table = twiddles_of_pass(shape, P);
    std::uint32_t lanes_log2;

    WEFT_DEVICE_CODE std::uint32_t butterflies() const { return of_line; }
    WEFT_DEVICE_CODE std::uint32_t before() const { return product; }
    WEFT_DEVICE_CODE std::uint32_t twiddles() const { return table; }
    WEFT_DEVICE_CODE std::uint32_t split_before(std::uint32_t& j) const {
        const std::uint32_t block = j / product;
        j %= product;
        return block;
    }
    WEFT_DEVICE_CODE bool find(bool lanes_first, int q, std::uint32_t& butterfly,
                               std::uint32_t& lane) const {
        const std::uint32_t thread = threadIdx.x;
        lane = lanes_first ? thread & ((1U << lanes_log2) - 1) : thread / shape.threads;
        butterfly = (lanes_first ? thread >> lanes_log2 : thread % shape.threads) +
                    static_cast<std::uint32_t>(q) * shape.threads;
        return of_line % shape.threads == 0 || butterfly < of_line;
    }
};

template <std::uint32_t Length, int Bytes>
struct FixedPasses {
    static constexpr bool aligned = true;
    static constexpr int last = line_shape(Length, Bytes).passes - 1;

    template <class Real, class Source, class Sink>
    WEFT_DEVICE_CODE static void run(const LineArguments& args, const Source& source,
                                     const Sink& sink, Complex<Real>* values) {
        const SharedLines<Real, gap_log2(line_shape(Length, Bytes).radix[0])> shared{values,
                                                                                     args.shared};
        const std::uint32_t lanes = args.lanes_log2;
        do_pass<Real, false>(args, FixedPass<Length, Bytes, 0>{lanes}, args.from.lanes_first,
                             source, shared);
        __syncthreads();
        middle<1>(args, shared);
        do_pass<Real, false>(args, FixedPass<Length, Bytes, last>{lanes}, args.to.lanes_first,
                             shared, sink);
    }

  private:
    template <int P, class Real, int Gap>
    WEFT_DEVICE_CODE static void middle(const LineArguments& args,
                                        const SharedLines<Real, Gap>& shared) {
        if constexpr (P < last) {
            do_pass<Real, true>(args, FixedPass<Length, Bytes, P>{args.lanes_log2},
                                args.from.lanes_first, shared, shared);
            __syncthreads();
            middle<P + 1>(args, shared);
        }
    }
};

/// As many registers as two blocks of a multiprocessor can have; where a thread holds 16 numbers of
/// double precision, as one can.
template <class Real, std::uint32_t Length>
inline constexpr int fixed_blocks = held_numbers(Length, 2 * sizeof(Real)) * sizeof(Real) > 64 ? 1
                                                                                               : 2;

template <class Real, std::uint32_t Length, Kind kind, bool Many>
WEFT_KERNEL void WEFT_THREADS(most_fixed_threads, (fixed_blocks<Real, Length>))
    do_fixed_lines(const WEFT_CONSTANT_ARGUMENT LineArguments given) {
    do_lines_in<FixedPasses<Length, 2 * sizeof(Real)>, Real, kind, Many>(where_launched(given));
}

template <class Real, std::uint32_t Length>
void launch_length(const LineArguments& args, const Launch& how) {
    with_variant(args, [&](auto kind, auto many) {
        launch(how, &do_fixed_lines<Real, Length, decltype(kind)::value, decltype(many)::value>,
               args);
    });
}

template <class Real>
void launch_fixed_lines_of(const LineArguments& args, const LineLaunch& how, cudaStream_t stream) {
    const Launch launch{args.blocks, how.threads, how.shared_bytes, stream};
#define WEFT_LAUNCH_LENGTH(n) \
    case n:                   \
        return launch_length<Real, n>(args, launch);
    switch (args.length) {
        WEFT_FIXED_LENGTHS(WEFT_LAUNCH_LENGTH)
        default:
            throw std::logic_error("no kernel was compiled for lines of this length");
    }
#undef WEFT_LAUNCH_LENGTH
}

}  // namespace weft::core::WEFT_GPU_TARGET
