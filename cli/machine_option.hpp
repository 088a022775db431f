// The options --machine and --ranks-per-node: where a plan is to run.
#pragma once

#include <optional>
#include <string>

#include "model/machine.hpp"
#include "weft/choice.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// With the names that there are.
std::string machine_option_help();

struct MachineOptions {
    std::string name;
    std::optional<int> ranks_per_node{};

    void add_to(CLI::App& app);
    /// The machine of the option, otherwise of the tuning, otherwise what plans are made for that
    /// name none, with the ranks on a node that are asked for.
    [[nodiscard]] core::Machine machine(const Tuning& tuning = {}) const;
};

}  // namespace weft::cli
