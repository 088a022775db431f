// The C++ interface: a Problem becomes a Plan, a Plan bound to arrays becomes a Transform.
//
//     weft::Plan plan({.shape = {256, 256, 256}}, MPI_COMM_WORLD);
//     auto in = weft::allocate<std::complex<double>>(plan.in_size());
//     auto out = weft::allocate<std::complex<double>>(plan.out_size());
//     weft::Transform fft = plan.bind(in.data(), out.data());
//     fft.forward();
//
// Arrays that change from call to call are given to the call (docs/arrays.md):
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

struct Internals;  ///< what weft's own tools see of the classes below
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

/// Arrays that the caller lists, one for each field. Nothing is copied, so that listing them can
/// not fail on one rank before all ranks are in the call, and allocates nothing.
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
/// engine plans and its part of a communicator. Destroying it is local, and safe even after
/// MPI_Finalize; if it is started, and needs other ranks to complete, that waits for them, and says
/// so on stderr.
class Transform {
  public:
    Transform(Transform&&) noexcept;
    Transform& operator=(Transform&&) noexcept;
    ~Transform();

    /// Collective. Transforms the input array into the output array, which is overwritten; the
    /// input array is kept (unless the plan is in place or may destroy its input). Elements that
    /// padding and strides leave between those of the boxes stay as they are; in place those that
    /// belong to neither end. Allocates nothing. It is start_forward() and wait().
    /// Throws Error(system) if MPI fails, Error(bad_request) as start_forward() does.
    void forward();
    /// Collective. The reverse: from the output array into the input array.
    void backward();

    /// Collective, of a Transform that was bound to no arrays. What forward() (backward()) does, on
    /// these: any of the plan's types and sizes, others at each call. backward(in, out) reads `out`
    /// and writes `in`. One array for a plan in place; lists of as many fields as were bound.
    /// Nothing is planned, allocated or communicated for it (docs/arrays.md).
    ///
    /// Throws Error(bad_request) on this rank alone, before anything has started, if a type is
    /// wrong, an array is null or overlaps another one or the caller's workspace, is not aligned
    /// to its element type or, where the engine works on it, to the engine's alignment: 16 bytes
    /// for engine=fftw on the host's arrays and for every engine on a GPU's; or is of another
    /// memory than the Transform was bound for; as start_forward(); and if it was bound to arrays.
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

    /// Local. Starts what forward() (backward()) does and returns without waiting for other ranks;
    /// test() and wait() complete it. Until then the arrays, and a workspace of the caller's,
    /// belong to it, while the caller does something else. Any number of Transforms may be started;
    /// all ranks start theirs in the same order, and wait for them in any order (docs/overlap.md).
    /// Throws Error(bad_request), on this rank alone, if it is started already or was bound to no
    /// arrays.
    void start_forward();
    void start_backward();
    /// Local. Starts what forward() (backward()) with these arrays does; they are to stay until it
    /// is complete, lists of them are not. Throws as that and start_forward() do.
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
    /// Takes all that this thread has started as far as it can go now, whatever their
    /// communicators, and tells whether this Transform is complete, which then may be started
    /// again; true if it was not started. Exchange methods that block may wait in it for other
    /// ranks to test or wait. Throws Error(system) if MPI failed in this Transform.
    bool test();
    /// Waits until this Transform is complete; all others that this thread has started go on
    /// meanwhile. Returns at once if it was not started. Throws as test() does.
    void wait();

    /// Local. Of a plan that is computed on a device, from now on: starts come in order with what
    /// the caller has put into this stream of the device (a cudaStream_t), and what the caller puts
    /// there later comes after the transform. Starting waits for none of it. Without messages (one
    /// rank) a start puts all of the transform there, so the caller may go on with the stream at
    /// once; otherwise after test() or wait() has told that it is complete. The host reads arrays
    /// only then, in any case. The stream outlives its use. Without a stream, arrays are ready when
    /// a transform is started (docs/devices.md).
    /// Throws Error(bad_request) if the stream is none of the device, the plan is computed on the
    /// host, or the Transform is started; system if the device fails.
    void set_stream(void* stream);
    /// Local. From now on starts are in order with nothing; throws if it is started.
    void unset_stream();

    /// Local. The plan that forward() runs: the one that was bound, and what carries each redistribution here
    /// (`carrier=`), which its text says.
    [[nodiscard]] Plan plan() const;

    struct State;

  private:
    friend class Plan;
    friend struct Internals;
    explicit Transform(std::unique_ptr<State> state);
    void start_on(bool backward, const detail::ArrayList& in, const detail::ArrayList& out);
    std::unique_ptr<State> state_;
};

/// Collective. The boxes of all ranks, by rank, from what each gives for itself, in the form that
/// own_boxes takes. Throws the same Error on every rank: bad_request (MPI_COMM_NULL), system.
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

    /// Collective over comm. All ranks pass the same problem and choice. All plans of comm and
    /// their transforms share duplicates of it, which they keep: messages never meet the caller's,
    /// and comm may be freed before plans are bound or transforms run. Up to 32767 transforms of
    /// one communicator may exist.
    /// Throws the same Error on every rank: bad_request (not well formed, does not fit the ranks,
    /// or the ranks disagree: both values are quoted), not_available (the engine is not built in),
    /// system (MPI is not initialised).
    Plan(const Problem& problem, MPI_Comm comm, const Choice& choice = {});

    /// Collective: the plan of a text `PROBLEM[; CHOICE]` as text() prints it; ranks=, if there,
    /// must be the number of ranks of comm.
    static Plan parse(std::string_view text, MPI_Comm comm);

    /// Local: a plan for `ranks` ranks without MPI, to look at. It cannot be bound. Of a text,
    /// ranks 0 takes the text's ranks=. Throws Error as above.
    static Plan for_ranks(int ranks, const Problem& problem, const Choice& choice = {});
    static Plan for_ranks(int ranks, std::string_view text);

    [[nodiscard]] const Problem& problem() const;
    /// The complete choice.
    [[nodiscard]] const Choice& choice() const;
    [[nodiscard]] int ranks() const;
    /// The rank of this process in comm; 0 without MPI.
    [[nodiscard]] int rank() const;

    /// The boxes of the input (output) array that a rank owns, in elements, none of them empty.
    /// Axes are as long as the problem's shape, inside or modes say (n/2+1 along the r2c axis); with batch
    /// > 1 the last axis of a box is the batch. Boxes lie one after the other in the rank's array.
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
    /// Elements between neighbours along each axis in a rank's array, for its box of that number,
    /// as in_box() has it; of an axis without elements as if there were one.
    [[nodiscard]] std::vector<Index> in_strides(int rank, int box = 0) const;
    [[nodiscard]] std::vector<Index> out_strides(int rank, int box = 0) const;
    /// Where that box's first element lies in the rank's array, in elements.
    [[nodiscard]] Index in_offset(int rank, int box = 0) const;
    [[nodiscard]] Index out_offset(int rank, int box = 0) const;
    /// Elements that an array must hold on this process or on a given rank, padding included. In
    /// place both are the size of the one array, which holds the larger of input and output, each
    /// in elements of its own type.
    [[nodiscard]] Index in_size() const { return in_size(rank()); }
    [[nodiscard]] Index out_size() const { return out_size(rank()); }
    [[nodiscard]] Index in_size(int rank) const;
    [[nodiscard]] Index out_size(int rank) const;
    /// Bytes that a Transform of this plan needs for its work on a rank: those it allocates, or a
    /// Workspace must have (engines' tables and MPI's own buffers not counted).
    /// The first call for a rank takes time in proportion to its messages, with tiles to its
    /// operations. Without MPI, ranks 0 to 63 are assumed to share node 0, 64 to 127 node 1, and so
    /// on; WEFT_RANKS_PER_NODE says another number than 64.
    [[nodiscard]] Index workspace_bytes(int rank) const;
    /// Bytes of memory shared with the other ranks of the node that a Transform uses besides, where
    /// redistributions go by via=shared. It stays with the communicator for the next Transform, until that
    /// is freed or MPI is finalised.
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
    /// The same for an in-place plan: one array of in_size() elements of the input's type, or, what
    /// is the same memory, of out_size() elements of the output's.
    template <class T>
    Transform bind(T* array, const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(array), detail::list_of(array), workspace);
    }
    /// The same for a list of fields, each with arrays of its own, all transformed by one call and
    /// sharing one workspace. All ranks give lists of the same length; of an empty one nothing is
    /// transformed.
    template <class In, class Out>
    Transform bind(const std::vector<In*>& in, const std::vector<Out*>& out,
                   const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(in), detail::list_of(out), workspace);
    }
    template <class T>
    Transform bind(const std::vector<T*>& fields, const Workspace& workspace = {}) const {
        return bind_arrays(detail::list_of(fields), detail::list_of(fields), workspace);
    }

    /// Collective. Binds the plan to no arrays: forward(in, out) is then given them, others at each
    /// call if need be, and costs what forward() costs. For arrays that stay the same bind(in, out)
    /// can be faster: it exposes those of weft::allocate to the ranks of the node, where a plan
    /// begins or ends with a redistribution, and via=persistent and via=one-sided make use of it that buffers
    /// are known. Without, the former sends by ordinary requests, and the latter's messages land in
    /// memory of the transform's own and are copied once more.
    /// Throws the same Error on every rank, as above.
    [[nodiscard]] Transform bind(const Workspace& workspace = {}) const {
        return bind_fields(1, workspace);
    }
    /// Binds no arrays: calls bring some of that memory, on all ranks; bind() is for the host's.
    /// The device's need a plan that is computed there (`space=`).
    [[nodiscard]] Transform bind(Memory arrays, const Workspace& workspace = {}) const {
        return bind_fields(1, arrays, workspace);
    }
    /// Collective. Binds the plan to no arrays, for calls that are given lists of so many fields;
    /// of 0 fields nothing is transformed.
    [[nodiscard]] Transform bind_fields(int fields, const Workspace& workspace = {}) const {
        return bind_fields(fields, Memory::host, workspace);
    }
    [[nodiscard]] Transform bind_fields(int fields, Memory arrays,
                                        const Workspace& workspace = {}) const;

    /// The same as bind(in, out) for arrays whose element types only the caller knows, as in
    /// bindings of other languages: of the types that the plan needs. In place `in` and `out` are
    /// the same.
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
