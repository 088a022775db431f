// Memory of the emulated GPU for the tables of kernels.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "weft/box.hpp"

namespace weft::core::test {

/// Keeps copies of tables at multiples of 16 bytes.
class Tables {
  public:
    const std::byte* operator()(const std::byte* table, Index bytes) {
        kept_.push_back(std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes)));
        std::memcpy(kept_.back().get(), table, static_cast<std::size_t>(bytes));
        return kept_.back().get();
    }

  private:
    std::vector<std::unique_ptr<std::byte[]>> kept_;
};

}  // namespace weft::core::test
