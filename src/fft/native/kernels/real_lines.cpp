// Passes over real lines.
#include "fft/native/kernels/kernels_table.hpp"
#include "fft/native/real/halves.hpp"
#include "fft/native/real/passes.hpp"
#include "fft/native/real_to_real/passes.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

template <class T>
void add_real_lines(Kernels<T>& k) {
    static const RealKernels<T> table = [] {
        RealKernels<T> real;
        real.read = &read_reals<T>;
        real.write = &write_reals<T>;
        real.read_row = &read_row<T>;
        real.write_row = &write_row<T>;
        unroll(indices<real_radices.size()>, [&](auto i) {
            constexpr int radix = real_radices[i.value];
            real.first[radix] = &first_pass_of_reals<T, radix>;
            real.last[radix] = &last_pass_of_reals<T, radix>;
        });
        real.first[0] = &first_pass_of_reals_prime<T>;
        real.last[0] = &last_pass_of_reals_prime<T>;
        real.write_halves = &write_halves<T>;
        real.read_halves = &read_halves<T>;
        real.split_halves = &split_halves<T>;
        real.join_halves = &join_halves<T>;
        real.multiply_pairs = &multiply_pairs<T>;
        real.permute = &permute_reals<T>;
        real.scatter = &scatter_reals<T>;
        real.sum = &sum_reals<T>;
        real.spectrum_from_hartley = &spectrum_from_hartley<T>;
        real.hartley_from_spectrum = &hartley_from_spectrum<T>;
        return real;
    }();
    k.real = &table;
    k.real_to_real = &real_to_real_kernels<T>();
}
template void add_real_lines(Kernels<WEFT_REAL>& k);

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
