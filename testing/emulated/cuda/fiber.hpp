// A stack of its own for code that stops in the middle and goes on later, in the same thread.
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace weft::core::emulated {

/// Runs entry(argument) on a stack of its own when it is first resumed. The entry calls
/// suspend() to go back to whoever resumed it, and never returns. Sanitizers are told.
class Fiber {
  public:
    using Entry = void (*)(void* argument);
    /// Throws Error(system) if there is no memory for the stack.
    Fiber(Entry entry, void* argument);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Called outside of fibers.
    void resume();
    /// Called within the fiber.
    void suspend();

  private:
    static constexpr std::size_t stack_bytes = std::size_t{256} << 10;

    static void start(unsigned high, unsigned low);

    Entry entry_;
    void* argument_;
    std::byte* stack_;
    ucontext_t own_{};
    ucontext_t caller_{};
    // What sanitizers call the two stacks; unused without them.
    void* own_fake_stack_ = nullptr;
    const void* caller_stack_ = nullptr;
    std::size_t caller_bytes_ = 0;
    void* own_race_state_ = nullptr;
    void* caller_race_state_ = nullptr;
};

}  // namespace weft::core::emulated
