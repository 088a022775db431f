// The instruction sets that kernels were compiled for: WEFT_TARGETS of CMake, which writes
// targets.inc.
#include <hwy/targets.h>

#include "fft/native/kernels.hpp"

namespace weft::core::native {

#define WEFT_TARGET(NAME)            \
    namespace N_##NAME {             \
        template <class T>           \
        const Kernels<T>& kernels(); \
    }
#include "targets.inc"
#undef WEFT_TARGET

namespace {

/// Those that this machine has, as Highway's bits. NEON is part of every 64-bit ARM, also where
/// Highway misses the AES instructions that its own definition of NEON asks for.
std::int64_t supported() {
#if HWY_ARCH_ARM_A64
    return HWY_NEON | HWY_SCALAR;
#else
    return hwy::SupportedTargets() | HWY_SCALAR;
#endif
}

}  // namespace

template <class T>
const std::vector<const Kernels<T>*>& all_kernels() {
    static const auto all = [] {
        std::vector<const Kernels<T>*> result;
#define WEFT_TARGET(NAME) \
    if ((supported() & HWY_##NAME) != 0) result.push_back(&N_##NAME::kernels<T>());
#include "targets.inc"
#undef WEFT_TARGET
        return result;
    }();
    return all;
}

template const std::vector<const Kernels<float>*>& all_kernels();
template const std::vector<const Kernels<double>*>& all_kernels();

}  // namespace weft::core::native
