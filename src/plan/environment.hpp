// What a plan meets where it runs: an input of fuse(), from run or from a test.
#pragma once

#include <utility>

#include "base/topology.hpp"
#include "weft/box.hpp"

namespace weft::core {

struct Environment {
    Topology nodes{};     ///< which ranks share a node
    bool regions = true;  ///< ranks of a node can share memory
    /// Whether ranks of a node can access each other's input (output) arrays: memory that comes
    /// from weft::allocate.
    bool input_exposed = false;
    bool output_exposed = false;
    bool device_arrays = false;       ///< the arrays are the device's, if the plan has one
    bool mpi_reaches_device = false;  ///< messages may be sent from its memory
    bool device_regions = false;      ///< ranks of a node can open each other's memory on it
    /// This rank's share, in bytes, of a cache by which the ranks of its node reach each other's
    /// results faster than by memory; 0: there is none, or none that is known.
    Index shared_cache = 0;

    /// As the reverse of a plan meets it.
    [[nodiscard]] Environment reversed() const {
        Environment result = *this;
        std::swap(result.input_exposed, result.output_exposed);
        return result;
    }
};

}  // namespace weft::core
