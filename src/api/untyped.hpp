// Binding for languages whose arrays carry no C++ type.
#pragma once

#include "weft/plan.hpp"

namespace weft::core {

/// Collective. Plan::bind of arrays whose elements are what the plan's kind and precision say.
Transform bind_untyped(const weft::Plan& plan, void* in, void* out);

}  // namespace weft::core
