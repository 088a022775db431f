#include "memory/processor.hpp"

#include <algorithm>
#include <fstream>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace weft::core {

std::string about_processor(const std::string& name) {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(':');
        if (!line.starts_with(name) || colon == std::string::npos) continue;
        return line.substr(std::min(colon + 2, line.size()));
    }
    return "";
}

ProcessorId processor_id() {
    ProcessorId result;
#ifdef __x86_64__
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0) return result;
    for (const unsigned part : {ebx, edx, ecx}) {
        for (int byte = 0; byte < 4; ++byte) {
            result.vendor += static_cast<char>((part >> (8 * byte)) & 0xff);
        }
    }
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return result;
    constexpr int extended = 15;
    const auto bits = [eax](int first, unsigned mask) {
        return static_cast<int>((eax >> first) & mask);
    };
    result.family = bits(8, 0xf);
    if (result.family == extended) result.family += bits(20, 0xff);
    result.model = bits(4, 0xf);
    if (result.family >= 6) result.model += 16 * bits(16, 0xf);
#endif
    return result;
}

std::string processor_name() {
    const std::string name = about_processor("model name");
    return name.empty() ? "unknown" : name;
}

}  // namespace weft::core
