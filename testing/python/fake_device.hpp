// Memory and streams of the fake device, for tests in Python.
#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

/// Adds the submodule `fake`: Memory and Stream.
void add_fake_device(nanobind::module_& module);

}  // namespace weft::python
