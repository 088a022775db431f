#include "program/draft.hpp"

namespace weft::core {

std::vector<StepId> Draft::take_from(std::size_t place) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(place);
    std::vector<StepId> result(begin, order.end());
    order.erase(begin, order.end());
    return result;
}

std::size_t* named_step(Operation& operation) {
    const auto of = [](auto& op) -> std::size_t* {
        if constexpr (requires { op.start; }) return &op.start;
        if constexpr (requires { op.publish; }) return &op.publish;
        return nullptr;
    };
    return std::visit(of, operation.what);
}

FusedOp nothing_with(const std::vector<Place>& places) { return {0, places, {}}; }

bool does_nothing(const Operation& operation) {
    const auto* pass = std::get_if<FusedOp>(&operation.what);
    return pass != nullptr && pass->work.empty();
}

}  // namespace weft::core
