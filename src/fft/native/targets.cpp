// The instruction sets that kernels were compiled for: WEFT_TARGETS of CMake, which writes
// targets.inc.
#include <fmt/format.h>
#include <hwy/targets.h>

#include <algorithm>
#include <string_view>

#include "base/variables.hpp"
#include "fft/engine.hpp"
#include "fft/native/kernels.hpp"
#include "weft/error.hpp"

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

template <class T>
const std::vector<const Kernels<T>*>& competing_kernels() {
    static const std::vector<const Kernels<T>*> competing = [] {
        const auto& all = all_kernels<T>();
        const auto wanted = variable("WEFT_VECTORS");
        if (!wanted) return all;
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const Kernels<T>* one) { return one->target == *wanted; });
        if (found != all.end()) return std::vector<const Kernels<T>*>{*found};
        std::vector<std::string_view> names;
        names.reserve(all.size());
        for (const Kernels<T>* one : all) names.emplace_back(one->target);
        refuse_variable("WEFT_VECTORS", *wanted,
                        fmt::format("one of {}, which this machine and this build have",
                                    fmt::join(names, ", ")),
                        ErrorCode::not_available);
    }();
    return competing;
}

template const std::vector<const Kernels<float>*>& competing_kernels();
template const std::vector<const Kernels<double>*>& competing_kernels();

template <class T>
const Kernels<T>& best_kernels() {
    return *competing_kernels<T>().front();
}

template const Kernels<float>& best_kernels();
template const Kernels<double>& best_kernels();

}  // namespace weft::core::native

namespace weft::core {

std::vector<InstructionSet> native_instruction_sets() {
    return {
#define WEFT_TARGET(NAME) {#NAME, (native::supported() & HWY_##NAME) != 0},
#include "targets.inc"
#undef WEFT_TARGET
    };
}

}  // namespace weft::core
