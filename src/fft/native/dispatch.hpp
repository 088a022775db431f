// The kernels of one precision for every instruction set that was compiled and that this machine
// has.
#pragma once

#include <hwy/highway.h>

#include <mutex>
#include <vector>

#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// Which kernels Highway dispatches to is one state for all threads and both precisions.
inline std::mutex dispatch_mutex;

/// best() returns those that Highway dispatches to; best ones first.
template <class Best>
auto of_every_target(const Best& best) {
    std::vector<decltype(&best())> result;
#ifdef HWY_COMPILE_ONLY_STATIC
    result.push_back(&best());
#else
    const std::scoped_lock lock(dispatch_mutex);
    const auto use = [](int64_t targets) {
        hwy::SetSupportedTargetsForTest(targets);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    };
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        use(target);
        result.push_back(&best());
    }
    use(0);
#endif
    return result;
}

}  // namespace weft::core::native
