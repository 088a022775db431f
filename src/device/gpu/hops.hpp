// Strided copies between the host's memory and a GPU's.
#pragma once

#include <vector>

#include "device/device.hpp"
#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Copies by the GPU's copy engines, a pitched plane at a time: the two fastest loops of a task
/// whose elements, or rows of them, are contiguous on both sides make a plane.
class Hops final : public PreparedWork {
  public:
    explicit Hops(const std::vector<CopyTask>& tasks);
    void run(const DeviceView& view, std::span<std::byte* const> places) override;

  private:
    /// `rows` rows of `bytes`, from one to the next so many bytes on either side.
    struct Plane {
        Index from = 0;
        Index to = 0;
        Index bytes = 0;
        Index rows = 1;
        Index from_pitch = 0;
        Index to_pitch = 0;
    };
    void add(const CopyTask& task);

    std::vector<Plane> planes_;
};

}  // namespace weft::core::WEFT_GPU_TARGET
