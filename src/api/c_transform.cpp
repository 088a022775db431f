// The C interface: transforms.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/c_guard.hpp"
#include "api/c_plan.hpp"
#include "api/c_struct.hpp"
#include "base/text.hpp"
#include "net/agree.hpp"
#include "weft/plan.hpp"
#include "weft/weft.h"

using weft::core::bad_request;

// Made before what it holds, which is collective: so that no rank lacks the memory afterwards.
struct weft_transform {
    weft::Plan plan;  // shared, so that freeing the caller's handle takes nothing away
    std::optional<weft::Transform> transform;
    // Of the fields of the call under way, so that calls allocate nothing.
    std::vector<void*> in;
    std::vector<void*> out;

    weft_transform(weft::Plan its_plan, int fields)
        : plan(std::move(its_plan)),
          in(static_cast<size_t>(fields)),
          out(static_cast<size_t>(fields)) {}
};

namespace {

using weft::comm_of;
using weft::copied;
using weft::guarded;
using weft::guarded_by_all;
using weft::plan_of;
using weft::require;

template <class Work>
weft_code run(weft_transform* transform, const Work& work) {
    return guarded([&] {
        require(transform, "transform");
        work(*transform->transform);
    });
}

/// `work(transform, in, out)` with the lists of as many arrays as there are fields.
template <class Work>
weft_code run_on(weft_transform* transform, void* const* in, void* const* out, const Work& work) {
    return guarded([&] {
        require(transform, "transform");
        require(in, "in");
        require(out, "out");
        std::copy_n(in, transform->in.size(), transform->in.begin());
        std::copy_n(out, transform->out.size(), transform->out.begin());
        work(*transform->transform, transform->in, transform->out);
    });
}

void require_fields(int count) {
    if (count < 1) {
        bad_request(fmt::format("weft_arrays.fields is {}, at least 1 is needed", count));
    }
}

/// The arrays of one end.
std::vector<void*> fields_of(int count, void* const* arrays, const char* name) {
    require_fields(count);
    require(arrays, name);
    return {arrays, arrays + count};
}

weft::Workspace workspace_of(const weft_arrays& arrays) {
    return {arrays.workspace, arrays.workspace_bytes};
}

weft::Memory memory_of(const weft_arrays& arrays) {
    switch (arrays.memory) {
        case WEFT_MEMORY_HOST:
            return weft::Memory::host;
        case WEFT_MEMORY_DEVICE:
            return weft::Memory::device;
    }
    bad_request(fmt::format("weft_arrays.memory is {}, neither WEFT_MEMORY_HOST nor _DEVICE",
                            static_cast<int>(arrays.memory)));
}

weft_arrays known_arrays(const weft_arrays* given) {
    require(given, "arrays");
    weft_arrays result = WEFT_ARRAYS_INIT;
    constexpr size_t least = offsetof(weft_arrays, workspace);  // fields, in, out
    weft::take_struct(
        &result, given,
        {"weft_arrays", "WEFT_ARRAYS_INIT", sizeof result, least, alignof(weft_arrays)});
    return result;
}

}  // namespace

weft_code weft_bind(const weft_plan* plan, void* in, void* out, weft_transform** transform) {
    weft_arrays arrays = WEFT_ARRAYS_INIT;
    arrays.fields = 1;
    arrays.in = &in;
    arrays.out = &out;
    return weft_bind_arrays(plan, &arrays, transform);
}

weft_code weft_bind_arrays(const weft_plan* plan, const weft_arrays* arrays,
                           weft_transform** transform) {
    const MPI_Comm comm = comm_of(plan);
    if (comm == MPI_COMM_NULL) {
        return guarded([&] { (void)plan_of(plan).bind_untyped(nullptr, nullptr); });
    }
    weft_arrays asked = WEFT_ARRAYS_INIT;
    std::vector<void*> in;
    std::vector<void*> out;
    std::unique_ptr<weft_transform> made;
    return guarded_by_all(
        comm,
        [&] {
            require(transform, "transform");
            asked = known_arrays(arrays);
            in = fields_of(asked.fields, asked.in, "weft_arrays.in");
            out = fields_of(asked.fields, asked.out, "weft_arrays.out");
            made = std::make_unique<weft_transform>(*plan->plan, asked.fields);
        },
        [&] {
            made->transform = plan->plan->bind_untyped(in, out, workspace_of(asked));
            *transform = made.release();
        });
}

weft_code weft_bind_any(const weft_plan* plan, const weft_arrays* arrays,
                        weft_transform** transform) {
    const MPI_Comm comm = comm_of(plan);
    if (comm == MPI_COMM_NULL) {
        return guarded([&] { (void)plan_of(plan).bind(); });
    }
    weft_arrays asked = WEFT_ARRAYS_INIT;
    asked.fields = 1;
    weft::Memory memory = weft::Memory::host;
    std::unique_ptr<weft_transform> made;
    return guarded_by_all(
        comm,
        [&] {
            require(transform, "transform");
            if (arrays != nullptr) asked = known_arrays(arrays);
            require_fields(asked.fields);
            memory = memory_of(asked);
            if (asked.in != nullptr || asked.out != nullptr) {
                bad_request(
                    "weft_bind_any is given arrays; leave weft_arrays.in and out NULL, or call "
                    "weft_bind_arrays");
            }
            made = std::make_unique<weft_transform>(*plan->plan, asked.fields);
        },
        [&] {
            made->transform = plan->plan->bind_fields(asked.fields, memory, workspace_of(asked));
            *transform = made.release();
        });
}

weft_code weft_forward(weft_transform* transform) {
    return run(transform, [](weft::Transform& t) { t.forward(); });
}

weft_code weft_backward(weft_transform* transform) {
    return run(transform, [](weft::Transform& t) { t.backward(); });
}

weft_code weft_start_forward(weft_transform* transform) {
    return run(transform, [](weft::Transform& t) { t.start_forward(); });
}

weft_code weft_start_backward(weft_transform* transform) {
    return run(transform, [](weft::Transform& t) { t.start_backward(); });
}

weft_code weft_forward_on(weft_transform* transform, void* const* in, void* const* out) {
    return run_on(transform, in, out, [](auto& t, auto&... lists) { t.forward(lists...); });
}

weft_code weft_backward_on(weft_transform* transform, void* const* in, void* const* out) {
    return run_on(transform, in, out, [](auto& t, auto&... lists) { t.backward(lists...); });
}

weft_code weft_start_forward_on(weft_transform* transform, void* const* in, void* const* out) {
    return run_on(transform, in, out, [](auto& t, auto&... lists) { t.start_forward(lists...); });
}

weft_code weft_start_backward_on(weft_transform* transform, void* const* in, void* const* out) {
    return run_on(transform, in, out, [](auto& t, auto&... lists) { t.start_backward(lists...); });
}

weft_code weft_set_stream(weft_transform* transform, void* stream) {
    return run(transform, [&](weft::Transform& t) { t.set_stream(stream); });
}

weft_code weft_unset_stream(weft_transform* transform) {
    return run(transform, [](weft::Transform& t) { t.unset_stream(); });
}

weft_code weft_transform_plan_text(const weft_transform* transform, char** text) {
    return guarded([&] {
        require(transform, "transform");
        require(text, "text");
        *text = copied(transform->transform->plan().text());
    });
}

weft_code weft_test(weft_transform* transform, int* complete) {
    return run(transform, [&](weft::Transform& t) {
        require(complete, "complete");
        *complete = t.test() ? 1 : 0;
    });
}

weft_code weft_wait(weft_transform* transform) {
    return run(transform, [](weft::Transform& t) { t.wait(); });
}

void weft_transform_free(weft_transform** transform) {
    if (transform != nullptr) delete std::exchange(*transform, nullptr);
}
