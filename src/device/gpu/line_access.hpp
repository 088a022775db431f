// How passes over lines read and write their elements, in global and in shared memory: what is read
// and written row by row, a row being the elements of one butterfly.
#pragma once

#include "device/gpu/access.hpp"
#include "device/gpu/butterfly.hpp"
#include "device/gpu/line_tables.hpp"

namespace weft::core::WEFT_GPU_TARGET {

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

/// Elements of a line in global memory that a butterfly takes or gives: number t is first +
/// t*stride.
template <bool Many>
struct GlobalRow {
    const GlobalLines<Many>& lines;
    std::uint32_t first;
    std::uint32_t stride;
    std::uint32_t lane;
    std::byte* begin = nullptr;  ///< with one segment only, as the next one
    Index step = 0;

    WEFT_DEVICE_CODE GlobalRow(const GlobalLines<Many>& all, std::uint32_t from,
                               std::uint32_t apart, std::uint32_t line)
        : lines(all), first(from), stride(apart), lane(line) {
        if constexpr (!Many) {
            begin = all.address(from, line);
            step = apart * all.side.only.step;
        }
    }
    WEFT_DEVICE_CODE std::uint32_t element(int t) const { return first + t * stride; }
    WEFT_DEVICE_CODE std::byte* address(int t) const {
        if constexpr (!Many) return begin + t * step;
        return lines.address(element(t), lane);
    }
};

/// What the first pass reads: complex lines, real ones, or the half that there is of complex ones.
/// Backward by exchanging real and imaginary parts.
template <class Real, Kind kind, bool Many, bool Aligned>
struct ReadLines {
    const LineArguments& args;
    GlobalLines<Many> lines;
    std::uint32_t count;  ///< of lanes

    struct Row {
        const LineArguments& args;
        GlobalRow<Many> row;

        WEFT_DEVICE_CODE Complex<Real> operator()(int t) const {
            if constexpr (kind == Kind::r2c) {
                return {load<Real>(row.address(t)), 0};
            } else if constexpr (kind == Kind::c2r) {
                const std::uint32_t element = row.element(t);
                const bool mirrored = 2 * element > args.length;
                const Complex<Real> value = load_complex(
                    mirrored ? row.lines.address(args.length - element, row.lane) : row.address(t));
                return {mirrored ? -value.im : value.im, value.re};
            } else {
                const Complex<Real> value = load_complex(row.address(t));
                return args.backward ? Complex<Real>{value.im, value.re} : value;
            }
        }

      private:
        WEFT_DEVICE_CODE Complex<Real> load_complex(const std::byte* address) const {
            if constexpr (!Aligned) {
                if (args.from.narrow) {
                    return {load<Real>(address), load<Real>(address + sizeof(Real))};
                }
            }
            return load<Complex<Real>>(address);
        }
    };
    /// A lane that is not there reads the last one again, so that there is nothing to ask.
    WEFT_DEVICE_CODE Row row(std::uint32_t first, std::uint32_t stride, std::uint32_t lane) const {
        return {args, {lines, first, stride, lane < count ? lane : count - 1}};
    }
};

/// What the last pass writes.
template <class Real, Kind kind, bool Many, bool Aligned>
struct WriteLines {
    const LineArguments& args;
    GlobalLines<Many> lines;
    std::uint32_t count;

    struct Row {
        const LineArguments& args;
        GlobalRow<Many> row;

        WEFT_DEVICE_CODE void operator()(int t, const Complex<Real>& result) const {
            // Backward, the real part is where the imaginary one is otherwise.
            if constexpr (kind == Kind::c2r) return store(row.address(t), result.im);
            if (kind == Kind::r2c && 2 * row.element(t) > args.length) return;
            const bool backward = kind == Kind::c2c && args.backward;
            const Complex<Real> value = backward ? Complex<Real>{result.im, result.re} : result;
            std::byte* address = row.address(t);
            if constexpr (!Aligned) {
                if (args.to.narrow) {
                    store(address, value.re);
                    return store(address + sizeof(Real), value.im);
                }
            }
            store(address, value);
        }
    };
    WEFT_DEVICE_CODE bool takes(std::uint32_t lane) const { return lane < count; }
    WEFT_DEVICE_CODE Row row(std::uint32_t first, std::uint32_t stride, std::uint32_t lane) const {
        return {args, {lines, first, stride, lane}};
    }
};

/// Lines in shared memory, with gaps after each 2^Gap elements.
template <class Real, int Gap>
struct SharedLines {
    Complex<Real>* values;
    const SharedLayout& layout;

    struct Row {
        Complex<Real>* begin;
        std::uint32_t first;
        std::uint32_t stride;
        std::uint32_t step;
        std::uint32_t gap;

        WEFT_DEVICE_CODE Complex<Real>& at(int t) const {
            // Of strides that are known the compiler knows which it is.
            if (stride % (1U << Gap) == 0) return begin[t * (step + gap * (stride >> Gap))];
            return begin[t * step + gap * (((first + t * stride) >> Gap) - (first >> Gap))];
        }
        WEFT_DEVICE_CODE Complex<Real> operator()(int t) const { return at(t); }
        WEFT_DEVICE_CODE void operator()(int t, const Complex<Real>& value) const { at(t) = value; }
    };
    WEFT_DEVICE_CODE bool takes(std::uint32_t /*lane*/) const { return true; }
    WEFT_DEVICE_CODE Row row(std::uint32_t first, std::uint32_t stride, std::uint32_t lane) const {
        return {values + first * layout.element + lane * layout.lane + layout.gap * (first >> Gap),
                first, stride, stride * layout.element, layout.gap};
    }
};

}  // namespace weft::core::WEFT_GPU_TARGET
