// Results that go past the caches to places that are not aligned to cache lines.
#pragma once

#include "fft/native/kernels/butterfly.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
inline constexpr bool vector_is_line = HWY_TARGET != HWY_SCALAR&& lanes<T> * sizeof(T) == 64;

/// [over][lane]: which lane comes there when all are moved up by `over`, the last ones to the
/// front.
template <class T>
struct Rotations {
    using Number = hn::TFromD<hn::RebindToSigned<Tag<T>>>;
    alignas(64) Number lane[lanes<T> * lanes<T>];
    Rotations() {
        for (Index over = 0; over < lanes<T>; ++over) {
            for (Index i = 0; i < lanes<T>; ++i) {
                lane[over * lanes<T> + i] = static_cast<Number>((i - over + lanes<T>) % lanes<T>);
            }
        }
    }
};
template <class T>
const Rotations<T>& rotations() {
    static const Rotations<T> table;
    return table;
}

/// Vectors a and b, of which `over` numbers are beyond whole lines: what waits and the first of a
/// fill a line, then what is left of a and the first of b; the rest of b waits.
template <class T>
HWY_INLINE void put_shifted(Vector<T> a, Vector<T> b, Index over, const Rotations<T>& table,
                            bool first, T* to, T* waiting) {
    const Tag<T> d;
    const auto rotation = hn::SetTableIndices(d, table.lane + over * lanes<T>);
    const auto beyond = hn::FirstN(d, static_cast<std::size_t>(over));
    const Vector<T> up_a = hn::TableLookupLanes(a, rotation);
    const Vector<T> up_b = hn::TableLookupLanes(b, rotation);
    T* line = to - over;
    if (first) {
        hn::BlendedStore(up_a, hn::Not(beyond), d, line);
    } else {
        hn::Stream(hn::IfThenElse(beyond, hn::Load(d, waiting), up_a), d, line);
    }
    hn::Stream(hn::IfThenElse(beyond, up_a, up_b), d, line + lanes<T>);
    hn::Store(up_b, d, waiting);
}

template <class T, int R>
void last_pass_shifted(const Pass<T>& pass, const TileRow<const T>& tiles,
                       const ShiftedResults<T>& results) {
    const Rotations<T>& table = rotations<T>();
    for (Index b = 0; b < pass.blocks; ++b) {
        const T* block = tiles.first + pass.base[static_cast<std::size_t>(b)] * width<T>;
        for (Index t = 0; t < tiles.count; ++t) {
            const T* element = block + t * tiles.step;
            const bool first = results.first && t == 0;
            Dft<Complex<T>, R>::run(
                [&](int j) WEFT_INLINE_LAMBDA { return load<T>(element + j * width<T>); },
                [&](int k, const Complex<T>& z) WEFT_INLINE_LAMBDA {
                    const Index result = b + pass.blocks * k;
                    Vector<T> one;
                    Vector<T> two;
                    merge<T>(z, one, two);
                    put_shifted<T>(one, two, results.over[result], table, first,
                                   results.to[result] + t * width<T>,
                                   results.waiting + result * lanes<T>);
                });
        }
    }
}

template <class T>
void write_waiting(Index count, const ShiftedResults<T>& results) {
    const Tag<T> d;
    for (Index i = 0; i < count; ++i) {
        const Index over = results.over[i];
        hn::BlendedStore(hn::Load(d, results.waiting + i * lanes<T>),
                         hn::FirstN(d, static_cast<std::size_t>(over)), d, results.to[i] - over);
    }
}

template <class T>
void copy_streamed(const T* from, T* to, Index count) {
    const Tag<T> d;
    const auto misaligned = [&] {
        return reinterpret_cast<std::uintptr_t>(to) % (lanes<T> * sizeof(T)) != 0;
    };
    Index i = 0;
    for (; i < count && misaligned(); ++i) *to++ = from[i];
    for (; i + lanes<T> <= count; i += lanes<T>, to += lanes<T>) {
        hn::Stream(hn::LoadU(d, from + i), d, to);
    }
    for (; i < count; ++i) *to++ = from[i];
}

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
