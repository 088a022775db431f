#include "run/breakdown.hpp"

#include "run/profile.hpp"

namespace weft::core {

namespace {

std::string axis_name(int axis, std::size_t dims) {
    constexpr std::size_t with_letters = 3;
    return dims == with_letters && axis < 3 ? std::string(1, "xyz"[axis]) : std::to_string(axis);
}

std::string transform_label(const Plan& plan, int stage) {
    std::string text = "FFT";
    const auto& transform = std::get<TransformStage>(plan.stages[static_cast<std::size_t>(stage)]);
    for (const int axis : transform.axes) text += axis_name(axis, plan.problem.shape.size());
    return text;
}

std::string label(const Plan& plan, const Operation& operation, Part part) {
    if (std::holds_alternative<PollOp>(operation.what)) return "Test";
    switch (part) {
        case Part::fft:
            return transform_label(plan, operation.stage);
        case Part::pack:
            return "Pack";
        case Part::unpack:
            return "Unpack";
        case Part::exchange:
            return "Wait";
        case Part::other:
            break;
    }
    return std::holds_alternative<ScaleOp>(operation.what) ? "Scale" : "Transpose";
}

}  // namespace

std::vector<std::string> labels(const Plan& plan, const Program& program) {
    const std::vector<Part> all = parts(program);
    std::vector<std::string> result;
    result.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        result.push_back(label(plan, program.operations[i], all[i]));
    }
    return result;
}

}  // namespace weft::core
