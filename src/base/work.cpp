#include "base/work.hpp"

namespace weft::core {

Index Slice::count() const {
    Index n = 1;
    for (const Run& run : runs) n *= run.extent;
    return n;
}

bool contiguous(const Slice& slice) {
    Index stride = 1;
    for (auto run = slice.runs.rbegin(); run != slice.runs.rend(); ++run) {
        if (run->extent != 1 && run->stride != stride) return false;
        stride *= run->extent;
    }
    return true;
}

}  // namespace weft::core
