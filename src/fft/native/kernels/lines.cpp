// The table of kernels of one instruction set and precision, and what reads and writes lines
// in it.
#include <hwy/cache_control.h>

#include "fft/native/kernels/along.hpp"
#include "fft/native/kernels/elements.hpp"
#include "fft/native/kernels/kernels_table.hpp"
#include "fft/native/kernels/shifted.hpp"
#include "fft/native/kernels/staging.hpp"
#include "fft/native/real/staging.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T, int R>
void add_along_pass(Kernels<T>& k) {
    if constexpr (fills_lanes<T, R>) k.along[R] = &along_pass<T, R, 1>;
    if constexpr (halves_fill_lanes<T, R>) k.along_halves[R] = &along_pass<T, R, 2>;
}

template <class T>
void add_along(Kernels<T>& k) {
    unroll(indices<radices.size()>, [&](auto i) { add_along_pass<T, radices[i.value]>(k); });
}

template <class T>
void add_staging(Kernels<T>& k) {
    k.read = &read<T>;
    k.write = &write<T>;
    k.read_spectrum = &read_spectrum<T>;
    k.write_spectrum = &write_spectrum<T>;
    if constexpr (vector_is_line<T>) k.write_waiting = &write_waiting<T>;
    k.copy_streamed = &copy_streamed<T>;
    k.fence = [] { hwy::FlushStream(); };
    k.multiply = &multiply<T>;
    k.permute = &permute<T>;
    k.scatter_swapped = &scatter_swapped<T>;
    k.sum = &sum<T>;
}

template <class T>
const Kernels<T>& kernels() {
    static const Kernels<T> table = [] {
        Kernels<T> k;
        k.target = hwy::TargetName(HWY_TARGET);
        k.lanes = static_cast<int>(lanes<T>);
        for (Index lane = 0; lane < lanes<T>; ++lane) k.order.push_back(lane_line<T>(lane));
        add_passes(k);
        add_along(k);
        add_short_lines(k);
        add_interleaved_passes(k);
        add_real_lines(k);
        add_staging(k);
        return k;
    }();
    return table;
}
template const Kernels<WEFT_REAL>& kernels();

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
