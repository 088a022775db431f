#include <cstdio>
#include <utility>

#include "api/started.hpp"
#include "api/state.hpp"
#include "base/text.hpp"
#include "memory/buffer.hpp"
#include "memory/shared_memory.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "weft/allocate.hpp"
#include "weft/plan.hpp"
#include "weft/version.hpp"

namespace weft {

Transform::Transform(std::unique_ptr<State> state) : state_(std::move(state)) {}
Transform::Transform(Transform&&) noexcept = default;
Transform& Transform::operator=(Transform&&) noexcept = default;
Transform::~Transform() = default;

void Transform::State::make_instance() {
    std::shared_ptr<core::Started> all;
    std::vector<core::Executor*> forward;
    std::vector<core::Executor*> backward;
    bool waits = false;
    net->all_or_none([&] {
        all = started_of_process();
        forward.reserve(fields.size());
        backward.reserve(fields.size());
        for (const auto& field : fields) {
            forward.push_back(&field->executor(false));
            backward.push_back(&field->executor(true));
            waits = waits || forward.back()->any_waits() || backward.back()->any_waits();
        }
    });
    const bool in_turn = core::on_any_rank(net->whole(), waits);
    net->all_or_none([&] {
        instance.emplace(std::move(all), std::move(forward), std::move(backward), in_turn);
    });
}

// Peers need this rank's part of it, and may yet read and write the arrays.
Transform::State::~State() {
    if (!instance || core::mpi_is_finalised() || instance->advance()) return;
    std::fprintf(stderr,
                 "weft: a Transform is destroyed between its start and wait(), and waits for the "
                 "other ranks to complete it\n");
    try {
        instance->wait();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weft: it failed: %s\n", error.what());
    }
}

namespace {

core::Instance& instance_of(const std::unique_ptr<Transform::State>& state) {
    if (state == nullptr)
        core::bad_request("this Transform was moved from; use the one it went to");
    return *state->instance;
}

void run(core::Instance& instance, bool backward) {
    instance.start(backward);
    instance.wait();
}

}  // namespace

void Transform::forward() { run(instance_of(state_), false); }
void Transform::backward() { run(instance_of(state_), true); }
void Transform::start_forward() { instance_of(state_).start(false); }
void Transform::start_backward() { instance_of(state_).start(true); }
bool Transform::test() { return instance_of(state_).test(); }
void Transform::wait() { instance_of(state_).wait(); }

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
