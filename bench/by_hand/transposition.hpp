// One global transposition, by weft and by hand.
#pragma once

#include <mpi.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "memory/buffer.hpp"
#include "weft/plan.hpp"

namespace weft::bench {

/// The methods of which there is hand-written code.
std::vector<std::string> hand_written();

/// Three lengths, as in 100x90x70. Throws Error(bad_request).
std::array<int, 3> parse_shape(const std::string& text);

/// An array of complex numbers goes from slabs of axis 0 to slabs of axis 1.
struct Transposition {
    std::string method;
    std::array<int, 3> shape{};
    std::string order;  ///< of the output's axes: 012, or 102 but for alltoallw

    /// As weft reads it.
    [[nodiscard]] std::string text() const;
};

/// Both, ready to run, on one input array. All functions but the constructor's checks are
/// collective.
class Pair {
  public:
    Pair(const Transposition& what, MPI_Comm comm);

    void run_weft() { transform_.forward(); }
    void run_by_hand() { by_hand_(in_.data(), by_hand_out_.data()); }
    /// Runs both. Throws Error(wrong_result) unless they give the same, and what is asked for.
    void check();

  private:
    /// Calls with each element of this rank's array: its place in it, and its number in the whole.
    void visit(bool output, const std::function<void(Index place, Index number)>& each) const;

    Plan plan_;
    MPI_Comm comm_;
    core::Buffer in_;
    core::Buffer out_;
    core::Buffer by_hand_out_;
    Transform transform_;
    std::function<void(const void*, void*)> by_hand_;
};

}  // namespace weft::bench
