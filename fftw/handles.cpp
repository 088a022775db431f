#include "handles.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>

namespace weft::fftw {

namespace {

/// Half a MiB of addresses, of which only the pages in use take memory.
constexpr std::size_t most_plans = 65536;

struct Table {
    std::array<WeftPlan*, most_plans> slots;
    std::size_t used = 0;  ///< slots from here on have never held a plan
    std::mutex mutex;

    WeftPlan** free_slot() {
        if (used < most_plans) return &slots[used++];
        const auto slot = std::find(slots.begin(), slots.end(), nullptr);
        return slot == slots.end() ? nullptr : &*slot;
    }
    [[nodiscard]] bool contains(const void* pointer) const {
        const std::less<> before;
        const void* first = slots.data();
        const void* last = slots.data() + slots.size();
        return !before(pointer, first) && before(pointer, last);
    }
};

/// Plans that a program leaves to the end of the process are never destroyed, as FFTW's are not.
constinit Table table{};

}  // namespace

void* add_handle(std::unique_ptr<WeftPlan> plan) {
    const std::scoped_lock lock(table.mutex);
    WeftPlan** slot = table.free_slot();
    if (slot == nullptr) return nullptr;
    *slot = plan.release();
    return static_cast<void*>(slot);
}

WeftPlan* find_plan(const void* handle) {
    if (!table.contains(handle)) return nullptr;
    return *static_cast<WeftPlan* const*>(handle);
}

void remove_handle(const void* handle) {
    std::unique_ptr<WeftPlan> plan;
    const std::scoped_lock lock(table.mutex);
    auto* slot = const_cast<WeftPlan**>(static_cast<WeftPlan* const*>(handle));
    plan.reset(*slot);
    *slot = nullptr;
}

bool has_free_handle() {
    const std::scoped_lock lock(table.mutex);
    return table.used < most_plans ||
           std::find(table.slots.begin(), table.slots.end(), nullptr) != table.slots.end();
}

}  // namespace weft::fftw
