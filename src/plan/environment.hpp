// What a plan meets where it runs: an input of fuse(), from run or from a test.
#pragma once

#include "base/topology.hpp"

namespace weft::core {

struct Environment {
    Topology nodes{};     ///< which ranks share a node
    bool regions = true;  ///< ranks of a node can share memory
    /// Whether ranks of a node can access each other's input (output) arrays: memory that comes
    /// from weft::allocate.
    bool input_exposed = false;
    bool output_exposed = false;

    /// As the reverse of a plan meets it.
    [[nodiscard]] Environment reversed() const {
        return {nodes, regions, output_exposed, input_exposed};
    }
};

}  // namespace weft::core
