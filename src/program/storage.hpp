// Which buffer holds which of the values that a program makes one after the other.
#pragma once

#include <optional>
#include <vector>

#include "program/program.hpp"

namespace weft::core {

/// A program is a chain of steps; step i reads value i and writes value i+1. Value 0 is the input,
/// the last one the output.
struct StepNeeds {
    bool in_place = false;       ///< value i+1 may lie where value i does
    bool same_elements = false;  ///< and value i has touched nothing but the elements of value i+1
    // Older values that it still reads; all that were made since, and value i+1, lie apart from
    // them.
    bool reads_second = false;  ///< value i-1
    bool reads_third = false;   ///< value i-2
    /// Value i+1 lies in the work region of that number, which has no other values.
    std::optional<int> region{};
    bool output = false;  ///< value i+1 lies in the output array
};

/// The places of a chain: for every value the number of a buffer, and the buffers.
struct Storage {
    std::vector<int> buffer_of;
    std::vector<BufferSpec> buffers;
};

/// What may be done to the caller's arrays.
struct ArrayUse {
    bool in_place = false;           ///< input and output are one array, which holds the larger
    bool may_destroy_input = false;  ///< the input array may serve as workspace
    /// The output array may serve as workspace; not where it has elements that are to stay.
    bool output_is_scratch = true;
};

/// Places values so that adjacent ones lie apart unless the step between may work in place, using
/// the output array (and the input array, if it may be destroyed) for values that fit into it, and
/// as few and small work buffers as that leaves. `bytes[i]` is the size of value i. At most two
/// work buffers are needed, three or four where steps read older values. Work regions are
/// numbered in the order in which they come.
Storage place_values(const std::vector<Index>& bytes, const std::vector<StepNeeds>& steps,
                     const ArrayUse& use);

}  // namespace weft::core
