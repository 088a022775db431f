// Between callers' arrays and tiles. Included once for each instruction set.
#include "fft/native/transpose.hpp"

#if defined(WEFT_FFT_NATIVE_STAGING_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_FFT_NATIVE_STAGING_HPP
#undef WEFT_FFT_NATIVE_STAGING_HPP
#else
#define WEFT_FFT_NATIVE_STAGING_HPP
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
HWY_INLINE void read_some(const Lanes<const T>& from, Index first, Index count, T* tile,
                          Index tile_step) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        const bool present = line < from.lanes;
        const T* data = from.data + line * from.lane_step;
        for (Index e = first; e < count; ++e) {
            T* element = tile + e * tile_step + lane;
            element[0] = present ? data[e * from.step] : T(0);
            element[lanes<T>] = present ? data[e * from.step + 1] : T(0);
        }
    }
}

// Some adjacent lanes, where masked accesses touch nothing else. (Other instruction sets of Highway
// load whole vectors and mask them then.)
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
inline constexpr bool masks = true;
#else
inline constexpr bool masks = false;
#endif
template <class T>
struct LaneMask {
    using Mask = hn::Mask<Tag<T>>;
    explicit LaneMask(Index count)
        : a(first(2 * count)), b(first(std::max<Index>(2 * count - lanes<T>, 0))) {}
    static Mask first(Index numbers) {
        return hn::FirstN(Tag<T>(), static_cast<std::size_t>(std::min(numbers, lanes<T>)));
    }
    Mask a;
    Mask b;
};

/// The lanes of one run.
template <class T>
HWY_INLINE Lanes<T> at_run(const Lanes<T>& lanes, const Runs& runs, Index run) {
    return {lanes.data + run * runs.step, lanes.step, lanes.lane_step, lanes.lanes};
}

/// body(lanes, tile) for every run. (What distinguishes ways to copy is looked at before, once.)
template <class T, class Element, class Body>
HWY_INLINE void for_runs(const Lanes<Element>& lanes, const Runs& runs, T* tile, const Body& body) {
    for (Index r = 0; r < runs.count; ++r) {
        body(at_run(lanes, runs, r), tile + r * runs.tile_stride * width<T>);
    }
}

template <class T>
void read(const Lanes<const T>& all, const Runs& runs, T* to) {
    const Tag<T> d;
    const Index count = runs.length;
    const Index step = runs.direction * width<T>;
    if (all.lanes == lanes<T> && all.lane_step == 2) {
        for_runs(all, runs, to, [&](const Lanes<const T>& from, T* tile) WEFT_INLINE_LAMBDA {
            for (Index e = 0; e < count; ++e) {
                store<T>(load_interleaved<T>(from.data + e * from.step), tile + e * step);
            }
        });
    } else if (masks && all.lane_step == 2) {
        const LaneMask<T> mask(all.lanes);
        for_runs(all, runs, to, [&](const Lanes<const T>& from, T* tile) WEFT_INLINE_LAMBDA {
            for (Index e = 0; e < count; ++e) {
                const T* data = from.data + e * from.step;
                store<T>(split<T>(hn::MaskedLoad(mask.a, d, data),
                                  hn::MaskedLoad(mask.b, d, data + lanes<T>)),
                         tile + e * step);
            }
        });
    } else if (transposes<T> && all.lanes == lanes<T> && all.step == 2) {
        for_runs(all, runs, to, [&](const Lanes<const T>& from, T* tile) WEFT_INLINE_LAMBDA {
            const Index first = for_lines<T>(from.data, from.lane_step, count,
                                             [&](Index e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                                                 store<T>(z, tile + e * step);
                                             });
            if (first < count) read_some<T>(from, first, count, tile, step);
        });
    } else {
        for_runs(all, runs, to, [&](const Lanes<const T>& from, T* tile) {
            read_some<T>(from, 0, count, tile, step);
        });
    }
}

template <class T>
HWY_INLINE void write_some(const T* tile, Index first, Index count, const Lanes<T>& to) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        if (line >= to.lanes) continue;
        T* data = to.data + line * to.lane_step;
        for (Index e = first; e < count; ++e) {
            const T* element = tile + e * width<T> + lane;
            data[e * to.step] = element[0];
            data[e * to.step + 1] = element[lanes<T>];
        }
    }
}

/// put(a, b, data): the vectors of adjacent lanes, of every element of every run.
template <class T, class Put>
HWY_INLINE void for_adjacent(const T* from, const Runs& runs, const Lanes<T>& all, const Put& put) {
    for_runs(all, runs, from, [&](const Lanes<T>& to, const T* tile) WEFT_INLINE_LAMBDA {
        for (Index e = 0; e < runs.length; ++e) {
            Vector<T> a;
            Vector<T> b;
            merge<T>(load<T>(tile + e * width<T>), a, b);
            put(a, b, to.data + e * to.step);
        }
    });
}

template <class T>
void write(const T* from, const Runs& runs, const Lanes<T>& all) {
    const Tag<T> d;
    const Index count = runs.length;
    if (all.stream) {
        for_adjacent(from, runs, all, [&](Vector<T> a, Vector<T> b, T* data) WEFT_INLINE_LAMBDA {
            hn::Stream(a, d, data);
            hn::Stream(b, d, data + lanes<T>);
        });
    } else if (all.lanes == lanes<T> && all.lane_step == 2) {
        for_adjacent(from, runs, all, [&](Vector<T> a, Vector<T> b, T* data) WEFT_INLINE_LAMBDA {
            hn::StoreU(a, d, data);
            hn::StoreU(b, d, data + lanes<T>);
        });
    } else if (masks && all.lane_step == 2) {
        const LaneMask<T> mask(all.lanes);
        for_adjacent(from, runs, all, [&](Vector<T> a, Vector<T> b, T* data) WEFT_INLINE_LAMBDA {
            hn::BlendedStore(a, mask.a, d, data);
            hn::BlendedStore(b, mask.b, d, data + lanes<T>);
        });
    } else if (transposes<T> && all.lanes == lanes<T> && all.step == 2) {
        for_runs(all, runs, from, [&](const Lanes<T>& to, const T* tile) WEFT_INLINE_LAMBDA {
            const auto give = [&](Index e)
                                  WEFT_INLINE_LAMBDA { return load<T>(tile + e * width<T>); };
            const Index first = to_whole_lines<T>(give, count, to.data, to.lane_step);
            if (first < count) write_some<T>(tile, first, count, to);
        });
    } else {
        for_runs(all, runs, from,
                 [&](const Lanes<T>& to, const T* tile) { write_some<T>(tile, 0, count, to); });
    }
}

/// Real lines to one part (re or im) of tile elements.
template <class T>
HWY_INLINE void read_part(const Lanes<const T>& from, Index count, T* part) {
    Index first = 0;
    if (transposes<T> && from.lanes == lanes<T> && from.step == 1) {
        // Two real numbers travel as one complex number.
        const Index pairs = for_lines<T>(from.data, from.lane_step, count / 2,
                                         [&](Index e, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                                             const Tag<T> d;
                                             hn::Store(z.re, d, part + 2 * e * width<T>);
                                             hn::Store(z.im, d, part + (2 * e + 1) * width<T>);
                                         });
        first = 2 * pairs;
    }
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        const bool present = line < from.lanes;
        const T* data = from.data + line * from.lane_step;
        for (Index e = first; e < count; ++e) {
            part[e * width<T> + lane] = present ? data[e * from.step] : T(0);
        }
    }
}

template <class T>
HWY_INLINE void write_part(const T* part, Index count, const Lanes<T>& to) {
    Index first = 0;
    if (transposes<T> && to.lanes == lanes<T> && to.step == 1) {
        const Index pairs = to_whole_lines<T>(
            [&](Index i) WEFT_INLINE_LAMBDA {
                const Tag<T> d;
                const T* pair = part + 2 * i * width<T>;
                return Complex<T>{hn::Load(d, pair), hn::Load(d, pair + width<T>)};
            },
            count / 2, to.data, to.lane_step);
        first = 2 * pairs;
    }
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        if (line >= to.lanes) continue;
        T* data = to.data + line * to.lane_step;
        for (Index e = first; e < count; ++e) data[e * to.step] = part[e * width<T> + lane];
    }
}

/// Vectors of adjacent lines in their order: to that of lanes, and back.
template <class T>
HWY_INLINE auto lane_order() {
    alignas(64) hn::TFromD<hn::RebindToSigned<Tag<T>>> index[lanes<T>];
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        index[lane] = static_cast<hn::TFromD<hn::RebindToSigned<Tag<T>>>>(lane_line<T>(lane));
    }
    return hn::SetTableIndices(Tag<T>(), index);
}
template <class T>
HWY_INLINE auto line_order() {
    alignas(64) hn::TFromD<hn::RebindToSigned<Tag<T>>> index[lanes<T>];
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        index[lane_line<T>(lane)] = static_cast<hn::TFromD<hn::RebindToSigned<Tag<T>>>>(lane);
    }
    return hn::SetTableIndices(Tag<T>(), index);
}

template <class T>
HWY_INLINE void read_real_part(const Lanes<const T>& from, Index count, T* part) {
    if (from.lanes != lanes<T> || from.lane_step != 1) return read_part<T>(from, count, part);
    const Tag<T> d;
    const auto order = lane_order<T>();
    for (Index e = 0; e < count; ++e) {
        hn::Store(hn::TableLookupLanes(hn::LoadU(d, from.data + e * from.step), order), d,
                  part + e * width<T>);
    }
}

template <class T>
HWY_INLINE void write_real_part(const T* part, Index count, const Lanes<T>& to) {
    if (to.lanes != lanes<T> || to.lane_step != 1) return write_part<T>(part, count, to);
    const Tag<T> d;
    const auto order = line_order<T>();
    for (Index e = 0; e < count; ++e) {
        hn::StoreU(hn::TableLookupLanes(hn::Load(d, part + e * width<T>), order), d,
                   to.data + e * to.step);
    }
}

template <class T>
void read_real(const Lanes<const T>& re, const Lanes<const T>& im, const Runs& runs, T* tile) {
    for (Index r = 0; r < runs.count; ++r) {
        T* elements = tile + r * runs.tile_stride * width<T>;
        read_real_part<T>(at_run(re, runs, r), runs.length, elements);
        read_real_part<T>(at_run(im, runs, r), runs.length, elements + lanes<T>);
    }
}

template <class T>
void write_real(const T* tile, const Runs& runs, const Lanes<T>& re, const Lanes<T>& im) {
    for (Index r = 0; r < runs.count; ++r) {
        const T* elements = tile + r * runs.tile_stride * width<T>;
        write_real_part<T>(elements, runs.length, at_run(re, runs, r));
        write_real_part<T>(elements + lanes<T>, runs.length, at_run(im, runs, r));
    }
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include once for each instruction set
