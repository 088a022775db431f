#include "machine_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "api/estimate.hpp"
#include "base/text.hpp"
#include "model/machine_file.hpp"

namespace weft::cli {

std::string machine_option_help() {
    return fmt::format("{}, or a file .json (docs/model.md)",
                       fmt::join(core::machine_names(), ", "));
}

void MachineOptions::add_to(CLI::App& app) {
    app.add_option("--machine", name,
                   "plan for this machine (WEFT_MACHINE, or default): " + machine_option_help());
    app.add_option("--ranks-per-node", ranks_per_node,
                   "adjacent ranks that share a node (the machine's, WEFT_RANKS_PER_NODE, or 64)");
}

core::Machine MachineOptions::machine(const Tuning& tuning) const {
    if (ranks_per_node && *ranks_per_node < 1) {
        core::bad_request(
            fmt::format("--ranks-per-node {}: a node has at least 1 rank", *ranks_per_node));
    }
    return assumed_machine(name.empty() ? tuning.machine : name, ranks_per_node.value_or(0));
}

}  // namespace weft::cli
