#include <utility>

#include "api/state.hpp"
#include "base/text.hpp"
#include "memory/buffer.hpp"
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
void* allocate_bytes(Index bytes) { return core::allocate_bytes(bytes); }
void free_bytes(void* data) noexcept { core::free_bytes(data); }
}  // namespace detail

std::string version() {
    return std::to_string(WEFT_VERSION_MAJOR) + "." + std::to_string(WEFT_VERSION_MINOR) + "." +
           std::to_string(WEFT_VERSION_PATCH);
}

}  // namespace weft
