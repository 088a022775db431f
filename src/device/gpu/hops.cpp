#include "device/gpu/hops.hpp"

#include <utility>

#include "base/index.hpp"
#include "device/gpu/check.hpp"

namespace weft::core::WEFT_GPU_TARGET {

Hops::Hops(const std::vector<CopyTask>& tasks) {
    for (const CopyTask& task : tasks) add(task);
}

void Hops::add(const CopyTask& task) {
    if (bytes_of(task) == 0) return;
    std::vector<Loop> loops = merged_loops(task);
    Plane plane{.from = task.from_offset * task.element_bytes,
                .to = task.to_offset * task.element_bytes,
                .bytes = task.element_bytes};
    if (!loops.empty() && loops.back().from == plane.bytes && loops.back().to == plane.bytes) {
        plane.bytes *= loops.back().extent;
        loops.pop_back();
    }
    // A pitch is at least a row, and no more than CUDA's cudaDeviceProp::memPitch.
    constexpr Index most = (Index{1} << 31) - 1;
    const auto is_pitch = [&](Index step) { return step >= plane.bytes && step <= most; };
    if (!loops.empty() && is_pitch(loops.back().from) && is_pitch(loops.back().to)) {
        plane.rows = loops.back().extent;
        plane.from_pitch = loops.back().from;
        plane.to_pitch = loops.back().to;
        loops.pop_back();
    }
    std::vector<Plane> all = {plane};
    for (const Loop& loop : loops) {
        std::vector<Plane> more;
        more.reserve(all.size() * usize(loop.extent));
        for (const Plane& one : all) {
            for (Index i = 0; i < loop.extent; ++i) {
                Plane shifted = one;
                shifted.from += i * loop.from;
                shifted.to += i * loop.to;
                more.push_back(shifted);
            }
        }
        all = std::move(more);
    }
    planes_.insert(planes_.end(), all.begin(), all.end());
}

void Hops::run(const DeviceView& view, std::span<std::byte* const> places) {
    auto* stream = static_cast<cudaStream_t>(view.stream());
    for (const Plane& plane : planes_) {
        const std::byte* source = places[0] + plane.from;
        std::byte* target = places[1] + plane.to;
        if (plane.rows == 1) {
            check(cudaMemcpyAsync(target, source, usize(plane.bytes), cudaMemcpyDefault, stream),
                  "cudaMemcpyAsync");
        } else {
            check(
                cudaMemcpy2DAsync(target, usize(plane.to_pitch), source, usize(plane.from_pitch),
                                  usize(plane.bytes), usize(plane.rows), cudaMemcpyDefault, stream),
                "cudaMemcpy2DAsync");
        }
    }
}

}  // namespace weft::core::WEFT_GPU_TARGET
