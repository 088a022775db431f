#include <utility>

#include "api/state.hpp"
#include "base/text.hpp"
#include "memory/buffer.hpp"
#include "memory/shared_memory.hpp"
#include "weft/allocate.hpp"
#include "weft/plan.hpp"
#include "weft/version.hpp"

namespace weft {

Transform::Transform(std::unique_ptr<State> state) : state_(std::move(state)) {}
Transform::Transform(Transform&&) noexcept = default;
Transform& Transform::operator=(Transform&&) noexcept = default;
Transform::~Transform() = default;

namespace {

/// All fields, one after the other.
void run(Transform::State* state, bool backward) {
    if (state == nullptr)
        core::bad_request("this Transform was moved from; use the one it went to");
    for (const auto& field : state->fields) {
        core::Executor& executor = field->executor(backward);
        executor.start();
        while (!executor.done()) executor.advance_blocking();
    }
}

}  // namespace

void Transform::forward() { run(state_.get(), false); }
void Transform::backward() { run(state_.get(), true); }

namespace detail {
void* allocate_bytes(Index bytes) {
    // Smaller arrays are as fast to copy as they are to store to directly, and would cost a page.
    constexpr Index worth_sharing = Index{1} << 16;
    constexpr Index most = Index{1} << 46;
    void* data = bytes >= worth_sharing && bytes < most ? core::allocate_shared(bytes) : nullptr;
    return data != nullptr ? data : core::allocate_bytes(bytes);
}
void free_bytes(void* data) noexcept {
    if (data != nullptr && !core::free_shared(data)) core::free_bytes(data);
}
}  // namespace detail

std::string version() {
    return std::to_string(WEFT_VERSION_MAJOR) + "." + std::to_string(WEFT_VERSION_MINOR) + "." +
           std::to_string(WEFT_VERSION_PATCH);
}

}  // namespace weft
