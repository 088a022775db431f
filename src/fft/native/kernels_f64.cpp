// The kernels in double precision, compiled for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/native/kernels_f64.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "fft/native/dispatch.hpp"
#include "fft/native/kernels_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

const Kernels<double>& kernels_f64() { return kernels<double>(); }

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft::core::native {

HWY_EXPORT(kernels_f64);

template <>
const std::vector<const Kernels<double>*>& all_kernels() {
    static const auto all = of_every_target(
        []() -> const Kernels<double>& { return HWY_DYNAMIC_DISPATCH(kernels_f64)(); });
    return all;
}

}  // namespace weft::core::native
#endif
