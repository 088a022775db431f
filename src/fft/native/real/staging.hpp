// Real lines, and spectra whose elements lie apart, between callers' arrays and tiles.
#pragma once

#include "fft/native/kernels/staging.hpp"
#include "fft/native/real/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// z, or its conjugate for sign -1.
template <class T>
HWY_INLINE Complex<T> with_sign(const Complex<T>& z, T sign) {
    return {z.re, hn::Mul(z.im, hn::Set(Tag<T>(), sign))};
}

template <class T>
void read_spectrum(const Lanes<const T>& from, const Runs& runs, const SpectrumPlace<T>* places,
                   T* tile) {
    read_runs<T>(from, runs, [&](Index r) WEFT_INLINE_LAMBDA {
        T* elements = tile + r * runs.tile_stride * width<T>;
        return [elements, places](Index e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
            store<T>(with_sign<T>(z, places[e].sign), elements + places[e].element * width<T>);
        };
    });
}

template <class T>
void write_spectrum(const T* tile, const Runs& runs, const SpectrumPlace<T>* places,
                    const Lanes<T>& to) {
    write_runs<T>(
        [&](Index r) WEFT_INLINE_LAMBDA {
            const T* elements = tile + r * runs.tile_stride * width<T>;
            return [elements, places](Index e) WEFT_INLINE_LAMBDA {
                return with_sign<T>(load<T>(elements + places[e].element * width<T>),
                                    places[e].sign);
            };
        },
        runs, to);
}

/// Real elements, a vector each, lane by lane.
template <class T>
HWY_INLINE void read_part(const Lanes<const T>& from, Index count, T* tile) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        const bool present = line < from.lanes;
        const T* data = from.data + line * from.lane_step;
        for (Index e = 0; e < count; ++e) {
            tile[e * lanes<T> + lane] = present ? data[e * from.step] : T(0);
        }
    }
}

template <class T>
HWY_INLINE void write_part(const T* tile, Index count, const Lanes<T>& to) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        if (line >= to.lanes) continue;
        T* data = to.data + line * to.lane_step;
        for (Index e = 0; e < count; ++e) data[e * to.step] = tile[e * lanes<T> + lane];
    }
}

/// Numbers of a row are read and written as complex ones, a last odd one by itself.
inline Runs pairs_of_row(Index count) { return {1, count / 2, 0, 0, 1}; }
template <class Number>
HWY_INLINE Lanes<Number> last_of_row(const Lanes<Number>& rows, Index count) {
    return {rows.data + count - 1, 1, rows.lane_step, rows.lanes};
}

template <class T>
void read_row(const Lanes<const T>& from, Index count, const Index* places, T* tile) {
    read_runs<T>(from, pairs_of_row(count), [&](Index /*r*/) WEFT_INLINE_LAMBDA {
        return [tile, places](Index e, const Complex<T>& pair) WEFT_INLINE_LAMBDA {
            hn::Store(pair.re, Tag<T>(), tile + places[2 * e] * lanes<T>);
            hn::Store(pair.im, Tag<T>(), tile + places[2 * e + 1] * lanes<T>);
        };
    });
    if (count % 2 == 1) {
        read_part<T>(last_of_row(from, count), 1, tile + places[count - 1] * lanes<T>);
    }
}

template <class T>
void write_row(const T* tile, Index count, const Index* places, const Lanes<T>& to) {
    write_runs<T>(
        [&](Index /*r*/) WEFT_INLINE_LAMBDA {
            return [tile, places](Index e) WEFT_INLINE_LAMBDA {
                return Complex<T>{hn::Load(Tag<T>(), tile + places[2 * e] * lanes<T>),
                                  hn::Load(Tag<T>(), tile + places[2 * e + 1] * lanes<T>)};
            };
        },
        pairs_of_row(count), to);
    if (count % 2 == 1) {
        write_part<T>(tile + places[count - 1] * lanes<T>, 1, last_of_row(to, count));
    }
}

/// Vectors of adjacent lines in their order: to that of lanes, and back.
template <class T>
struct Orders {
    using Number = hn::TFromD<hn::RebindToSigned<Tag<T>>>;
    constexpr Orders() {
        for (Index lane = 0; lane < lanes<T>; ++lane) {
            lane_line_[lane] = static_cast<Number>(lane_line<T>(lane));
            line_lane_[lane_line<T>(lane)] = static_cast<Number>(lane);
        }
    }
    alignas(64) Number lane_line_[lanes<T>] = {};
    alignas(64) Number line_lane_[lanes<T>] = {};
};
template <class T>
inline constexpr Orders<T> orders;

/// Of every run and tile: part(lanes, tile element), or, where lanes are adjacent, of every element
/// whole(array, tile element).
template <class T, class Number, class Part, class Whole>
HWY_INLINE void for_reals(const Lanes<Number>& all, const Runs& runs, const TileRow<T>& tiles,
                          const Part& part, const Whole& whole) {
    const bool adjacent = all.lanes == lanes<T> && all.lane_step == 1;
    const Index step = all.lanes * all.lane_step;
    for (Index r = 0; r < runs.count; ++r) {
        const Lanes<Number> lines = at_run(all, runs, r);
        T* element = tiles.first + r * runs.tile_stride * width<T>;
        for (Index t = 0; !adjacent && t < tiles.count; ++t) {
            Lanes<Number> one = lines;
            one.data += t * step;
            part(one, element + t * tiles.step);
        }
        for (Index e = 0; adjacent && e < runs.length; ++e) {
            for (Index t = 0; t < tiles.count; ++t) {
                whole(lines.data + e * lines.step + t * step,
                      element + e * lanes<T> + t * tiles.step);
            }
        }
    }
}

template <class T>
void read_reals(const Lanes<const T>& from, const Runs& runs, const TileRow<T>& tiles) {
    const Tag<T> d;
    const auto order = hn::SetTableIndices(d, orders<T>.lane_line_);
    for_reals(
        from, runs, tiles,
        [&](const Lanes<const T>& one, T* tile) { read_part<T>(one, runs.length, tile); },
        [&](const T* array, T* tile) WEFT_INLINE_LAMBDA {
            hn::Store(hn::TableLookupLanes(hn::LoadU(d, array), order), d, tile);
        });
}

template <class T>
void write_reals(const TileRow<T>& tiles, const Runs& runs, const Lanes<T>& to) {
    const Tag<T> d;
    const auto order = hn::SetTableIndices(d, orders<T>.line_lane_);
    for_reals(
        to, runs, tiles,
        [&](const Lanes<T>& one, const T* tile) { write_part<T>(tile, runs.length, one); },
        [&](T* array, const T* tile) WEFT_INLINE_LAMBDA {
            hn::StoreU(hn::TableLookupLanes(hn::Load(d, tile), order), d, array);
        });
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
