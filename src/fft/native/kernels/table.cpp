// The table of kernels of one instruction set and precision.
#include "fft/native/kernels_table.hpp"

namespace weft::core::native::HWY_NAMESPACE {

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
        add_real_lines(k);
        add_staging(k);
        return k;
    }();
    return table;
}
template const Kernels<WEFT_REAL>& kernels();

}  // namespace weft::core::native::HWY_NAMESPACE
