// The C++ interface: a Problem becomes a Plan, a Plan bound to arrays becomes a Transform.
//
//     weft::Plan plan({.shape = {256, 256, 256}}, MPI_COMM_WORLD);
//     auto in = weft::allocate<std::complex<double>>(plan.in_size());
//     auto out = weft::allocate<std::complex<double>>(plan.out_size());
//     weft::Transform fft = plan.bind(in.data(), out.data());
//     fft.forward();
//
// Arrays that change from call to call are arguments of the call (docs/arrays.md):
//
//     weft::Transform any = plan.bind();
//     any.forward(in.data(), out.data());
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/box.hpp"
#include "weft/choice.hpp"
#include "weft/error.hpp"
#include "weft/memory.hpp"
#include "weft/problem.hpp"

#pragma GCC visibility push(default)

namespace weft {

struct Internals;  ///< access of weft's own tools to the classes below
class Plan;

namespace detail {

struct ElementType {
    bool number = false;  ///< one of the four types of numbers; otherwise only a size
    Precision precision = Precision::f64;
    bool complex = false;
    Index bytes = 0;  ///< 0: not known
};

template <class T>
constexpr ElementType type_of() {
    if constexpr (std::is_void_v<T>) {
        return {};
    } else {
        static_assert(std::is_trivially_copyable_v<T>, "arrays are of plain values");
        constexpr bool f32 = std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>;
        constexpr bool real = std::is_same_v<T, float> || std::is_same_v<T, double>;
        constexpr bool number = real || f32 || std::is_same_v<T, std::complex<double>>;
        return {number, f32 ? Precision::f32 : Precision::f64, number && !real, sizeof(T)};
    }
}

/// The caller's arrays, one for each field. The list copies and allocates nothing, so it cannot
/// fail on one rank before all ranks are in the call.
struct ArrayList {
    const void* list;
    std::size_t count;
    ElementType type;
    void* (*at)(const void* list, std::size_t field);

    void* operator[](std::size_t field) const { return at(list, field); }
};

template <class T>
ArrayList list_of(T* const& array) {
    return {&array, 1, type_of<T>(), [](const void* list, std::size_t) {
                return static_cast<void*>(*static_cast<T* const*>(list));
            }};
}
template <class T>
ArrayList list_of(const std::vector<T*>& arrays) {
    return {&arrays, arrays.size(), type_of<T>(), [](const void* list, std::size_t field) {
                return static_cast<void*>((*static_cast<const std::vector<T*>*>(list))[field]);
            }};
}

}  // namespace detail

/// A plan bound to arrays, or to none yet. Movable, also while it is started; owns workspace,
/// engine plans and its part of a communicator. Its destructor is local, and safe even after
/// MPI_Finalize. The destructor of a started Transform waits for the other ranks that it needs, and
/// reports that on stderr.
class Transform {
  public:
    Transform(Transform&&) noexcept;
    Transform& operator=(Transform&&) noexcept;
    ~Transform();

    /// Collective. Transforms the input array into the output array, which is overwritten; the
    /// input array is kept (unless the plan is in place or may destroy its input). Elements outside
    /// the boxes, in padding or between strides, are not changed; in place these are the elements
    /// that belong to neither end. Allocates nothing. Equals start_forward() and wait(). Throws
    /// Error(system) if MPI fails, and Error(bad_request) as start_forward() does.
    void forward();
    /// Collective. The reverse: from the output array into the input array.
    void backward();

    /// Collective; for a Transform that was bound without arrays. Transforms the given arrays,
    /// which have the plan's types and sizes and may differ at each call. backward(in, out) reads
    /// `out` and writes `in`. A plan in place takes one array; several fields take lists of as many
    /// arrays as were bound. Other arrays need no planning, allocation or communication
    /// (docs/arrays.md).
    ///
    /// Throws Error(bad_request) on this rank alone, before anything has started, if the Transform
    /// was bound to arrays or is started; if a type is wrong; or if an array is null, overlaps
    /// another array or the workspace, is in other memory than the Transform was bound for, or is
    /// not aligned. Arrays are aligned to their element type, and those that the engine works on to
    /// 16 bytes with engine=fftw on the host and with every engine on a GPU.
    template <class In, class Out>
    void forward(const In& in, const Out& out) {
        start_forward(in, out);
        wait();
    }
    template <class In, class Out>
    void backward(const In& in, const Out& out) {
        start_backward(in, out);
        wait();
    }
    template <class Array>
    void forward(const Array& array) {
        forward(array, array);
    }
    template <class Array>
    void backward(const Array& array) {
        backward(array, array);
    }

    /// Local. Starts forward() (backward()) and returns without waiting for other ranks; test() or
    /// wait() completes it. Until then the caller does not touch the arrays and the workspace. Any
    /// number of Transforms may be started; all ranks start them in the same order, and wait for
    /// them in any order (docs/overlap.md). Throws Error(bad_request), on this rank alone, if it is
    /// started already or was bound without arrays.
    void start_forward();
    void start_backward();
    /// Local. Starts forward(in, out) (backward(in, out)). The arrays must stay valid until it is
    /// complete; a std::vector of pointers may be destroyed after this call. Throws as forward(in,
    /// out) and start_forward() do.
    template <class In, class Out>
    void start_forward(const In& in, const Out& out) {
        start_on(false, detail::list_of(in), detail::list_of(out));
    }
    template <class In, class Out>
    void start_backward(const In& in, const Out& out) {
        start_on(true, detail::list_of(in), detail::list_of(out));
    }
    template <class Array>
    void start_forward(const Array& array) {
        start_forward(array, array);
    }
    template <class Array>
    void start_backward(const Array& array) {
        start_backward(array, array);
    }
    /// Advances all transforms that this thread has started, on any communicator, and returns
    /// whether this one is complete, so that it may be started again. Returns true if it was not
    /// started. Exchange methods that block may wait in this call until other ranks test or wait.
    /// Throws Error(system) if MPI failed in this Transform.
    bool test();
    /// Waits until this Transform is complete, and advances all others that this thread has
    /// started. Returns at once if it was not started. Throws as test() does.
    void wait();

    /// Local; for a plan that is computed on a device. From now on a started transform runs after
    /// the work that the caller has put into this stream of the device (a cudaStream_t), and work
    /// that the caller puts there later runs after the transform. Starting does not wait for the
    /// stream. On one rank the whole transform is in the stream after the start, so the caller may
    /// use the stream at once; on several ranks the caller uses it after test() or wait() has
    /// reported that the transform is complete. The host reads arrays only after that report in any
    /// case. The stream must outlive its use. Without a stream, arrays must be ready when a
    /// transform is started (docs/devices.md). Throws Error(bad_request) if the stream does not
    /// belong to the device, the plan is computed on the host, or the Transform is started;
    /// Error(system) if the device fails.
    void set_stream(void* stream);
    /// Local. Removes the stream: later starts are not ordered with one. Throws Error(bad_request)
    /// if the Transform is started.
    void unset_stream();

    /// Local. The plan that forward() runs: the bound plan, with the carrier of each redistribution
    /// (`carrier=`) that binding has chosen.
    [[nodiscard]] Plan plan() const;

    struct State;

  private:
    friend class Plan;
    friend struct Internals;
    explicit Transform(std::unique_ptr<State> state);
    void start_on(bool backward, const detail::ArrayList& in, const detail::ArrayList& out);
    std::unique_ptr<State> state_;
};

/// Collective. Gathers the boxes that each rank gives: the result lists them by rank, as own_boxes
/// takes them. Throws the same Error on every rank: bad_request (MPI_COMM_NULL), system.
std::vector<std::vector<Box>> collect(const std::vector<Box>& mine, MPI_Comm comm);

/// How a problem is solved on a number of ranks: an inspectable value. Plans are cheap to copy;
/// equal plans have equal text. Queries are local and answer for any rank.
class Plan {
  public:
    Plan(const Plan&) = default;
    Plan& operator=(const Plan&) = default;
    /// Moving copies, so that a plan that was moved from is still one.
    // NOLINTNEXTLINE(performance-move-constructor-init)
    Plan(Plan&& other) noexcept : Plan(std::as_const(other)) {}
    Plan& operator=(Plan&& other) noexcept { return *this = std::as_const(other); }
    ~Plan() = default;

    /// Collective over comm. All ranks pass the same problem and choice. Plans of comm and their
    /// transforms keep and share duplicates of it: their messages never match the caller's, and
    /// comm may be freed before plans are bound or transforms run. Up to 32767 transforms of one
    /// communicator may exist. Throws the same Error on every rank: bad_request (not well formed,
    /// does not fit the ranks, or the ranks disagree: both values are quoted), not_available (the
    /// engine is not built in), system (MPI is not initialised).
    Plan(const Problem& problem, MPI_Comm comm, const Choice& choice = {});

    /// Collective: the plan of a text `PROBLEM[; CHOICE]` as text() prints it; ranks=, if there,
    /// must be the number of ranks of comm.
    static Plan parse(std::string_view text, MPI_Comm comm);

    /// Local: a plan for `ranks` ranks without MPI, to inspect. It cannot be bound. With a text,
    /// ranks = 0 means the text's `ranks=`. Throws Error as the constructor does.
    static Plan for_ranks(int ranks, const Problem& problem, const Choice& choice = {});
    static Plan for_ranks(int ranks, std::string_view text);

    [[nodiscard]] const Problem& problem() const;
    /// The complete choice.
    [[nodiscard]] const Choice& choice() const;
    [[nodiscard]] int ranks() const;
    /// The rank of this process in comm; 0 without MPI.
    [[nodiscard]] int rank() const;

    /// The boxes of the input (output) array that a rank owns, in elements, none of them empty.
    /// Axes have the lengths of the problem's shape, inside or modes (n/2+1 along the r2c axis).
    /// With batch > 1 the last axis of a box is the batch. Boxes lie one after the other in the
    /// rank's array.
    [[nodiscard]] std::vector<Box> in_boxes(int rank) const;
    [[nodiscard]] std::vector<Box> out_boxes(int rank) const;
    /// The box of that number. A rank that owns nothing has a box 0 too, without elements: it
    /// begins where the rank's part would, and is whole along axes that are not cut, so that bounds
    /// of slabs, pencils and grids ascend with the rank. Throws Error(bad_request) if there is no
    /// such box.
    [[nodiscard]] Box in_box(int rank, int box = 0) const;
    [[nodiscard]] Box out_box(int rank, int box = 0) const;
    /// The axes in memory, slowest first.
    [[nodiscard]] std::vector<int> in_order() const;
    [[nodiscard]] std::vector<int> out_order() const;
    /// Strides in elements, by axis, of box number `box` (see in_box) in a rank's array. An axis
    /// without elements counts as one of length 1.
    [[nodiscard]] std::vector<Index> in_strides(int rank, int box = 0) const;
    [[nodiscard]] std::vector<Index> out_strides(int rank, int box = 0) const;
    /// Offset of the first element of box number `box` in the rank's array, in elements.
    [[nodiscard]] Index in_offset(int rank, int box = 0) const;
    [[nodiscard]] Index out_offset(int rank, int box = 0) const;
    /// Elements that an array must hold on this process or on a given rank, padding included. In
    /// place both are the size of the one array, which holds the larger of input and output, each
    /// in elements of its own type.
    [[nodiscard]] Index in_size() const { return in_size(rank()); }
    [[nodiscard]] Index out_size() const { return out_size(rank()); }
    [[nodiscard]] Index in_size(int rank) const;
    [[nodiscard]] Index out_size(int rank) const;
    /// Bytes of workspace that a Transform of this plan needs on a rank, allocated by itself or
    /// lent as a Workspace. Tables of engines and buffers of MPI are not counted. The first call
    /// for a rank takes time in proportion to its messages, with tiles to its operations. Without
    /// MPI, ranks 0 to 63 are assumed to share node 0, 64 to 127 node 1, and so on;
    /// WEFT_RANKS_PER_NODE overrides 64.
    [[nodiscard]] Index workspace_bytes(int rank) const;
    /// Bytes of shared memory of the node that a Transform uses on a rank in addition to its
    /// workspace, if redistributions use via=shared. The communicator keeps it for later Transforms
    /// until the communicator is freed or MPI is finalised.
    [[nodiscard]] Index region_bytes(int rank) const;

    /// Collective. Binds the plan to this process's arrays: complex<T> or T as the problem's kind
    /// and precision say; to redistribute, any type of the element's size. Arrays must stay valid
    /// as long as the Transform lives; they need no alignment beyond their type's (64 bytes is
    /// fastest) and keep their contents. A rank that owns nothing may pass nullptr. A workspace of
    /// the caller's may be shared by Transforms that never run at the same time.
    /// Throws the same Error on every rank: bad_request (wrong element type, null or overlapping
    /// arrays, a workspace that is too small or not aligned), system (not enough memory, MPI).
    template <class In, class Out>
    Transform bind(In* in, Out* out, const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(in), detail::list_of(out), workspace);
    }
    /// Binds a plan in place: one array of in_size() elements of the input's type, which has the
    /// same bytes as out_size() elements of the output's type.
    template <class T>
    Transform bind(T* array, const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(array), detail::list_of(array), workspace);
    }
    /// Binds several fields, each with its arrays. One call transforms all fields with one
    /// workspace. All ranks give lists of the same length; an empty list transforms nothing.
    template <class In, class Out>
    Transform bind(const std::vector<In*>& in, const std::vector<Out*>& out,
                   const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(in), detail::list_of(out), workspace);
    }
    template <class T>
    Transform bind(const std::vector<T*>& fields, const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(fields), detail::list_of(fields), workspace);
    }

    /// Collective. Binds the plan without arrays: forward(in, out) takes them, other ones at each
    /// call if need be, and takes as long as forward(). For arrays that stay the same bind(in, out)
    /// can be faster: it exposes arrays of weft::allocate to the ranks of the node, if the plan
    /// begins or ends with a redistribution, and via=persistent and via=one-sided profit from fixed
    /// buffers. Without fixed buffers via=persistent sends by ordinary requests, and via=one-sided
    /// receives in memory of the transform and copies once more. Throws the same Error on every
    /// rank, as bind(in, out) does.
    [[nodiscard]] Transform bind(const Workspace& workspace = {}) const {
        return bind_fields(1, workspace);
    }
    /// Binds the plan without arrays, for calls with arrays in that memory on all ranks; bind() is
    /// for host memory. Device memory needs a plan that is computed on the device (`space=`).
    [[nodiscard]] Transform bind(Memory arrays, const Workspace& workspace = {}) const {
        return bind_fields(1, arrays, workspace);
    }
    /// Collective. Binds the plan without arrays, for calls with lists of `fields` arrays. With 0
    /// fields nothing is transformed.
    [[nodiscard]] Transform bind_fields(int fields, const Workspace& workspace = {}) const {
        return bind_fields(fields, Memory::host, workspace);
    }
    [[nodiscard]] Transform bind_fields(int fields, Memory arrays,
                                        const Workspace& workspace = {}) const;

    /// bind(in, out) for pointers without types, for bindings of other languages: the caller
    /// answers for the element types. In place `in` and `out` are equal.
    [[nodiscard]] Transform bind_untyped(void* in, void* out,
                                         const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(in), detail::list_of(out), workspace);
    }
    [[nodiscard]] Transform bind_untyped(const std::vector<void*>& in,
                                         const std::vector<void*>& out,
                                         const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(in), detail::list_of(out), workspace);
    }

    /// `PROBLEM; ranks=P; CHOICE`: one line, complete; parse() gives an equal plan.
    [[nodiscard]] std::string text() const;
    /// The stages and layouts in the notation of the papers, one per line.
    [[nodiscard]] std::string explain() const;

    friend bool operator==(const Plan& a, const Plan& b) { return a.text() == b.text(); }

    struct State;

  private:
    friend struct Internals;
    friend class Transform;

    explicit Plan(std::shared_ptr<const State> state);
    [[nodiscard]] Transform bind_arrays(const detail::ArrayList& in, const detail::ArrayList& out,
                                        const Workspace& workspace) const;

    std::shared_ptr<const State> state_;
};

}  // namespace weft

#pragma GCC visibility pop
