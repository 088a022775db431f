// What does not depend on a radix: copies between arrays and tiles, work on elements, and passes of
// radices without a butterfly.
#include "fft/native/staging.hpp"

#include <hwy/cache_control.h>

#include "fft/native/elements.hpp"
#include "fft/native/kernels_table.hpp"
#include "fft/native/passes.hpp"
#include "fft/native/shifted.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
void add_staging(Kernels<T>& k) {
    k.middle_prime = &middle_pass_prime<T>;
    k.last_prime = &last_pass_prime<T>;
    k.read = &read<T>;
    k.write = &write<T>;
    k.read_real = &read_real<T>;
    k.write_real = &write_real<T>;
    k.read_spectrum = &read_spectrum<T>;
    k.write_spectrum = &write_spectrum<T>;
    k.multiply = &multiply<T>;
    k.permute = &permute<T>;
    k.scatter_swapped = &scatter_swapped<T>;
    k.sum = &sum<T>;
    if constexpr (vector_is_line<T>) k.write_waiting = &write_waiting<T>;
    k.copy_streamed = &copy_streamed<T>;
    k.fence = [] { hwy::FlushStream(); };
}
template void add_staging(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
