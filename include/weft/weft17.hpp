// The C++ interface for C++17: the names of weft/weft.hpp over the C interface. Link weft::c, or
// weft-c of pkg-config.
//
//     weft::Problem problem;
//     problem.shape = {256, 256, 256};
//     weft::Plan plan(problem, MPI_COMM_WORLD);
//     auto in = weft::allocate<std::complex<double>>(plan.in_size());
//     auto out = weft::allocate<std::complex<double>>(plan.out_size());
//     weft::Transform fft = plan.bind(in.data(), out.data());
//     fft.forward();
//
// Each function does what the one of its name in weft/plan.hpp does, and is collective or local like
// it. There is less here: members of a Choice are texts, and a Plan has no problem() and no choice().
// A file includes this header or weft/weft.hpp; a program may have files of both.
#pragma once

#ifdef WEFT_VERSION_MAJOR
#error weft/weft17.hpp and weft/weft.hpp have the same names: include one of them
#endif

#include "weft/methods.hpp"
#include "weft/weft.h"
#include "weft/weft17_detail.hpp"

namespace weft {
// The library has the functions of weft/weft.hpp, whose names have no cxx17 in them.
inline namespace cxx17 {

class Plan;

/// A plan bound to arrays, or to none yet. Movable, not copyable.
class Transform {
  public:
    void forward() { detail::check(weft_forward(get())); }
    void backward() { detail::check(weft_backward(get())); }
    void start_forward() { detail::check(weft_start_forward(get())); }
    void start_backward() { detail::check(weft_start_backward(get())); }

    /// On these arrays, of a Transform that was bound to none: pointers, or vectors of pointers.
    template <class In, class Out>
    void forward(const In& in, const Out& out) {
        on(weft_forward_on, in, out);
    }
    template <class In, class Out>
    void backward(const In& in, const Out& out) {
        on(weft_backward_on, in, out);
    }
    template <class In, class Out>
    void start_forward(const In& in, const Out& out) {
        on(weft_start_forward_on, in, out);
    }
    template <class In, class Out>
    void start_backward(const In& in, const Out& out) {
        on(weft_start_backward_on, in, out);
    }
    template <class Array>
    void forward(const Array& array) {
        forward(array, array);
    }
    template <class Array>
    void backward(const Array& array) {
        backward(array, array);
    }

    bool test() {
        int complete = 0;
        detail::check(weft_test(get(), &complete));
        return complete != 0;
    }
    void wait() { detail::check(weft_wait(get())); }
    void set_stream(void* stream) { detail::check(weft_set_stream(get(), stream)); }
    void unset_stream() { detail::check(weft_unset_stream(get())); }
    /// The text of the plan that forward() runs.
    std::string plan_text() const {
        return detail::text_by([&](char** text) { return weft_transform_plan_text(get(), text); });
    }

  private:
    friend class Plan;
    struct Free {
        void operator()(weft_transform* transform) const { weft_transform_free(&transform); }
    };
    Transform(weft_transform* transform, detail::Elements elements, int fields)
        : transform_(transform), elements_(elements), fields_(fields) {}
    weft_transform* get() const { return transform_.get(); }

    template <class In, class Out>
    void on(weft_code (*run)(weft_transform*, void* const*, void* const*), const In& in,
            const Out& out) {
        const detail::Arrays from(in);
        const detail::Arrays to(out);
        const std::string wrong = elements_.wrong(from, to);
        if (!wrong.empty()) throw Error(ErrorCode::bad_request, wrong);
        if (from.list.size() != static_cast<std::size_t>(fields_) ||
            to.list.size() != from.list.size()) {
            throw Error(ErrorCode::bad_request,
                        "the lists have " + std::to_string(from.list.size()) + " and " +
                            std::to_string(to.list.size()) +
                            " arrays; the transform was bound for " + std::to_string(fields_));
        }
        detail::check(run(get(), from.list.data(), to.list.data()));
    }

    std::unique_ptr<weft_transform, Free> transform_;
    detail::Elements elements_;
    int fields_;
};

/// How a problem is solved on a number of ranks. Cheap to copy; equal plans have equal text.
class Plan {
  public:
    Plan(const Problem& problem, MPI_Comm comm, const Choice& choice = {}) {
        const detail::CProblem c(problem);
        const std::string how = detail::text_of(choice);
        weft_plan* plan = nullptr;
        detail::check(weft_plan_create(&c.problem, how.c_str(), comm, &plan));
        own(plan);
    }
    static Plan parse(const std::string& text, MPI_Comm comm) {
        return Plan(
            [&](weft_plan** plan) { return weft_plan_from_text(text.c_str(), comm, plan); });
    }
    /// Local: a plan to look at, which cannot be bound. Of a text, ranks 0 takes the text's ranks=.
    static Plan for_ranks(int ranks, const std::string& text) {
        return Plan(
            [&](weft_plan** plan) { return weft_plan_for_ranks(text.c_str(), ranks, plan); });
    }
    static Plan for_ranks(int ranks, const Problem& problem, const Choice& choice = {}) {
        const std::string how = detail::text_of(choice);
        return for_ranks(ranks, to_string(problem) + (how.empty() ? "" : "; " + how));
    }

    int ranks() const { return number<int>(weft_plan_ranks); }
    int rank() const { return number<int>(weft_plan_rank); }

    std::vector<Box> in_boxes(int rank) const { return boxes(WEFT_IN, rank); }
    std::vector<Box> out_boxes(int rank) const { return boxes(WEFT_OUT, rank); }
    Box in_box(int rank, int box = 0) const { return box_of(WEFT_IN, rank, box); }
    Box out_box(int rank, int box = 0) const { return box_of(WEFT_OUT, rank, box); }
    std::vector<int> in_order() const { return order(WEFT_IN); }
    std::vector<int> out_order() const { return order(WEFT_OUT); }
    std::vector<Index> in_strides(int rank, int box = 0) const {
        return strides(WEFT_IN, rank, box);
    }
    std::vector<Index> out_strides(int rank, int box = 0) const {
        return strides(WEFT_OUT, rank, box);
    }
    Index in_offset(int rank, int box = 0) const { return c_box(WEFT_IN, rank, box).offset; }
    Index out_offset(int rank, int box = 0) const { return c_box(WEFT_OUT, rank, box).offset; }
    Index in_size() const { return in_size(rank()); }
    Index out_size() const { return out_size(rank()); }
    Index in_size(int rank) const { return size(WEFT_IN, rank); }
    Index out_size(int rank) const { return size(WEFT_OUT, rank); }
    Index workspace_bytes(int rank) const { return of_rank(weft_plan_workspace_bytes, rank); }
    Index region_bytes(int rank) const { return of_rank(weft_plan_region_bytes, rank); }

    /// Of arrays of the types that the plan needs, one for each end, or lists of fields.
    template <class In, class Out>
    Transform bind(In* in, Out* out, const Workspace& workspace = {}) const {
        return bind_arrays(detail::Arrays(in), detail::Arrays(out), workspace);
    }
    template <class In, class Out>
    Transform bind(const std::vector<In*>& in, const std::vector<Out*>& out,
                   const Workspace& workspace = {}) const {
        return bind_arrays(detail::Arrays(in), detail::Arrays(out), workspace);
    }
    /// In place.
    template <class T>
    Transform bind(T* array, const Workspace& workspace = {}) const {
        return bind_arrays(detail::Arrays(array), detail::Arrays(array), workspace);
    }
    template <class T>
    Transform bind(const std::vector<T*>& fields, const Workspace& workspace = {}) const {
        return bind_arrays(detail::Arrays(fields), detail::Arrays(fields), workspace);
    }
    /// To no arrays: forward(in, out) brings them.
    Transform bind(const Workspace& workspace = {}) const {
        return bind_fields(1, Memory::host, workspace);
    }
    Transform bind(Memory memory, const Workspace& workspace = {}) const {
        return bind_fields(1, memory, workspace);
    }
    Transform bind_fields(int fields, const Workspace& workspace = {}) const {
        return bind_fields(fields, Memory::host, workspace);
    }
    Transform bind_fields(int fields, Memory memory, const Workspace& workspace = {}) const {
        weft_arrays arrays = detail::arrays_of(fields, workspace);
        arrays.memory = static_cast<weft_memory>(memory);
        return bound(weft_bind_any, arrays);
    }

    /// `PROBLEM; ranks=P; CHOICE`: one line, complete; parse() gives an equal plan.
    std::string text() const {
        return detail::text_by([&](char** text) { return weft_plan_text(get(), text); });
    }
    std::string explain() const {
        return detail::text_by([&](char** text) { return weft_plan_explain(get(), text); });
    }
    friend bool operator==(const Plan& a, const Plan& b) { return a.text() == b.text(); }
    friend bool operator!=(const Plan& a, const Plan& b) { return !(a == b); }

  private:
    template <class Make, class = decltype(std::declval<Make>()(static_cast<weft_plan**>(nullptr)))>
    explicit Plan(const Make& make) {
        weft_plan* plan = nullptr;
        detail::check(make(&plan));
        own(plan);
    }
    void own(weft_plan* plan) {
        plan_.reset(plan, [](weft_plan* last) { weft_plan_free(&last); });
    }
    const weft_plan* get() const { return plan_.get(); }

    template <class T>
    T number(weft_code (*ask)(const weft_plan*, T*)) const {
        T value{};
        detail::check(ask(get(), &value));
        return value;
    }
    Index of_rank(weft_code (*ask)(const weft_plan*, int, int64_t*), int rank) const {
        int64_t value = 0;
        detail::check(ask(get(), rank, &value));
        return value;
    }
    Index size(weft_end end, int rank) const {
        int64_t elements = 0;
        detail::check(weft_plan_size(get(), end, rank, &elements));
        return elements;
    }
    weft_box c_box(weft_end end, int rank, int index) const {
        weft_box box = WEFT_BOX_INIT;
        detail::check(weft_plan_box(get(), end, rank, index, &box));
        return box;
    }
    Box box_of(weft_end end, int rank, int index) const {
        const weft_box box = c_box(end, rank, index);
        return {{box.lo, box.lo + box.axes}, {box.hi, box.hi + box.axes}};
    }
    std::vector<Box> boxes(weft_end end, int rank) const {
        int count = 0;
        detail::check(weft_plan_box_count(get(), end, rank, &count));
        std::vector<Box> all;
        all.reserve(static_cast<std::size_t>(count));
        for (int index = 0; index < count; ++index) all.push_back(box_of(end, rank, index));
        return all;
    }
    std::vector<Index> strides(weft_end end, int rank, int index) const {
        const weft_box box = c_box(end, rank, index);
        return {box.stride, box.stride + box.axes};
    }
    std::vector<int> order(weft_end end) const {
        int axes = 0;
        int slowest_first[WEFT_MAX_AXES] = {};
        detail::check(weft_plan_order(get(), end, slowest_first, &axes));
        return {slowest_first, slowest_first + axes};
    }

    detail::Elements elements() const {
        detail::Elements all;
        int64_t in = 0;
        int64_t out = 0;
        detail::check(weft_plan_kind(get(), &all.kind));
        detail::check(weft_plan_element_bytes(get(), WEFT_IN, &in));
        detail::check(weft_plan_element_bytes(get(), WEFT_OUT, &out));
        detail::check(weft_plan_in_place(get(), &all.in_place));
        all.in_bytes = in;
        all.out_bytes = out;
        return all;
    }
    Transform bound(weft_code (*make)(const weft_plan*, const weft_arrays*, weft_transform**),
                    const weft_arrays& arrays) const {
        weft_transform* transform = nullptr;
        detail::check(make(get(), &arrays, &transform));
        return {transform, elements(), arrays.fields};
    }
    Transform bind_arrays(const detail::Arrays& in, const detail::Arrays& out,
                          const Workspace& workspace) const {
        std::string wrong = elements().wrong(in, out);
        if (in.list.size() != out.list.size())
            wrong = "there are other numbers of arrays at the two ends";
        detail::check(weft_plan_agree(get(), wrong.empty() ? nullptr : wrong.c_str()));
        weft_arrays arrays = detail::arrays_of(static_cast<int>(in.list.size()), workspace);
        arrays.in = in.list.data();
        arrays.out = out.list.data();
        return bound(weft_bind_arrays, arrays);
    }

    std::shared_ptr<weft_plan> plan_;
};

}  // namespace cxx17
}  // namespace weft
