#include "testing/emulated/cuda/fiber.hpp"

#include <sys/mman.h>

#include <cstdint>

#include "weft/error.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace weft::core::emulated {

Fiber::Fiber(Entry entry, void* argument) : entry_(entry), argument_(argument) {
    void* stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) {
        throw Error(ErrorCode::system,
                    "no memory for the stack of an emulated GPU's thread; free "
                    "some, or use fewer threads in a block");
    }
    stack_ = static_cast<std::byte*>(stack);
    getcontext(&own_);
    own_.uc_stack.ss_sp = stack_;
    own_.uc_stack.ss_size = stack_bytes;
    own_.uc_link = nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&own_, reinterpret_cast<void (*)()>(&Fiber::start), 2,
                static_cast<unsigned>(address >> 32U), static_cast<unsigned>(address));
#if defined(__SANITIZE_THREAD__)
    own_race_state_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(own_race_state_);
#endif
    munmap(stack_, stack_bytes);
}

void Fiber::start(unsigned high, unsigned low) {
    const auto address = (static_cast<std::uintptr_t>(high) << 32U) | low;
    auto* fiber = reinterpret_cast<Fiber*>(address);  // NOLINT(performance-no-int-to-ptr)
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &fiber->caller_stack_, &fiber->caller_bytes_);
#endif
    fiber->entry_(fiber->argument_);
}

void Fiber::resume() {
#if defined(__SANITIZE_THREAD__)
    caller_race_state_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_race_state_, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
    void* fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, stack_, stack_bytes);
#endif
    swapcontext(&caller_, &own_);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

void Fiber::suspend() {
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(caller_race_state_, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&own_fake_stack_, caller_stack_, caller_bytes_);
#endif
    swapcontext(&own_, &caller_);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(own_fake_stack_, &caller_stack_, &caller_bytes_);
#endif
}

}  // namespace weft::core::emulated
