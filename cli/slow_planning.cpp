#include "slow_planning.hpp"

#include <fmt/format.h>

#include <chrono>

#include "columns.hpp"
#include "measure/files.hpp"
#include "program/lower.hpp"

namespace weft::cli {

SlowPlanning::SlowPlanning(std::chrono::milliseconds first) {
    const std::atomic<Index>& lowered = core::lowered_so_far();
    thread_ = std::jthread([this, first, &lowered](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        auto further = first;
        for (auto passed = first;; passed += further) {
            stopped_.wait_for(lock, stop, further, [] { return false; });
            if (stop.stop_requested()) return;
            say_error(fmt::format(
                "weft: still planning after {:g} s, {} operations and messages so far; planning is "
                "faster with fewer ranks in an exchange group, larger tiles, or a method of fewer "
                "rounds\n",
                std::chrono::duration<double>(passed).count(), grouped(lowered.load())));
            further = passed;
        }
    });
}

}  // namespace weft::cli
