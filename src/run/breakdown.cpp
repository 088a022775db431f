#include "run/breakdown.hpp"

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

std::string label(const Plan& plan, const Operation& operation) {
    switch (operation.purpose) {
        case Purpose::transform:
            return transform_label(plan, operation.stage);
        case Purpose::pack:
            return "Pack";
        case Purpose::unpack:
            return "Unpack";
        case Purpose::keep:
        case Purpose::exchange:
            return "Wait";
        case Purpose::poll:
            return "Test";
        case Purpose::scale:
            return "Scale";
        case Purpose::reorder:
            return "Transpose";
    }
    return "";
}

}  // namespace

std::vector<std::string> labels(const Plan& plan, const Program& program) {
    std::vector<std::string> result;
    result.reserve(program.operations.size());
    for (const Operation& operation : program.operations) result.push_back(label(plan, operation));
    return result;
}

}  // namespace weft::core
