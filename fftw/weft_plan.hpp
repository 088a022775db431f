// A plan of FFTW's interface that weft runs.
#pragma once

#include <string>

#include "call.hpp"
#include "weft/plan.hpp"

namespace weft::fftw {

/// Operations of this rank's part, as fftw_flops counts them.
struct Flops {
    double additions = 0;
    double multiplications = 0;
};

class WeftPlan {
  public:
    /// Collective over the call's communicator. Throws weft::Error, the same on every rank.
    WeftPlan(const Call& call, const Mapping& mapping, const Choice& choice);

    /// Collective: on the arrays of the planner's call.
    void execute() { execute(in_, out_); }
    /// Collective: on others. Ends the program if MPI fails or an array does not fit, since the
    /// functions of FFTW that call this can report nothing.
    void execute(void* in, void* out);

    /// The text of weft's plan.
    [[nodiscard]] std::string text() const { return plan_.text(); }
    [[nodiscard]] Flops flops() const { return flops_; }

  private:
    WeftPlan(const Call& call, const Mapping& mapping, const Plan& plan);

    Plan plan_;
    Transform transform_;
    bool backward_;
    bool has_part_;  ///< this rank has elements at either end
    void* in_;
    void* out_;
    Flops flops_;
};

}  // namespace weft::fftw
