#include "weft_plan.hpp"

#include <cmath>
#include <cstdio>

namespace weft::fftw {

namespace {

/// The count of split-radix transforms, 4 N log2 N for complex numbers and half of it for reals,
/// shared evenly by the ranks. A third of them are multiplications.
Flops count(const Problem& problem, int ranks) {
    if (problem.kind == Kind::redistribute) return {};
    auto elements = static_cast<double>(problem.batch);
    double length = 1;
    for (const Index n : problem.shape) length *= static_cast<double>(n);
    elements *= length / ranks;
    const double all = (problem.kind == Kind::c2c ? 4 : 2) * elements * std::log2(length);
    return {all * 2 / 3, all / 3};
}

}  // namespace

WeftPlan::WeftPlan(const Call& call, const Mapping& mapping, const Choice& choice)
    : WeftPlan(call, mapping, Plan(mapping.problem, call.comm, choice)) {}

WeftPlan::WeftPlan(const Call& call, const Mapping& mapping, const Plan& plan)
    : plan_(plan),
      transform_(plan.bind()),
      backward_(mapping.backward),
      has_part_(has_part(call, plan.rank(), plan.ranks())),
      in_(call.in),
      out_(call.out),
      flops_(count(mapping.problem, plan.ranks())) {}

void WeftPlan::execute(void* in, void* out) {
    // Without elements it does not matter which arrays are given, nor whether they are one.
    if (!has_part_) in = out = nullptr;
    try {
        if (backward_) {
            transform_.backward(out, in);
        } else {
            transform_.forward(in, out);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weft: a transform of FFTW's interface failed: %s (%s)\n",
                     error.what(), text().c_str());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

}  // namespace weft::fftw
