// The kernels in double precision, compiled for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/native/kernels_f64.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
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
    static const std::vector<const Kernels<double>*> all = [] {
        std::vector<const Kernels<double>*> result;
        for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
            hwy::SetSupportedTargetsForTest(target);
            hwy::GetChosenTarget().Update(hwy::SupportedTargets());
            result.push_back(&HWY_DYNAMIC_DISPATCH(kernels_f64)());
        }
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        return result;
    }();
    return all;
}

}  // namespace weft::core::native
#endif
