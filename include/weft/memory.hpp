// Memory for the arrays and the workspace of a Transform.
//
//     weft::Transform any = plan.bind(weft::Memory::device);   // calls bring arrays of the device
//     any.forward(u, u_hat);
//     weft::Transform lent = plan.bind(in, out, {data, bytes});   // works in the caller's memory
#pragma once

#include "weft/box.hpp"

namespace weft {

/// The memory of a Transform's arrays: the host's, or that of the device on which its plan is
/// computed (`space=`). weft detects it of bound arrays. A Transform that is bound without arrays
/// needs it, because its operations depend on it.
enum class Memory { host, device };

/// Memory that the caller lends to transforms. `data` is a multiple of 64; null: the transform
/// allocates its workspace. Transforms that share a workspace must not run at the same time. If a
/// node has no room for shared memory, plans of the default method send messages and need more
/// workspace than workspace_bytes(); the transform then allocates more in addition to the caller's.
struct Workspace {
    void* data = nullptr;
    Index bytes = 0;
};

}  // namespace weft
