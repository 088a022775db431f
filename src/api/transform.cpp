#include <cstdio>
#include <utility>

#include "api/state.hpp"
#include "base/text.hpp"
#include "memory/buffer.hpp"
#include "memory/shared_memory.hpp"
#include "net/agree.hpp"
#include "net/mpi_ending.hpp"
#include "net/mpi_error.hpp"
#include "plan/placement.hpp"
#include "weft/allocate.hpp"
#include "weft/plan.hpp"
#include "weft/version.hpp"

namespace weft {

Transform::Transform(std::unique_ptr<State> state) : state_(std::move(state)) {}
Transform::Transform(Transform&&) noexcept = default;
Transform& Transform::operator=(Transform&&) noexcept = default;
Transform::~Transform() = default;

void Transform::State::make_execution() {
    std::shared_ptr<core::InFlight> all;
    std::unique_ptr<core::Ending> ending;
    core::Numbers waits{};
    const bool ends_together = plan->plan.placements.on_device() && net->ranks() > 1;
    // Ranks come to the ends of several transforms in any order.
    const MPI_Comm of_ends = ends_together ? net->own_whole() : MPI_COMM_NULL;
    const auto prepare = [&] {
        all = in_flight_of_process();
        for (const auto& one : runs.executors) {
            if (one->any_waits()) waits[0] = 1;
        }
        if (ends_together) ending = std::make_unique<core::MpiEnding>(of_ends);
    };
    core::all_or_none(net->whole(), prepare, waits);
    const bool in_turn = waits[0] != 0;
    net->all_or_none([&] { execution.emplace(std::move(all), in_turn, std::move(ending)); });
}

void Transform::State::start(bool backward) {
    if (!has_arrays) {
        core::bad_request(
            "this Transform was bound to no arrays; give them to the call, as forward(in, out), or "
            "to Plan::bind");
    }
    execution->start(runs.turns(backward));
}

void Transform::State::run(bool backward) {
    start(backward);
    execution->wait();
}

void Transform::State::start_on(bool backward, const detail::ArrayList& in,
                                const detail::ArrayList& out) {
    if (has_arrays) {
        core::bad_request(
            "this Transform is bound to its arrays and takes no others; Plan::bind() without "
            "arrays gives a Transform for any arrays");
    }
    execution->require_complete();
    checks->check(in, out);
    checks->require_memory_of(arrays_of);
    std::vector<core::Turn>& turns = runs.turns(backward);
    for (std::size_t field = 0; field < turns.size(); ++field) {
        turns[field].input = static_cast<std::byte*>(backward ? out[field] : in[field]);
        turns[field].output = static_cast<std::byte*>(backward ? in[field] : out[field]);
    }
    execution->start(turns);
}

void Transform::State::set_stream(std::optional<void*> stream) {
    execution->require_complete();
    if (!device_work) {
        core::bad_request(
            plan->plan.placements.mixed()
                ? "a stream is given, but this rank computes on the host; give a stream only on "
                  "ranks that compute on the device"
                : "a stream is given, but the plan is computed on the host; say space= and the "
                  "device's name in the plan's choice");
    }
    device_work->set_caller(stream ? device_work->device().adopt(*stream) : nullptr);
}

// Peers need this rank's part of it, and may yet read and write the arrays.
Transform::State::~State() {
    if (!execution || core::mpi_is_finalised() || execution->advance()) return;
    std::fprintf(stderr,
                 "weft: a Transform is destroyed between its start and wait(), and waits for the "
                 "other ranks to complete it\n");
    try {
        execution->wait();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weft: the transform failed: %s\n", error.what());
    }
}

namespace {

Transform::State& state_of(const std::unique_ptr<Transform::State>& state) {
    if (state == nullptr)
        core::bad_request(
            "this Transform was moved from; use the Transform that now holds its plan");
    return *state;
}

}  // namespace

void Transform::forward() { state_of(state_).run(false); }
void Transform::backward() { state_of(state_).run(true); }
void Transform::start_forward() { state_of(state_).start(false); }
void Transform::start_backward() { state_of(state_).start(true); }
void Transform::start_on(bool backward, const detail::ArrayList& in, const detail::ArrayList& out) {
    state_of(state_).start_on(backward, in, out);
}
void Transform::set_stream(void* stream) { state_of(state_).set_stream(stream); }
void Transform::unset_stream() { state_of(state_).set_stream(std::nullopt); }
bool Transform::test() { return state_of(state_).execution->test(); }
void Transform::wait() { state_of(state_).execution->wait(); }
Plan Transform::plan() const { return Plan(state_of(state_).plan); }

namespace detail {
void* allocate_bytes(Index bytes) {
    // Smaller arrays are as fast to copy as they are to store to directly, and would cost a page.
    constexpr Index worth_sharing = Index{1} << 16;
    constexpr Index most = Index{1} << 46;
    void* data = bytes >= worth_sharing && bytes < most ? core::allocate_shared(bytes) : nullptr;
    if (data == nullptr) return core::allocate_bytes(bytes);
    core::take_pages(data);
    return data;
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
