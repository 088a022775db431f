// The shared memory of a block of emulated threads, with bytes behind it that must stay as they
// are.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::core::emulated {

class SharedBlock {
  public:
    SharedBlock() = default;
    ~SharedBlock();
    SharedBlock(const SharedBlock&) = delete;
    SharedBlock& operator=(const SharedBlock&) = delete;

    /// Fills so many bytes, and the guard behind them, with 0xff.
    void start(std::size_t bytes);
    /// Throws Error(wrong_result) if a byte of the guard is not 0xff any more.
    void check() const;
    [[nodiscard]] std::byte* data() const { return begin_; }

  private:
    static constexpr std::size_t guard = 4096;
    void reveal() const;
    void hide() const;

    std::vector<std::byte> room_;
    std::byte* begin_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace weft::core::emulated
