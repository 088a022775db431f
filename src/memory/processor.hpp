// The processor that this process runs on, as the system describes it.
#pragma once

#include <string>

namespace weft::core {

/// What /proc/cpuinfo says first under that name, such as `flags`; empty if nothing.
std::string about_processor(const std::string& name);
/// `AMD EPYC 7763 64-Core Processor`; `unknown` where the system does not say.
std::string processor_name();

}  // namespace weft::core
