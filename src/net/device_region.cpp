#include "net/device_region.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/index.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

DeviceRegion::DeviceRegion(MPI_Comm all, std::shared_ptr<MpiRegion> counters, Device& device,
                           Index bytes)
    : counters_(std::move(counters)), device_(device) {
    const NodeRanks& node = counters_->node();
    Offer own;
    all_or_none(all, [&] {
        offers_.resize(usize(node.size()));
        memory_ = device.allocate(bytes, "region");
        clear();
        own.bytes = bytes;
        if (bytes > 0) own.handle = device.handle_of(*memory_);
    });
    all_or_none(all, [&] {
        check_mpi(MPI_Allgather(&own, sizeof(own), MPI_BYTE, offers_.data(), sizeof(own), MPI_BYTE,
                                node.comm()),
                  "MPI_Allgather");
    });
}

void DeviceRegion::clear() {
    const auto kernel = device_.clearing(bytes());
    const auto queue = device_.queue("clear");
    const auto work = [&](const DeviceView& view) {
        if (kernel != nullptr) return kernel->run(view, nullptr, memory_->data());
        std::memset(view.reach(memory_->data()), 0, usize(bytes()));
    };
    queue->wait(queue->launch(work, "clear a region"));
}

std::byte* DeviceRegion::of(int rank) const {
    const std::optional<int> place = counters_->node().place(rank);
    if (!place) return nullptr;
    if (*place == counters_->node().rank()) return memory_->data();
    const auto found = opened_.find(*place);
    return found == opened_.end() ? nullptr : found->second->data();
}

std::unique_ptr<RegionUse> DeviceRegion::open(const RegionTask& task) {
    auto use = counters_->open(task);  // It throws if one is on another node.
    for (const PeerPart& part : task.used) {
        const int place = *counters_->node().place(part.peer);
        const Offer& offer = offers_[usize(place)];
        if (place == counters_->node().rank() || offer.bytes == 0) continue;
        if (opened_.contains(place)) continue;
        try {
            opened_.emplace(place, device_.open(offer.handle, offer.bytes));
        } catch (const Error& error) {
            throw Error(error.code(),
                        fmt::format("via=shared: the memory of rank {} on {} cannot be opened by a "
                                    "rank of its node ({}); take another method (`weft methods`)",
                                    part.peer, device_.name(), error.what()));
        }
    }
    return use;
}

namespace {

constexpr std::string_view key = "device region ";

}  // namespace

std::shared_ptr<DeviceRegion> device_region(GroupComm& all, Device& device, int number,
                                            Index bytes) {
    auto counters = counters_of_device_region(all, number);
    std::shared_ptr<void>* kept = nullptr;
    all_or_none(all.comm,
                [&] { kept = &all.kept[fmt::format("{}{} {}", key, device.name(), number)]; });
    auto region = std::static_pointer_cast<DeviceRegion>(*kept);
    if (on_any_rank(all.comm, region == nullptr || region->bytes() < bytes)) {
        // Others have opened it, and close it before anybody frees his.
        if (region != nullptr) region->close();
        all_or_none(all.comm, [] {});
        region.reset();
        kept->reset();
        region =
            make_collectively<DeviceRegion>(all.comm, all.comm, std::move(counters), device, bytes);
        *kept = region;
    } else {
        // Whoever had it before has given back its lease on every rank.
        all_or_none(all.comm, [&] { region->clear(); });
    }
    return region;
}

void forget_device_regions(GroupComm& all) {
    const auto is_one = [](const auto& one) { return one.first.starts_with(key); };
    for (const auto& one : all.kept) {
        if (!is_one(one) || one.second == nullptr) continue;
        std::static_pointer_cast<DeviceRegion>(one.second)->close();
    }
    all_or_none(all.comm, [] {});
    std::erase_if(all.kept, is_one);
}

}  // namespace weft::core
