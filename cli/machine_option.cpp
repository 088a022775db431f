#include "machine_option.hpp"

#include <fmt/format.h>

#include "model/machine_file.hpp"

namespace weft::cli {

std::string machine_option_help() {
    return fmt::format("{}, or a file .json (docs/model.md)",
                       fmt::join(core::machine_names(), ", "));
}

}  // namespace weft::cli
