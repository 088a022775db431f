// Everything: #include <weft/weft.hpp>
#pragma once

#include "weft/allocate.hpp"
#include "weft/box.hpp"
#include "weft/choice.hpp"
#include "weft/error.hpp"
#include "weft/methods.hpp"
#include "weft/plan.hpp"
#include "weft/problem.hpp"
#include "weft/version.hpp"
#include "weft/wisdom.hpp"
