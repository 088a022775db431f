#include "measure/labels.hpp"

namespace weft::cli {

namespace {

std::string axis_name(int axis, std::size_t dims) {
    constexpr std::size_t with_letters = 3;
    return dims == with_letters && axis < 3 ? std::string(1, "xyz"[axis]) : std::to_string(axis);
}

std::string transform_label(const core::Plan& plan, int stage) {
    std::string text = "FFT";
    const auto& transform =
        std::get<core::TransformStage>(plan.stages[static_cast<std::size_t>(stage)]);
    for (const int axis : transform.axes) text += axis_name(axis, plan.problem.shape.size());
    return text;
}

std::string label(const core::Plan& plan, const core::Operation& operation) {
    switch (operation.purpose) {
        case core::Purpose::transform:
            return transform_label(plan, operation.stage);
        case core::Purpose::pack:
            return "Pack";
        case core::Purpose::unpack:
            return "Unpack";
        case core::Purpose::keep:
        case core::Purpose::exchange:
            return "Wait";
        case core::Purpose::poll:
            return "Test";
        case core::Purpose::scale:
            return "Scale";
        case core::Purpose::reorder:
            return "Transpose";
        case core::Purpose::hop:
            return "Hop";
    }
    return "";
}

}  // namespace

std::vector<std::string> labels(const core::Plan& plan, const core::Program& program) {
    std::vector<std::string> result;
    result.reserve(program.operations.size());
    for (const core::Operation& operation : program.operations)
        result.push_back(label(plan, operation));
    return result;
}

}  // namespace weft::cli
