#include "testing/net/local.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "testing/net/slice_bytes.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

[[noreturn]] void throw_cannot_block() {
    throw Error(ErrorCode::system, "the in-process net cannot block; call test in turns");
}

}  // namespace

class LocalChannel : public Channel {
  public:
    LocalChannel(LocalWorld& world, int id, int rank, ExchangeTask task)
        : world_(world),
          id_(id),
          rank_(rank),
          task_(std::move(task)),
          taken_(task_.receives.size(), true) {}

    void start(const ExchangeBuffers& buffers) override {
        to_ = buffers.to;
        for (const Message& send : task_.sends) {
            const int delay = static_cast<int>(
                world_.random_.between(0, std::max(world_.options_.longest_delay, 0)));
            LocalWorld::Parcel parcel{send.slices, buffers.from, {}, delay};
            if (!world_.options_.rendezvous) {
                parcel.bytes = gathered(send.slices, task_.element_bytes, buffers.from);
            }
            world_.mailboxes_[{id_, rank_, send.peer}].push_back(std::move(parcel));
            ++world_.undelivered_;
        }
        std::fill(taken_.begin(), taken_.end(), false);
    }

    bool test() override {
        bool complete = true;
        for (std::size_t i = 0; i < taken_.size(); ++i) complete = look(i) && complete;
        if (world_.options_.rendezvous) {
            for (const Message& send : task_.sends) {
                complete = complete && world_.mailboxes_[{id_, rank_, send.peer}].empty();
            }
        }
        return complete;
    }

    std::optional<std::size_t> arrival(bool /*block*/) override {
        for (std::size_t i = 0; i < taken_.size(); ++i) {
            if (!taken_[i] && look(i)) return i;
        }
        return {};
    }

    void wait() override {
        if (!test()) throw_cannot_block();
    }

  private:
    /// Whether a message has been taken, if need be now.
    bool look(std::size_t i) {
        if (!taken_[i]) taken_[i] = take(task_.receives[i]);
        return taken_[i];
    }
    bool take(const Message& receive) {
        auto& mailbox = world_.mailboxes_[{id_, receive.peer, rank_}];
        if (mailbox.empty()) return false;
        LocalWorld::Parcel& parcel = mailbox.front();
        if (parcel.delay-- > 0) return false;
        if (world_.options_.rendezvous) {
            parcel.bytes = gathered(parcel.slices, task_.element_bytes, parcel.from);
        }
        deliver(parcel.bytes, receive, task_.element_bytes, rank_, to_);
        mailbox.pop_front();
        --world_.undelivered_;
        return true;
    }

    LocalWorld& world_;
    int id_;
    int rank_;
    ExchangeTask task_;
    std::byte* to_ = nullptr;  ///< of what was started last
    std::vector<bool> taken_;
};

/// What a rank publishes is seen by the others after some looks.
class LocalUse : public RegionUse {
  public:
    LocalUse(LocalWorld& world, LocalWorld::Regions& regions, std::pair<int, int> own,
             RegionTask task)
        : world_(world),
          regions_(regions),
          rank_(own.first),
          number_(own.second),
          task_(std::move(task)),
          delays_(task_.used.size(), 0) {}

    void publish() override {
        LocalWorld::Shared& own = of(rank_);
        publications_ = ++own.publications;
        for (const PeerPart& part : task_.offered) own.expected[part.peer] = publications_;
        for (int& delay : delays_) {
            delay = static_cast<int>(
                world_.random_.between(0, std::max(world_.options_.longest_delay, 0)));
        }
    }
    bool await(bool block) override {
        bool complete = true;
        for (std::size_t i = 0; i < delays_.size(); ++i) {
            const bool published = of(task_.used[i].peer).publications >= publications_;
            complete = complete && published && delays_[i]-- <= 0;
        }
        if (block && !complete) throw_cannot_block();
        return complete;
    }
    void release() override {
        for (const PeerPart& part : task_.used) of(part.peer).released[rank_] = publications_;
    }

  private:
    LocalWorld::Shared& of(int rank) { return regions_.at({rank, number_}); }

    LocalWorld& world_;
    LocalWorld::Regions& regions_;
    int rank_;
    int number_;
    RegionTask task_;
    std::vector<int> delays_;
    Index publications_ = 0;
};

class LocalRegion : public SharedRegion {
  public:
    LocalRegion(LocalWorld& world, LocalWorld::Regions& regions, int rank, int number)
        : world_(world), regions_(regions), rank_(rank), number_(number) {}

    [[nodiscard]] std::byte* of(int rank) const override {
        if (!world_.topology_.same_node(rank_, rank)) return nullptr;
        return regions_.at({rank, number_}).begin();
    }
    std::unique_ptr<RegionUse> open(const RegionTask& task) override {
        for (const auto* parts : {&task.offered, &task.used}) {
            for (const PeerPart& part : *parts) {
                if (world_.topology_.same_node(rank_, part.peer)) continue;
                throw Error(ErrorCode::system,
                            fmt::format("rank {} and rank {} are on different nodes and share no "
                                        "memory",
                                        rank_, part.peer));
            }
        }
        return std::make_unique<LocalUse>(world_, regions_, std::pair(rank_, number_), task);
    }
    bool reclaim(bool block) override {
        LocalWorld::Shared& own = regions_.at({rank_, number_});
        const bool free =
            std::all_of(own.expected.begin(), own.expected.end(),
                        [&](const auto& one) { return own.released[one.first] >= one.second; });
        if (block && !free) throw_cannot_block();
        return free;
    }

  private:
    LocalWorld& world_;
    LocalWorld::Regions& regions_;
    int rank_;
    int number_;
};

class LocalNet : public Net {
  public:
    LocalNet(LocalWorld& world, int rank, int ranks, Device* device)
        : world_(world), rank_(rank), ranks_(ranks), device_(device) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    void join(const Group& /*group*/) override {}

    void share(const std::vector<Index>& bytes) override {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const int number = static_cast<int>(i);
            LocalWorld::Shared& own = world_.regions_[{rank_, number}];
            if (device_ != nullptr) {
                if (own.on_device == nullptr || own.on_device->bytes() < bytes[i]) {
                    own.on_device = device_->allocate(bytes[i], "region");
                }
            } else if (own.memory.bytes() < bytes[i]) {
                own.memory = Buffer(bytes[i]);
            }
            if (i < regions_.size()) continue;
            regions_.push_back(
                std::make_unique<LocalRegion>(world_, world_.regions_, rank_, number));
        }
    }
    SharedRegion& region(int number) override {
        return *regions_.at(static_cast<std::size_t>(number));
    }
    SharedRegion* expose(std::byte* array, Index /*bytes*/) override {
        const int number = static_cast<int>(arrays_.size());
        world_.arrays_[{rank_, number}].array = array;
        arrays_.push_back(std::make_unique<LocalRegion>(world_, world_.arrays_, rank_, number));
        return arrays_.back().get();
    }

    std::unique_ptr<Channel> open(const ExchangeTask& task,
                                  const std::optional<ExchangeBuffers>& /*fixed*/) override {
        check_peers(task);
        return std::make_unique<LocalChannel>(world_, channels_++, rank_, task);
    }

  private:
    void check_peers(const ExchangeTask& task) const {
        for (const auto* messages : {&task.sends, &task.receives}) {
            for (const Message& message : *messages) {
                const auto& group = task.group.ranks;
                if (!std::binary_search(group.begin(), group.end(), message.peer)) {
                    throw Error(ErrorCode::system,
                                fmt::format("rank {} exchanges with rank {}, outside its group {}",
                                            rank_, message.peer, task.group.key));
                }
            }
        }
    }

    LocalWorld& world_;
    int rank_;
    int ranks_;
    Device* device_;
    int channels_ = 0;
    std::vector<std::unique_ptr<LocalRegion>> regions_;
    std::vector<std::unique_ptr<LocalRegion>> arrays_;
};

LocalWorld::LocalWorld(int ranks, const LocalOptions& options)
    : ranks_(ranks),
      options_(options),
      topology_(ranks, options.ranks_per_node),
      random_(options.seed) {}

std::unique_ptr<Net> LocalWorld::net(int rank, Device* device) {
    return std::make_unique<LocalNet>(*this, rank, ranks_, device);
}

}  // namespace weft::core
