// Passes over real lines.
#include "fft/native/kernels_table.hpp"
#include "fft/native/real/passes.hpp"
#include "fft/native/real_to_real/passes.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
void add_real_lines(Kernels<T>& k) {
    unroll(indices<real_radices.size()>, [&](auto i) {
        constexpr int radix = real_radices[i.value];
        k.first_of_reals[radix] = &first_pass_of_reals<T, radix>;
        k.last_of_reals[radix] = &last_pass_of_reals<T, radix>;
    });
    k.first_of_reals_prime = &first_pass_of_reals_prime<T>;
    k.last_of_reals_prime = &last_pass_of_reals_prime<T>;
    k.multiply_pairs = &multiply_pairs<T>;
    k.permute_reals = &permute_reals<T>;
    k.scatter_reals = &scatter_reals<T>;
    k.sum_reals = &sum_reals<T>;
    k.spectrum_from_hartley = &spectrum_from_hartley<T>;
    k.hartley_from_spectrum = &hartley_from_spectrum<T>;
    k.real_to_real = &real_to_real_kernels<T>();
}
template void add_real_lines(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
