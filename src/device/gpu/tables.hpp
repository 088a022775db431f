// Tables of kernels in the memory of a GPU.
#pragma once

#include <memory>
#include <vector>

#include "base/index.hpp"
#include "device/device.hpp"
#include "device/gpu/check.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Keeps the tables that are put there; a KeepTable (copy_tables.hpp).
class Tables {
  public:
    explicit Tables(Device& device) : device_(device) {}

    const std::byte* operator()(const std::byte* table, Index bytes) {
        memory_.push_back(device_.allocate(bytes, "tables of kernels"));
        check(cudaMemcpy(memory_.back()->data(), table, usize(bytes), cudaMemcpyHostToDevice),
              "cudaMemcpy of a table");
        return memory_.back()->data();
    }

  private:
    Device& device_;
    std::vector<std::unique_ptr<DeviceMemory>> memory_;
};

}  // namespace weft::core::WEFT_GPU_TARGET
