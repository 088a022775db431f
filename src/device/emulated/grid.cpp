#include "device/emulated/grid.hpp"

namespace weft::core::emulated {

thread_local Dim3 threadIdx;
thread_local Dim3 blockIdx;
thread_local Dim3 blockDim;
thread_local Dim3 gridDim;

namespace {

/// visit() for each value of `index` below `extent`.
void each(Dim3& index, Dim3 extent, FunctionRef<void()> visit) {
    for (index.z = 0; index.z < extent.z; ++index.z) {
        for (index.y = 0; index.y < extent.y; ++index.y) {
            for (index.x = 0; index.x < extent.x; ++index.x) visit();
        }
    }
}

}  // namespace

void run_grid(Dim3 grid, Dim3 block, std::size_t /*shared_bytes*/, FunctionRef<void()> body) {
    gridDim = grid;
    blockDim = block;
    each(blockIdx, grid, [&] { each(threadIdx, block, body); });
}

}  // namespace weft::core::emulated
