// The processor that this process runs on, as the system describes it.
#pragma once

#include <string>

namespace weft::core {

/// What /proc/cpuinfo says first under that name, such as `flags`; empty if nothing.
std::string about_processor(const std::string& name);
/// Which processor it is, by the numbers of `vendor_id`, `cpu family` and `model`; without them on
/// others than x86.
struct ProcessorId {
    std::string vendor{};  ///< `GenuineIntel`
    int family = 0;
    int model = 0;
};
/// From the processor itself: Linux may take milliseconds for /proc/cpuinfo of many cores.
ProcessorId processor_id();
/// `AMD EPYC 7763 64-Core Processor`; `unknown` where the system does not say.
std::string processor_name();

}  // namespace weft::core
