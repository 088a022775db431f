// The C interface: C++ calls with exceptions turned into codes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/c_guard.hpp"
#include "api/c_plan.hpp"
#include "base/text.hpp"
#include "net/agree.hpp"
#include "plan/problem.hpp"
#include "weft/weft.h"
#include "weft/weft.hpp"

using weft::Box;
using weft::Index;
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

using weft::answer;
using weft::copied;
using weft::guarded;
using weft::is_out;
using weft::plan_of;
using weft::require;

/// The same for a collective call: `check`, which communicates with nobody, fails on all ranks if
/// it fails on one.
weft_code guarded_by_all(MPI_Comm comm, weft::core::FunctionRef<void()> check,
                         weft::core::FunctionRef<void()> work) {
    return guarded([&] {
        weft::core::require_mpi(comm);
        weft::core::all_or_none(comm, check);
        work();
    });
}

/// Structs grow at their end. A caller built with a smaller one will be told apart by its size.
void require_size(size_t given, size_t known, const char* name, const char* init) {
    if (given == known) return;
    bad_request(
        fmt::format("{}.struct_size is {}, but weft {} knows {} of {} bytes; initialise it with {} "
                    "of the weft.h that belongs to the library",
                    name, given, weft::version(), name, known, init));
}

// --- the struct as text ------------------------------------------------------------------------

/// ` name=value` of a member that is one word; nothing if it is NULL.
std::string setting(const char* name, const char* value) {
    if (value == nullptr) return "";
    if (weft::core::words(value).size() != 1) {
        bad_request(fmt::format("weft_problem.{} is '{}', but has to be one word", name, value));
    }
    return fmt::format(" {}={}", name, value);
}

template <class T>
std::vector<T> table(int count, const T* entries, const char* name) {
    if (count < 0 || count > WEFT_MAX_AXES) {
        bad_request(fmt::format("weft_problem has {} entries of {}, 0 to {} are possible", count,
                                name, WEFT_MAX_AXES));
    }
    if (count > 0) require(entries, name);
    return {entries, entries + count};
}

/// KIND:PRECISION:SHAPE*BATCH.
std::string head(const weft_problem& c) {
    const auto kind = static_cast<weft::Kind>(c.kind);
    const auto precision = static_cast<weft::Precision>(c.precision);
    const std::vector<Index> shape = table(c.dims, c.shape, "shape");
    if (!weft::core::is_value(kind) || !weft::core::is_value(precision)) {
        bad_request(
            fmt::format("weft_problem has kind {} and precision {}: one is no value of its type",
                        static_cast<int>(c.kind), static_cast<int>(c.precision)));
    }
    if (shape.empty()) bad_request("weft_problem.dims is 0: set dims and shape");
    return fmt::format(
        "{}:{}:{}*{}", to_string(kind),
        kind == weft::Kind::redistribute ? std::to_string(c.element_bytes) : to_string(precision),
        weft::core::join(shape, "x"), c.batch);
}

weft::Problem problem_of(const weft_problem* c) {
    require(c, "problem");
    require_size(c->struct_size, sizeof(weft_problem), "weft_problem", "WEFT_PROBLEM_INIT");
    std::string text = head(*c) + setting("in", c->in) + setting("out", c->out) +
                       setting("cut", c->cut) + setting("scale", c->scale);
    const std::vector<int> axes = table(c->axis_count, c->axes, "axes");
    if (!axes.empty()) text += " axes=" + weft::core::join(axes, ",");
    const std::vector<weft_axis_kind> kinds = table(c->kind_count, c->kinds, "kinds");
    for (size_t i = 0; i < kinds.size(); ++i) {
        const auto kind = static_cast<weft::AxisKind>(kinds[i]);
        if (!weft::core::is_value(kind)) {
            bad_request(fmt::format("weft_problem.kinds[{}] is {}, which is no weft_axis_kind", i,
                                    static_cast<int>(kinds[i])));
        }
        text += (i == 0 ? " kinds=" : ",") + to_string(kind);
    }
    if (c->halved != -1) text += fmt::format(" halved={}", c->halved);
    if (c->in_place != 0) text += " in_place";
    if (c->may_destroy_input != 0) text += " may_destroy_input";
    weft::Problem problem = weft::parse_problem(text);
    problem.element_bytes = c->element_bytes;  // a text has it only where it belongs
    weft::validate(problem);
    return problem;
}

// --- a caller's own boxes ----------------------------------------------------------------------

std::vector<Box> boxes_of(int count, int axes, const int64_t* lo, const int64_t* hi) {
    if (count < 0) bad_request(fmt::format("{} boxes are given", count));
    if (axes < 1 || axes > WEFT_MAX_AXES) {
        bad_request(fmt::format("boxes of {} axes, 1 to {} are possible", axes, WEFT_MAX_AXES));
    }
    if (count > 0) {
        require(lo, "lo");
        require(hi, "hi");
    }
    std::vector<Box> boxes;
    boxes.reserve(static_cast<size_t>(count));
    for (int b = 0; b < count; ++b, lo += axes, hi += axes) {
        boxes.push_back({{lo, lo + axes}, {hi, hi + axes}});
    }
    return boxes;
}

// --- queries -----------------------------------------------------------------------------------

std::vector<Box> boxes(const weft::Plan& plan, weft_end end, int rank) {
    return is_out(end) ? plan.out_boxes(rank) : plan.in_boxes(rank);
}

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

void require_size(const weft_arrays& arrays) {
    require_size(arrays.struct_size, sizeof(weft_arrays), "weft_arrays", "WEFT_ARRAYS_INIT");
}

}  // namespace

const char* weft_version() {
    static const std::string version = weft::version();
    return version.c_str();
}

void* weft_allocate(size_t bytes) {
    void* data = nullptr;
    guarded([&] {
        constexpr size_t most = std::numeric_limits<Index>::max();
        data = weft::detail::allocate_bytes(static_cast<Index>(std::min(bytes, most)));
        std::memset(data, 0, bytes);
    });
    return data;
}

void weft_free(void* data) { weft::detail::free_bytes(data); }

weft_code weft_boxes_text(int count, int axes, const int64_t* lo, const int64_t* hi, MPI_Comm comm,
                          char** text) {
    std::vector<Box> mine;
    return guarded_by_all(
        comm,
        [&] {
            require(text, "text");
            mine = boxes_of(count, axes, lo, hi);
        },
        [&] {
            std::vector<std::vector<Box>> all = weft::collect(mine, comm);
            // A batch axis has the number `axes` or none, and only an order would name it.
            weft::core::all_or_none(
                comm, [&] { *text = copied(to_string(weft::own_boxes(std::move(all)), axes)); });
        });
}

weft_code weft_plan_from_text(const char* text, MPI_Comm comm, weft_plan** plan) {
    std::unique_ptr<weft_plan> made;
    return guarded_by_all(
        comm,
        [&] {
            require(text, "text");
            require(plan, "plan");
            made = std::make_unique<weft_plan>(std::nullopt, comm);
        },
        [&] {
            made->plan = weft::Plan::parse(text, comm);
            *plan = made.release();
        });
}

weft_code weft_plan_create(const weft_problem* problem, const char* choice, MPI_Comm comm,
                           weft_plan** plan) {
    weft::Problem asked;
    weft::Choice how;
    std::unique_ptr<weft_plan> made;
    return guarded_by_all(
        comm,
        [&] {
            require(plan, "plan");
            asked = problem_of(problem);
            if (choice != nullptr) how = weft::parse_choice(choice);
            made = std::make_unique<weft_plan>(std::nullopt, comm);
        },
        [&] {
            made->plan = weft::Plan(asked, comm, how);
            *plan = made.release();
        });
}

weft_code weft_plan_for_ranks(const char* text, int ranks, weft_plan** plan) {
    return guarded([&] {
        require(text, "text");
        require(plan, "plan");
        *plan = new weft_plan{weft::Plan::for_ranks(ranks, text), MPI_COMM_NULL};
    });
}

void weft_plan_free(weft_plan** plan) {
    if (plan != nullptr) delete std::exchange(*plan, nullptr);
}

weft_code weft_plan_ranks(const weft_plan* plan, int* ranks) {
    return answer(plan, ranks, "ranks", [](const weft::Plan& p) { return p.ranks(); });
}

weft_code weft_plan_rank(const weft_plan* plan, int* rank) {
    return answer(plan, rank, "rank", [](const weft::Plan& p) { return p.rank(); });
}

weft_code weft_plan_text(const weft_plan* plan, char** text) {
    return answer(plan, text, "text", [](const weft::Plan& p) { return copied(p.text()); });
}

weft_code weft_plan_explain(const weft_plan* plan, char** text) {
    return answer(plan, text, "text", [](const weft::Plan& p) { return copied(p.explain()); });
}

weft_code weft_plan_size(const weft_plan* plan, weft_end end, int rank, int64_t* elements) {
    return answer(plan, elements, "elements", [&](const weft::Plan& p) {
        return is_out(end) ? p.out_size(rank) : p.in_size(rank);
    });
}

weft_code weft_plan_box_count(const weft_plan* plan, weft_end end, int rank, int* count) {
    return answer(plan, count, "count", [&](const weft::Plan& p) {
        return static_cast<int>(boxes(p, end, rank).size());
    });
}

weft_code weft_plan_box(const weft_plan* plan, weft_end end, int rank, int index, weft_box* box) {
    return guarded([&] {
        const weft::Plan& p = plan_of(plan);
        require(box, "box");
        require_size(box->struct_size, sizeof(weft_box), "weft_box", "WEFT_BOX_INIT");
        const std::vector<Box> owned = boxes(p, end, rank);
        if (index < 0 || index >= static_cast<int>(owned.size())) {
            bad_request(fmt::format("box {} of rank {}, which owns {}", index, rank, owned.size()));
        }
        const Box& found = owned[static_cast<size_t>(index)];
        const std::vector<Index> strides =
            is_out(end) ? p.out_strides(rank, index) : p.in_strides(rank, index);
        box->axes = found.axes();
        std::copy(found.lo.begin(), found.lo.end(), box->lo);
        std::copy(found.hi.begin(), found.hi.end(), box->hi);
        std::copy(strides.begin(), strides.end(), box->stride);
        box->offset = is_out(end) ? p.out_offset(rank, index) : p.in_offset(rank, index);
    });
}

weft_code weft_plan_order(const weft_plan* plan, weft_end end, int* order, int* axes) {
    return answer(plan, axes, "axes", [&](const weft::Plan& p) {
        require(order, "order");
        const std::vector<int> found = is_out(end) ? p.out_order() : p.in_order();
        std::copy(found.begin(), found.end(), order);
        return static_cast<int>(found.size());
    });
}

weft_code weft_plan_workspace_bytes(const weft_plan* plan, int rank, int64_t* bytes) {
    return answer(plan, bytes, "bytes",
                  [&](const weft::Plan& p) { return p.workspace_bytes(rank); });
}

weft_code weft_plan_region_bytes(const weft_plan* plan, int rank, int64_t* bytes) {
    return answer(plan, bytes, "bytes", [&](const weft::Plan& p) { return p.region_bytes(rank); });
}

weft_code weft_bind(const weft_plan* plan, void* in, void* out, weft_transform** transform) {
    weft_arrays arrays = WEFT_ARRAYS_INIT;
    arrays.fields = 1;
    arrays.in = &in;
    arrays.out = &out;
    return weft_bind_arrays(plan, &arrays, transform);
}

weft_code weft_bind_arrays(const weft_plan* plan, const weft_arrays* arrays,
                           weft_transform** transform) {
    if (plan == nullptr || plan->comm == MPI_COMM_NULL) {
        return guarded([&] { (void)plan_of(plan).bind_untyped(nullptr, nullptr); });
    }
    std::vector<void*> in;
    std::vector<void*> out;
    std::unique_ptr<weft_transform> made;
    return guarded_by_all(
        plan->comm,
        [&] {
            require(transform, "transform");
            require(arrays, "arrays");
            require_size(*arrays);
            in = fields_of(arrays->fields, arrays->in, "weft_arrays.in");
            out = fields_of(arrays->fields, arrays->out, "weft_arrays.out");
            made = std::make_unique<weft_transform>(*plan->plan, arrays->fields);
        },
        [&] {
            made->transform = plan->plan->bind_untyped(in, out, workspace_of(*arrays));
            *transform = made.release();
        });
}

weft_code weft_bind_any(const weft_plan* plan, const weft_arrays* arrays,
                        weft_transform** transform) {
    if (plan == nullptr || plan->comm == MPI_COMM_NULL) {
        return guarded([&] { (void)plan_of(plan).bind(); });
    }
    weft_arrays asked = WEFT_ARRAYS_INIT;
    asked.fields = 1;
    weft::Memory memory = weft::Memory::host;
    std::unique_ptr<weft_transform> made;
    return guarded_by_all(
        plan->comm,
        [&] {
            require(transform, "transform");
            if (arrays != nullptr) {
                require_size(*arrays);
                asked = *arrays;
            }
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
