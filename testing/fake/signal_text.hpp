// A short text that a signal handler may read while other threads replace it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>

namespace weft::core {

/// The first 63 characters of a text. A reader beside a writer may see a mixture of the old text
/// and the new one, but nothing beyond them.
class SignalText {
  public:
    void set(std::string_view text) noexcept {
        const std::size_t length = text.size() < most ? text.size() : most;
        for (std::size_t i = 0; i < length; ++i) {
            text_[i].store(text[i], std::memory_order_relaxed);
        }
        text_[length].store('\0', std::memory_order_relaxed);
    }
    [[nodiscard]] bool empty() const noexcept {
        return text_[0].load(std::memory_order_relaxed) == '\0';
    }
    /// use(character) for each.
    template <class Use>
    void each(const Use& use) const noexcept {
        for (std::size_t i = 0; i < most; ++i) {
            const char one = text_[i].load(std::memory_order_relaxed);
            if (one == '\0') return;
            use(one);
        }
    }

  private:
    static constexpr std::size_t most = 63;
    std::array<std::atomic<char>, most + 1> text_{};
};

}  // namespace weft::core
