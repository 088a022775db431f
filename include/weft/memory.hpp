// What a Transform is told of the memory that it will use.
//
//     weft::Transform any = plan.bind(weft::Memory::device);   // calls bring arrays of the device
//     any.forward(u, u_hat);
//     weft::Transform lent = plan.bind(in, out, {data, bytes});   // works in the caller's memory
#pragma once

#include "weft/box.hpp"

namespace weft {

/// Whose memory the arrays of a Transform are: the host's, or that of the device in which its plan
/// is computed (`space=`). Arrays that are bound tell themselves; calls of a Transform that was
/// bound to none bring arrays of the kind that was said, since that decides what is computed.
enum class Memory { host, device };

/// Memory that the caller lends to transforms. `data` is a multiple of 64; null: the transform
/// allocates its own. Transforms that share one must not run at the same time. A plan by the
/// default method goes by messages where the ranks of a node find no room for shared memory; that
/// takes more workspace than workspace_bytes says, so the transform then allocates its own beside
/// the caller's.
struct Workspace {
    void* data = nullptr;
    Index bytes = 0;
};

}  // namespace weft
