// The kernels in float precision, compiled for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/native/kernels_f32.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "fft/native/dispatch.hpp"
#include "fft/native/kernels_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::core::native::HWY_NAMESPACE {

const Kernels<float>& kernels_f32() { return kernels<float>(); }

}  // namespace weft::core::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft::core::native {

HWY_EXPORT(kernels_f32);

template <>
const std::vector<const Kernels<float>*>& all_kernels() {
    static const auto all = of_every_target(
        []() -> const Kernels<float>& { return HWY_DYNAMIC_DISPATCH(kernels_f32)(); });
    return all;
}

}  // namespace weft::core::native
#endif
