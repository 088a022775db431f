#include "net/shown_array.hpp"

#include <utility>

#include "net/agree.hpp"

namespace weft::core {

ShownArray::ShownArray(std::shared_ptr<MpiWindow> counters, NodeMemory arrays)
    : counters_(std::move(counters)), arrays_(std::move(arrays)) {}

std::byte* ShownArray::of(int rank) const {
    const int place = counters_->node().place(rank);
    return place == -1 ? nullptr : arrays_.of(place);
}

std::unique_ptr<ShownArray> show_array(GroupComm& all, int number, std::byte* array, Index bytes) {
    auto arrays = NodeMemory::show(all.comm, *node_ranks(all), array, bytes);
    if (!arrays) return nullptr;
    std::shared_ptr<MpiWindow> counters;
    try {
        counters = shared_window(all, number, 0);
    } catch (const Error&) {  // On all ranks: no room even for the counters.
        return nullptr;
    }
    std::unique_ptr<ShownArray> result;
    all_or_none(all.comm, [&] {
        result = std::make_unique<ShownArray>(std::move(counters), std::move(*arrays));
    });
    return result;
}

}  // namespace weft::core
