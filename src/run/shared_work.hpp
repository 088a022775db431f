// Work of the host that a team shares, prepared; a queue of a device that has no kernels of its own
// may do it as well.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "device/device.hpp"
#include "threads/team.hpp"

namespace weft::core {

/// The host reaches memory where it is.
class HostView final : public DeviceView {
  public:
    [[nodiscard]] std::byte* reach(std::byte* address) const override { return address; }
};

/// work(part) for each part, of which there are no more than threads: by a thread of its own each,
/// by the calling one if there is one part only.
template <class Parts, class Work>
void for_all(Team& team, Parts& parts, const Work& work) {
    if (parts.size() == 1) work(parts.front());
    if (parts.size() < 2) return;
    team.run([&](int thread) {
        const auto i = usize(thread);
        if (i < parts.size()) work(parts[i]);
    });
}

/// work(part, view, places) for all parts. The team outlives it.
template <class Part, class Work>
class SharedWork final : public PreparedWork {
  public:
    SharedWork(Team& team, std::vector<Part> parts, Work work)
        : team_(team), parts_(std::move(parts)), work_(std::move(work)) {}
    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        for_all(team_, parts_, [&](Part& part) { work_(part, view, places); });
    }

  private:
    Team& team_;
    std::vector<Part> parts_;
    Work work_;
};

template <class Part, class Work>
std::unique_ptr<PreparedWork> shared_work(Team& team, std::vector<Part> parts, Work work) {
    return std::make_unique<SharedWork<Part, Work>>(team, std::move(parts), std::move(work));
}

}  // namespace weft::core
