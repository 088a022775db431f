// Whether cuFFTMp is here, and whether it can do the problem.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "device/devices.hpp"
#include "measure/contender.hpp"
#include "measure/gpu_contender.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

[[noreturn]] void cufftmp_cannot(const std::string& why) {
    throw Error(ErrorCode::not_available, fmt::format("--against cufftmp: {}", why));
}

using MakeCufftMp = std::unique_ptr<Contender> (*)(const Problem&, core::Device&, MPI_Comm);

/// Null: this build has no cuFFTMp for such devices.
MakeCufftMp cufftmp_maker([[maybe_unused]] const std::string& device) {
#if WEFT_HAS_CUFFTMP_cuda
    if (device == "cuda") return &cuda::cufftmp_contender;
#endif
#if WEFT_HAS_CUFFTMP_emulated
    if (device == "emulated") return &emulated::cufftmp_contender;
#endif
    return nullptr;
}

#if WEFT_HAS_CUFFTMP_cuda || WEFT_HAS_CUFFTMP_emulated
constexpr bool is_built = true;
#else
constexpr bool is_built = false;
#endif

std::string why_missing(const std::string& device) {
    if (is_built && (device.empty() || device == "fake")) return no_gpu_text(device);
    return "not built: cuFFTMp was not found beside CUDA where weft was built, or WEFT_CUFFTMP is "
           "OFF";
}

void check_transform(const Problem& problem) {
    const auto dims = static_cast<int>(problem.shape.size());
    if (problem.kind == Kind::redistribute) cufftmp_cannot("it does not redistribute");
    if (core::has_real_to_real(problem)) cufftmp_cannot("it has no real-to-real transforms");
    if (problem.batch != 1) {
        cufftmp_cannot(fmt::format("it transforms one field, not a batch of {}", problem.batch));
    }
    if (dims != 2 && dims != 3) {
        cufftmp_cannot(fmt::format("it has 2 and 3 dimensions, not {}", dims));
    }
    if (core::transformed_axes(problem).size() != problem.shape.size()) {
        cufftmp_cannot("it transforms all axes");
    }
    if (core::scale_factor(problem, false) != 1 || core::scale_factor(problem, true) != 1) {
        cufftmp_cannot("it does not scale");
    }
    if (problem.kind == Kind::c2c) return;
    if (dims != 3) cufftmp_cannot("real transforms are compared in 3 dimensions");
    if (core::r2c_axis_of(problem) != dims - 1) cufftmp_cannot("it halves the last axis");
}

void check_lengths(const Problem& problem, int ranks) {
    if (std::min(problem.shape[0], problem.shape[1]) < ranks) {
        cufftmp_cannot(
            fmt::format("its first two lengths are at least its ranks, but {} and {} "
                        "are not {}",
                        problem.shape[0], problem.shape[1], ranks));
    }
    if (*std::max_element(problem.shape.begin(), problem.shape.end()) >
        std::numeric_limits<int>::max()) {
        cufftmp_cannot("its lengths are below 2^31");
    }
}

/// Whether it may be slabs of that axis in natural order.
bool takes_slabs(const Problem& problem, const LayoutRequest& request, int cut) {
    if (request.free) return true;
    if (!request.padding.empty() || !request.strides.empty()) return false;
    if (request.axes != slab(cut).axes) return false;
    const std::vector<int> order = core::format_of(problem, request).order;
    return std::is_sorted(order.begin(), order.end());
}

void check_layouts(const Problem& problem) {
    const bool synthesis = problem.kind == Kind::c2r;
    if (!takes_slabs(problem, synthesis ? problem.out : problem.in, 0)) {
        cufftmp_cannot("it keeps its signal in slab(0), row-major; ask for that, or leave it free");
    }
    if (!takes_slabs(problem, synthesis ? problem.in : problem.out, 1)) {
        cufftmp_cannot(
            "it leaves its spectrum in slab(1), row-major; ask for that, or leave it free");
    }
}

}  // namespace

std::unique_ptr<Contender> cufftmp_contender(const std::string& text, MPI_Comm comm) {
    const core::PlanRequest request = core::parse_plan_request(text);
    const std::string& device = request.choice.space.device;
    const MakeCufftMp make = cufftmp_maker(device);
    if (make == nullptr) cufftmp_cannot(why_missing(device));
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    check_transform(request.problem);
    check_lengths(request.problem, ranks);
    check_layouts(request.problem);
    return make(request.problem, core::device(device), comm);
}

}  // namespace weft::cli
