// Everything: #include <weft/weft.hpp>
#pragma once

#if __cplusplus < 202002L
#error weft/weft.hpp is for C++20: compile with -std=c++20, or use weft/weft17.hpp or weft/weft.h
#endif

#include "weft/allocate.hpp"
#include "weft/box.hpp"
#include "weft/choice.hpp"
#include "weft/error.hpp"
#include "weft/methods.hpp"
#include "weft/plan.hpp"
#include "weft/problem.hpp"
#include "weft/version.hpp"
#include "weft/wisdom.hpp"
