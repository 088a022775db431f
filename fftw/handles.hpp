// Handles: what programs hold as an fftw_plan when weft made the plan. A handle is the address of
// a slot in a table of this library's own, so telling it from FFTW's plans takes a comparison of
// addresses, without a lock and without reading what it points at.
#pragma once

#include <memory>

#include "weft_plan.hpp"

namespace weft::fftw {

/// Keeps the plan under a new handle; null if the table is full.
void* add_handle(std::unique_ptr<WeftPlan> plan);

/// The plan under a handle, or null if the pointer is none of this library's.
WeftPlan* find_plan(const void* handle);

/// Destroys the plan and makes its handle free for another.
void remove_handle(const void* handle);

/// Whether another plan can be kept.
bool has_free_handle();

}  // namespace weft::fftw
