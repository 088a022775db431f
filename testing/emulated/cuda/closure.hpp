// A callable of any type, kept in place: what a stream is to run, with the values it needs.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "device/device.hpp"

namespace weft::core::emulated {

/// As std::function<void(const DeviceView&)>, but of a size that holds what kernels may be passed
/// (4096 bytes), so that it allocates nothing.
class Closure {
  public:
    Closure() = default;
    template <class Call>
    requires(!std::is_same_v<std::remove_cvref_t<Call>, Closure>) explicit Closure(Call&& call) {
        using Held = std::remove_cvref_t<Call>;
        static_assert(sizeof(Held) <= most && alignof(Held) <= alignof(std::max_align_t),
                      "a kernel has at most 4096 bytes of arguments");
        new (storage_) Held(std::forward<Call>(call));
        traits_ = &traits_of<Held>;
    }
    ~Closure() { reset(); }
    Closure(const Closure& other) : traits_(other.traits_) {
        if (traits_ != nullptr) traits_->copy(other.storage_, storage_);
    }
    Closure& operator=(const Closure& other) {
        if (this == &other) return *this;
        reset();
        if (other.traits_ != nullptr) other.traits_->copy(other.storage_, storage_);
        traits_ = other.traits_;
        return *this;
    }

    void operator()(const DeviceView& view) {
        if (traits_ != nullptr) traits_->call(storage_, view);
    }
    /// Destroys what it holds.
    void reset() {
        if (traits_ != nullptr) traits_->destroy(storage_);
        traits_ = nullptr;
    }

  private:
    static constexpr std::size_t most = 4096 + 128;

    struct Traits {
        void (*call)(void* held, const DeviceView& view);
        void (*copy)(const void* held, void* to);
        void (*destroy)(void* held);
    };
    template <class Held>
    static constexpr Traits traits_of = {
        [](void* held, const DeviceView& view) { (*static_cast<Held*>(held))(view); },
        [](const void* held, void* to) { new (to) Held(*static_cast<const Held*>(held)); },
        [](void* held) { static_cast<Held*>(held)->~Held(); }};

    alignas(std::max_align_t) std::byte storage_[most];
    const Traits* traits_ = nullptr;
};

}  // namespace weft::core::emulated
