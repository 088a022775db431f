// Where a program's buffers are, and who does its operations.
#pragma once

#include <utility>

#include "net/shared_region.hpp"
#include "run/device_work.hpp"

namespace weft::core {

/// The memory that a program works in.
struct Bound {
    std::byte* in = nullptr;  ///< the arrays; null also where each start brings its own
    std::byte* out = nullptr;
    std::byte* workspace = nullptr;
    /// Of a program on a device: its queues, and memory of the host that data is staged in.
    DeviceWork* device = nullptr;
    std::byte* staging = nullptr;
    /// The regions by which the ranks of the node access the arrays; null: they cannot.
    SharedRegion* in_region = nullptr;
    SharedRegion* out_region = nullptr;
    /// No other arrays will be used, as it must be where they are exposed; on all ranks or on none.
    bool fixed = false;
    /// Some arrays that will be used are no multiples of the engine's alignment.
    bool any_alignment = false;

    /// For the program of the other direction.
    [[nodiscard]] Bound reversed() const {
        Bound result = *this;
        std::swap(result.in, result.out);
        std::swap(result.in_region, result.out_region);
        return result;
    }
};

}  // namespace weft::core
