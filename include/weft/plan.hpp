// The C++ interface: a Problem becomes a Plan, a Plan bound to arrays becomes a Transform.
//
//     weft::Plan plan({.shape = {256, 256, 256}}, MPI_COMM_WORLD);
//     auto in = weft::allocate<std::complex<double>>(plan.in_size());
//     auto out = weft::allocate<std::complex<double>>(plan.out_size());
//     weft::Transform fft = plan.bind(in.data(), out.data());
//     fft.forward();
#pragma once

#include <mpi.h>

#include <complex>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weft/box.hpp"
#include "weft/choice.hpp"
#include "weft/error.hpp"
#include "weft/problem.hpp"

namespace weft {

struct Internals;  ///< what weft's own tools see of the classes below

/// A plan bound to arrays. Movable; owns workspace, engine plans and its part of a communicator.
/// Destroying it is local, and safe even after MPI_Finalize.
class Transform {
  public:
    Transform(Transform&&) noexcept;
    Transform& operator=(Transform&&) noexcept;
    ~Transform();

    /// Collective. Transforms the input array into the output array, which is overwritten; the
    /// input array is kept (unless the plan is in place). Allocates nothing.
    /// Throws Error(system) if MPI fails.
    void forward();
    /// Collective. The reverse: from the output array into the input array.
    void backward();

    struct State;

  private:
    friend class Plan;
    friend struct Internals;
    explicit Transform(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// How a problem is solved on a number of ranks: an inspectable value. Plans are cheap to copy;
/// equal plans have equal text. Queries are local and answer for any rank.
class Plan {
  public:
    /// Collective over comm, which must outlive the plan. All ranks pass the same problem and
    /// choice. Transforms use duplicates of comm, so their messages never meet the caller's.
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

    /// The boxes of the input (output) array that a rank owns, in elements: none, or one. Axes are
    /// those of the problem's shape (of n/2+1 where halved); with batch > 1 the last axis of the
    /// box is the batch.
    [[nodiscard]] std::vector<Box> in_boxes(int rank) const;
    [[nodiscard]] std::vector<Box> out_boxes(int rank) const;
    /// The axes in memory, slowest first: a rank stores its box densely in that order.
    [[nodiscard]] std::vector<int> in_order() const;
    [[nodiscard]] std::vector<int> out_order() const;
    /// Elements between neighbours along each axis in a rank's array.
    [[nodiscard]] std::vector<Index> in_strides(int rank) const;
    [[nodiscard]] std::vector<Index> out_strides(int rank) const;
    /// Elements that an array must hold on this process or on a given rank. In place both are the
    /// size of the one array, which holds the larger of input and output.
    [[nodiscard]] Index in_size() const { return in_size(rank()); }
    [[nodiscard]] Index out_size() const { return out_size(rank()); }
    [[nodiscard]] Index in_size(int rank) const;
    [[nodiscard]] Index out_size(int rank) const;
    /// Bytes that a Transform of this plan allocates for its work on a rank (engines' tables and
    /// MPI's own buffers not counted).
    [[nodiscard]] Index workspace_bytes(int rank) const;

    /// Collective. Binds the plan to this process's arrays: complex<T> or T as the problem's kind
    /// and precision say. Arrays must stay valid as long as the Transform lives; they need no
    /// alignment beyond their type's (64 bytes is fastest) and keep their contents. A rank that
    /// owns nothing may pass nullptr. Throws the same Error on every rank: bad_request (wrong
    /// element type, null or overlapping arrays), system (not enough memory, MPI).
    template <class In, class Out>
    Transform bind(In* in, Out* out) const {
        return bind_arrays({in, type<In>}, {out, type<Out>});
    }
    /// The same for an in-place plan: one array of in_size() elements.
    template <class T>
    Transform bind(T* array) const {
        return bind_arrays({array, type<T>}, {array, type<T>});
    }

    /// `PROBLEM; ranks=P; CHOICE`: one line, complete; parse() gives an equal plan.
    [[nodiscard]] std::string text() const;
    /// The stages and layouts in the notation of the papers, one per line.
    [[nodiscard]] std::string explain() const;

    friend bool operator==(const Plan& a, const Plan& b) { return a.text() == b.text(); }

    struct State;

  private:
    friend struct Internals;
    struct ElementType {
        Precision precision;
        bool complex;
    };
    struct Array {
        void* data;
        ElementType type;
    };
    template <class T>
    static constexpr ElementType type_of() {
        constexpr bool f32 = std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>;
        constexpr bool real = std::is_same_v<T, float> || std::is_same_v<T, double>;
        static_assert(real || f32 || std::is_same_v<T, std::complex<double>>,
                      "arrays are of float, double, or std::complex of these");
        return {f32 ? Precision::f32 : Precision::f64, !real};
    }
    template <class T>
    static constexpr ElementType type = type_of<T>();

    explicit Plan(std::shared_ptr<const State> state);
    [[nodiscard]] Transform bind_arrays(const Array& in, const Array& out) const;

    std::shared_ptr<const State> state_;
};

}  // namespace weft
