// Which kind of GPU is raced against, and whether its library can do the problem.
#include <fmt/format.h>

#include "device/devices.hpp"
#include "measure/contender.hpp"
#include "measure/gpu_contender.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

[[noreturn]] void gpu_cannot(const std::string& why) {
    throw Error(ErrorCode::not_available, fmt::format("--against cufft: {}", why));
}

using Make = std::unique_ptr<Contender> (*)(const Problem&, core::Device&);

/// Null: this build has no such GPUs.
Make maker([[maybe_unused]] const std::string& device) {
#if WEFT_HAS_DEVICE_cuda
    if (device == "cuda") return &cuda::contender;
#endif
#if WEFT_HAS_DEVICE_hip
    if (device == "hip") return &hip::contender;
#endif
#if WEFT_HAS_DEVICE_emulated
    if (device == "emulated") return &emulated::contender;
#endif
    return nullptr;
}

void check_possible(const Problem& problem, int ranks) {
    const int dims = static_cast<int>(problem.shape.size());
    if (ranks != 1) gpu_cannot(fmt::format("it has one GPU, but there are {} ranks", ranks));
    if (problem.kind == Kind::redistribute) gpu_cannot("it does not redistribute");
    if (core::has_real_to_real(problem)) gpu_cannot("it has no real-to-real transforms");
    if (dims > 3) gpu_cannot(fmt::format("it has 1 to 3 dimensions, not {}", dims));
    if (core::transformed_axes(problem).size() != problem.shape.size()) {
        gpu_cannot("it transforms all axes");
    }
    if (core::scale_factor(problem, false) != 1 || core::scale_factor(problem, true) != 1) {
        gpu_cannot("it does not scale");
    }
    if (problem.kind == Kind::c2c) return;
    if (core::r2c_axis_of(problem) != dims - 1) gpu_cannot("it halves the last axis");
    if (problem.in_place) gpu_cannot("real transforms in place are not compared");
}

}  // namespace

std::string no_gpu_text(const std::string& device) {
    if (device.empty()) return "the plan is computed on the host: add space=, as in space=cuda";
    return fmt::format("device '{}' is no GPU of this build", device);
}

std::unique_ptr<Contender> gpu_contender(const std::string& text, MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    const core::PlanRequest request = core::parse_plan_request(text);
    check_possible(request.problem, ranks);
    const std::string& device = request.choice.space.device;
    const Make make = maker(device);
    if (make == nullptr) gpu_cannot(no_gpu_text(device));
    return make(request.problem, core::device(device));
}

}  // namespace weft::cli
