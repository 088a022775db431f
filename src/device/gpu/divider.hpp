// Division of 32-bit numbers by one that is known in advance: a multiplication and a shift.
#pragma once

#include <cstdint>

#include "device/gpu/kernel.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Divides n < 2^31 by d, 1 <= d < 2^31.
///
/// With 2^s >= d the quotient is n*m / 2^(32+s) for m = ceil(2^(32+s) / d), which has 33 bits: its
/// highest one is added. (T. Granlund, P. Montgomery, "Division by invariant integers using
/// multiplication", 1994.)
///
/// Example: d = 6, s = 3, m = 2^32 + 1431655766; 13 is divided as (4 + 13) >> 3 = 2.
class Divider {
  public:
    Divider() = default;
    explicit Divider(std::uint32_t divisor) : divisor_(divisor) {
        while ((std::uint32_t{1} << shift_) < divisor) ++shift_;
        const std::uint64_t excess = (std::uint64_t{1} << shift_) - divisor;
        magic_ = static_cast<std::uint32_t>((excess << 32U) / divisor + 1);
    }
    [[nodiscard]] WEFT_BOTH_CODE std::uint32_t divisor() const { return divisor_; }
    /// The quotient; the remainder replaces n.
    [[nodiscard]] WEFT_BOTH_CODE std::uint32_t split(std::uint32_t& n) const {
        const std::uint32_t quotient = over(n);
        n -= quotient * divisor_;
        return quotient;
    }
    [[nodiscard]] WEFT_BOTH_CODE std::uint32_t over(std::uint32_t n) const {
        const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * magic_) >> 32U);
        return (high + n) >> shift_;
    }

  private:
    std::uint32_t divisor_ = 1;
    std::uint32_t magic_ = 1;
    std::uint32_t shift_ = 0;
};

}  // namespace weft::core::WEFT_GPU_TARGET
