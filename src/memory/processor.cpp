#include "memory/processor.hpp"

#include <algorithm>
#include <fstream>

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

std::string processor_name() {
    const std::string name = about_processor("model name");
    return name.empty() ? "unknown" : name;
}

}  // namespace weft::core
