#include "net/mpi.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "net/agree.hpp"
#include "net/device_region.hpp"
#include "net/mpi_collective.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_region.hpp"
#include "net/node_memory.hpp"
#include "net/progress_thread.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

MpiNet::MpiNet(std::shared_ptr<CommPool> pool, Device* device)
    : lease_(std::move(pool)), device_(device) {
    rank_ = rank_in(whole());
    ranks_ = ranks_in(whole());
}

MpiNet::~MpiNet() = default;

void MpiNet::join(const Group& group) { lease_.join(group, rank_); }

MPI_Comm MpiNet::own_whole() {
    GroupComm& all = lease_.communicators().at("all");
    return own_comm(all, all);
}

std::size_t place_in_group(const Group& group, int peer) {
    const auto place = std::lower_bound(group.ranks.begin(), group.ranks.end(), peer);
    return usize(place - group.ranks.begin());
}

std::string why_unavailable(const Transport& transport, std::string_view device) {
    static const std::map<TransportId, std::string (*)(std::string_view)> why = {
#define WEFT_REGION_TRANSPORT(...)
#define WEFT_OPTIONAL_TRANSPORT(id, ...) {TransportId::id, &why_not_##id},
#include "weft/methods.def"
    };
    const auto found = why.find(transport.id);
    return found == why.end() ? "" : found->second(device);
}

std::unique_ptr<Channel> MpiNet::open(const ExchangeTask& task,
                                      const std::optional<ExchangeBuffers>& fixed) {
    static const std::map<TransportId, OpenChannel> open = {
#define WEFT_REGION_TRANSPORT(...)
#define WEFT_TRANSPORT(id, ...) {TransportId::id, &open_##id},
#include "weft/methods.def"
    };
    Communicators& known = lease_.communicators();
    // A channel may have two tags, and MPI knows at least 32768.
    constexpr int numbers = 16384;
    const int number = channels_++ % numbers;
    const Ends ends = {
        known.at(task.group.key), known.at("all"), fixed, lease_.tag(), number, device_};
    return open.at(task.transport)(ends, task);
}

void MpiNet::share(const std::vector<Index>& bytes) {
    regions_.clear();
    GroupComm& all = lease_.communicators().at("all");
    core::all_or_none(all.comm, [&] { regions_.reserve(bytes.size()); });
    try {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const int number = static_cast<int>(i);
            if (device_ != nullptr) {
                regions_.push_back(device_region(all, *device_, number, bytes[i]));
            } else {
                regions_.push_back(work_region(all, number, bytes[i]));
            }
        }
    } catch (const Error&) {
        // On all ranks. Where there is too little memory, the rest does without these regions.
        regions_.clear();
        forget_work_regions(all);
        forget_device_regions(all);
        throw;
    }
}

SharedRegion& MpiNet::region(int number) { return *regions_[usize(number)]; }

namespace {

/// An array of each rank, which the others of its node have mapped and may read and write. Who may
/// use one, and who has, is counted in a region that holds nothing else.
class ExposedArray : public SharedRegion {
  public:
    ExposedArray(std::shared_ptr<MpiRegion> counters, NodeMemory arrays)
        : counters_(std::move(counters)), arrays_(std::move(arrays)) {}

    [[nodiscard]] std::byte* of(int rank) const override {
        const std::optional<int> place = counters_->node().place(rank);
        return place ? arrays_.of(*place) : nullptr;
    }
    std::unique_ptr<RegionUse> open(const RegionTask& task) override {
        return counters_->open(task);
    }
    bool reclaim(bool block) override { return counters_->reclaim(block); }

  private:
    std::shared_ptr<MpiRegion> counters_;
    NodeMemory arrays_;
};

/// Collective over the communicator. Null on all ranks if an array of some rank is not of
/// weft::allocate, or cannot be mapped by one of its node.
std::unique_ptr<SharedRegion> expose_array(GroupComm& all, int number, std::byte* array,
                                           Index bytes) {
    auto arrays = NodeMemory::expose(all.comm, *node_ranks(all), array, bytes);
    if (!arrays) return nullptr;
    std::shared_ptr<MpiRegion> counters;
    try {
        counters = counters_of_array(all, number);
    } catch (const Error&) {  // On all ranks: no room even for the counters.
        return nullptr;
    }
    std::unique_ptr<SharedRegion> result;
    all_or_none(all.comm, [&] {
        result = std::make_unique<ExposedArray>(std::move(counters), std::move(*arrays));
    });
    return result;
}

}  // namespace

SharedRegion* MpiNet::expose(std::byte* array, Index bytes) {
    GroupComm& all = lease_.communicators().at("all");
    const int number = static_cast<int>(exposed_.size());
    core::all_or_none(all.comm, [&] { exposed_.reserve(exposed_.size() + 1); });
    auto exposed = expose_array(all, number, array, bytes);
    if (exposed == nullptr) return nullptr;
    exposed_.push_back(std::move(exposed));
    return exposed_.back().get();
}

void call_in_finalize(MPI_Comm_delete_attr_function* function, void* argument) {
    int key = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, function, &key, nullptr),
              "MPI_Comm_create_keyval");
    check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, argument), "MPI_Comm_set_attr");
}

void MpiNet::all_or_none(FunctionRef<void()> work) { core::all_or_none(whole(), work); }

void MpiNet::assist(bool assisted) {
    if (helper_ == nullptr) {
        require_several_threads();
        helper_ = std::make_unique<ProgressThread>(whole());
    }
    helper_->work(assisted);
}

}  // namespace weft::core
