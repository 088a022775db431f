#include "api/state.hpp"

namespace weft {

std::byte* TransformMemory::take(core::Device* device, const core::Memory& needed,
                                 const Workspace& given) {
    auto* place = static_cast<std::byte*>(given.data);
    const bool brings = place != nullptr && given.bytes >= needed.workspace_bytes;
    if (device == nullptr) {
        if (brings) return place;
        workspace = core::Buffer(needed.workspace_bytes);
        return workspace.data();
    }
    if (!brings || !device->owns(place)) {
        device_workspace = device->allocate(needed.workspace_bytes, "workspace");
        place = device_workspace->data();
    }
    staging = device->allocate_pinned(needed.staging_bytes);
    return place;
}

}  // namespace weft
