#include "machine_option.hpp"

#include <fmt/format.h>

#include "measure/files.hpp"

namespace weft::cli {

core::Machine machine_of(const std::string& name_or_path) {
    const bool path =
        name_or_path.ends_with(".json") || name_or_path.find('/') != std::string::npos;
    return path ? core::parse_machine(read_file(name_or_path), name_or_path)
                : core::named_machine(name_or_path);
}

std::string machine_option_help() {
    return fmt::format("{}, or a file .json (docs/model.md)",
                       fmt::join(core::machine_names(), ", "));
}

}  // namespace weft::cli
