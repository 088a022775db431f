#include "net/exposed_array.hpp"

#include <utility>

#include "net/agree.hpp"

namespace weft::core {

ExposedArray::ExposedArray(std::shared_ptr<MpiRegion> counters, NodeMemory arrays)
    : counters_(std::move(counters)), arrays_(std::move(arrays)) {}

std::byte* ExposedArray::of(int rank) const {
    const std::optional<int> place = counters_->node().place(rank);
    return place ? arrays_.of(*place) : nullptr;
}

std::unique_ptr<ExposedArray> expose_array(GroupComm& all, int number, std::byte* array,
                                           Index bytes) {
    auto arrays = NodeMemory::expose(all.comm, *node_ranks(all), array, bytes);
    if (!arrays) return nullptr;
    std::shared_ptr<MpiRegion> counters;
    try {
        counters = counters_of_array(all, number);
    } catch (const Error&) {  // On all ranks: no room even for the counters.
        return nullptr;
    }
    std::unique_ptr<ExposedArray> result;
    all_or_none(all.comm, [&] {
        result = std::make_unique<ExposedArray>(std::move(counters), std::move(*arrays));
    });
    return result;
}

}  // namespace weft::core
