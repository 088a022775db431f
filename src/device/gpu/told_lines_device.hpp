// The kernel that transforms lines of a length that it is told.
#pragma once

#include "device/gpu/line_device.hpp"

namespace weft::core::WEFT_GPU_TARGET {

template <class Real, Kind kind, bool Many>
WEFT_KERNEL void WEFT_THREADS(most_line_threads, 1)
    do_told_lines(const WEFT_CONSTANT_ARGUMENT LineArguments given) {
    do_lines_in<ToldPasses, Real, kind, Many>(where_launched(given));
}

/// Puts addresses into a table.
template <class Address>
WEFT_KERNEL void WEFT_THREADS(carried_places, 1)
    set_places(const PlaceAddresses from, Address* table) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < from.count) table[from.first + i] = from.address[i];
}

void launch_places(const PlaceAddresses& addresses, std::byte** table, cudaStream_t stream) {
    launch({1, carried_places, 0, stream}, &set_places<std::byte*>, addresses, table);
}

template <class Real>
void launch_lines_of(const LineArguments& args, const Launch& how) {
    with_variant(args, [&](auto kind, auto many) {
        launch(how, &do_told_lines<Real, decltype(kind)::value, decltype(many)::value>, args);
    });
}

void launch_lines(Precision precision, const LineArguments& arguments, const LineLaunch& how,
                  cudaStream_t stream) {
    const Launch launch{arguments.blocks, how.threads, how.shared_bytes, stream};
    if (precision == Precision::f64) {
        launch_lines_of<double>(arguments, launch);
    } else {
        launch_lines_of<float>(arguments, launch);
    }
}

void launch_fixed_lines(Precision precision, const LineArguments& arguments, const LineLaunch& how,
                        cudaStream_t stream) {
    if (precision == Precision::f64) {
        launch_fixed_lines_of<double>(arguments, how, stream);
    } else {
        launch_fixed_lines_of<float>(arguments, how, stream);
    }
}

}  // namespace weft::core::WEFT_GPU_TARGET
