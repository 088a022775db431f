#include "program/draft.hpp"

namespace weft::core {

std::size_t* named_step(Operation& operation) {
    const auto of = [](auto& op) -> std::size_t* {
        if constexpr (requires { op.start; }) return &op.start;
        if constexpr (requires { op.publish; }) return &op.publish;
        return nullptr;
    };
    return std::visit(of, operation.what);
}

}  // namespace weft::core
