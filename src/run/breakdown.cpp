#include "run/breakdown.hpp"

#include <algorithm>
#include <set>
#include <utility>

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

/// Buffers by stage that messages leave from, and that they land in.
using Buffers = std::set<std::pair<int, int>>;

}  // namespace

std::vector<std::string> labels(const Plan& plan, const Program& program) {
    Buffers sent;
    Buffers landed;
    for (const Operation& operation : program.operations) {
        const auto* post = std::get_if<PostOp>(&operation.what);
        if (post == nullptr) continue;
        sent.insert({operation.stage, post->from});
        landed.insert({operation.stage, post->to});
    }
    const auto copy_label = [&](const Operation& operation, const CopyOp& copy) -> std::string {
        const auto stage = static_cast<std::size_t>(operation.stage);
        if (std::holds_alternative<TransformStage>(plan.stages[stage])) return "Transpose";
        if (sent.contains({operation.stage, copy.to})) return "Pack";
        // What a rank keeps goes from where messages leave to where they land.
        const bool beside = sent.contains({operation.stage, copy.from});
        return beside && landed.contains({operation.stage, copy.to}) ? "Wait" : "Unpack";
    };
    std::vector<std::string> result;
    result.reserve(program.operations.size());
    for (const Operation& operation : program.operations) {
        const bool transforms = std::holds_alternative<TransformOp>(operation.what) ||
                                std::holds_alternative<FusedOp>(operation.what);
        if (transforms) {
            result.push_back(transform_label(plan, operation.stage));
        } else if (const auto* copy = std::get_if<CopyOp>(&operation.what)) {
            result.push_back(copy_label(operation, *copy));
        } else if (std::holds_alternative<PollOp>(operation.what)) {
            result.emplace_back("Test");
        } else {
            const bool scales = std::holds_alternative<ScaleOp>(operation.what);
            result.emplace_back(scales ? "Scale" : "Wait");
        }
    }
    return result;
}

}  // namespace weft::core
