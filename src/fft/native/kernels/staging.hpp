// Between callers' arrays and tiles.
#pragma once

#include "fft/native/kernels/transpose.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

/// Elements on their way between tiles and arrays whose strides suit no vector.
inline constexpr Index block_elements = 16;
template <class T>
struct Block {
    alignas(64) T data[block_elements * width<T>];
};

/// Elements first to end-1 of some lanes to a block; lanes that there are not become zero.
template <class T>
HWY_INLINE void read_block(const Lanes<const T>& from, Index first, Index end, Block<T>& block) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        const bool present = line < from.lanes;
        const T* data = from.data + line * from.lane_step;
        T* element = block.data + lane;
        for (Index e = first; e < end; ++e, element += width<T>) {
            element[0] = present ? data[e * from.step] : T(0);
            element[lanes<T>] = present ? data[e * from.step + 1] : T(0);
        }
    }
}
template <class T>
HWY_INLINE void write_block(const Block<T>& block, Index first, Index end, const Lanes<T>& to) {
    for (Index lane = 0; lane < lanes<T>; ++lane) {
        const Index line = lane_line<T>(lane);
        if (line >= to.lanes) continue;
        T* data = to.data + line * to.lane_step;
        const T* element = block.data + lane;
        for (Index e = first; e < end; ++e, element += width<T>) {
            data[e * to.step] = element[0];
            data[e * to.step + 1] = element[lanes<T>];
        }
    }
}

/// put(e, z) for elements first to count-1.
template <class T, class Put>
HWY_INLINE void read_some(const Lanes<const T>& from, Index first, Index count, const Put& put) {
    Block<T> block;
    for (; first < count; first += block_elements) {
        const Index end = std::min(first + block_elements, count);
        read_block<T>(from, first, end, block);
        for (Index e = first; e < end; ++e) put(e, load<T>(block.data + (e - first) * width<T>));
    }
}
/// The same for those that give(e) returns.
template <class T, class Give>
HWY_INLINE void write_some(const Give& give, Index first, Index count, const Lanes<T>& to) {
    Block<T> block;
    for (; first < count; first += block_elements) {
        const Index end = std::min(first + block_elements, count);
        for (Index e = first; e < end; ++e) store<T>(give(e), block.data + (e - first) * width<T>);
        write_block<T>(block, first, end, to);
    }
}

// Some adjacent lanes, where masked accesses touch nothing else. (Other instruction sets of Highway
// load whole vectors and mask them then.)
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_AVX2
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
    return {
        lanes.data + run * runs.step, lanes.step, lanes.lane_step, lanes.lanes, false, lanes.ahead};
}

/// Of every run r, all elements: put(e, z) with put = to_run(r). What distinguishes the ways to
/// read is looked at before, once.
template <class T, class ToRun>
HWY_INLINE void read_runs(const Lanes<const T>& all, const Runs& runs, const ToRun& to_run) {
    const Tag<T> d;
    const Index count = runs.length;
    const auto each = [&](const auto& body) WEFT_INLINE_LAMBDA {
        for (Index r = 0; r < runs.count; ++r) body(at_run(all, runs, r), to_run(r));
    };
    if (all.lanes == lanes<T> && all.lane_step == 2) {
        each([&](const Lanes<const T>& from, const auto& put) WEFT_INLINE_LAMBDA {
            for (Index e = 0; e < count; ++e) {
                put(e, load_interleaved<T>(from.data + e * from.step));
            }
        });
    } else if (masks && all.lane_step == 2) {
        const LaneMask<T> mask(all.lanes);
        each([&](const Lanes<const T>& from, const auto& put) WEFT_INLINE_LAMBDA {
            for (Index e = 0; e < count; ++e) {
                const T* data = from.data + e * from.step;
                put(e, split<T>(hn::MaskedLoad(mask.a, d, data),
                                hn::MaskedLoad(mask.b, d, data + lanes<T>)));
            }
        });
    } else if (transposes<T> && all.lanes == lanes<T> && all.step == 2) {
        each([&](const Lanes<const T>& from, const auto& put) WEFT_INLINE_LAMBDA {
            const Index first = for_lines<T>(from.data, from.lane_step, count, from.ahead, put);
            if (first < count) read_some<T>(from, first, count, put);
        });
    } else {
        each([&](const Lanes<const T>& from, const auto& put)
                 WEFT_INLINE_LAMBDA { read_some<T>(from, 0, count, put); });
    }
}

template <class T>
void read(const Lanes<const T>& from, const Runs& runs, T* tile) {
    read_runs<T>(from, runs, [&](Index r) WEFT_INLINE_LAMBDA {
        T* elements = tile + r * runs.tile_stride * width<T>;
        const Index step = runs.direction * width<T>;
        return [elements, step](Index e, const Complex<T>& z)
                   WEFT_INLINE_LAMBDA { store<T>(z, elements + e * step); };
    });
}

/// The inverse, from what give(e) returns, give = from_run(r).
template <class T, class FromRun>
HWY_INLINE void write_runs(const FromRun& from_run, const Runs& runs, const Lanes<T>& all) {
    const Tag<T> d;
    const Index count = runs.length;
    const auto each = [&](const auto& body) WEFT_INLINE_LAMBDA {
        for (Index r = 0; r < runs.count; ++r) body(at_run(all, runs, r), from_run(r));
    };
    // put(a, b, data): the vectors of adjacent lanes.
    const auto each_element = [&](const auto& put) WEFT_INLINE_LAMBDA {
        each([&](const Lanes<T>& to, const auto& give) WEFT_INLINE_LAMBDA {
            for (Index e = 0; e < count; ++e) {
                Vector<T> a;
                Vector<T> b;
                merge<T>(give(e), a, b);
                put(a, b, to.data + e * to.step);
            }
        });
    };
    if (all.stream) {
        each_element([&](Vector<T> a, Vector<T> b, T* data) WEFT_INLINE_LAMBDA {
            hn::Stream(a, d, data);
            hn::Stream(b, d, data + lanes<T>);
        });
    } else if (all.lanes == lanes<T> && all.lane_step == 2) {
        each_element([&](Vector<T> a, Vector<T> b, T* data) WEFT_INLINE_LAMBDA {
            hn::StoreU(a, d, data);
            hn::StoreU(b, d, data + lanes<T>);
        });
    } else if (masks && all.lane_step == 2) {
        const LaneMask<T> mask(all.lanes);
        each_element([&](Vector<T> a, Vector<T> b, T* data) WEFT_INLINE_LAMBDA {
            hn::BlendedStore(a, mask.a, d, data);
            hn::BlendedStore(b, mask.b, d, data + lanes<T>);
        });
    } else if (transposes<T> && all.lanes == lanes<T> && all.step == 2) {
        each([&](const Lanes<T>& to, const auto& give) WEFT_INLINE_LAMBDA {
            const Index first = to_whole_lines<T>(give, count, to.data, to.lane_step);
            if (first < count) write_some<T>(give, first, count, to);
        });
    } else {
        each([&](const Lanes<T>& to, const auto& give)
                 WEFT_INLINE_LAMBDA { write_some<T>(give, 0, count, to); });
    }
}

template <class T>
void write(const T* tile, const Runs& runs, const Lanes<T>& to) {
    write_runs<T>(
        [&](Index r) WEFT_INLINE_LAMBDA {
            const T* elements = tile + r * runs.tile_stride * width<T>;
            return [elements](Index e)
                       WEFT_INLINE_LAMBDA { return load<T>(elements + e * width<T>); };
        },
        runs, to);
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
