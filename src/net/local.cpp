#include "net/local.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "net/slice_bytes.hpp"
#include "weft/error.hpp"

namespace weft::core {

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

    int arrival(bool /*block*/) override {
        for (std::size_t i = 0; i < taken_.size(); ++i) {
            if (!taken_[i] && look(i)) return static_cast<int>(i);
        }
        return -1;
    }

    void wait() override {
        if (!test()) {
            throw Error(ErrorCode::system, "the in-process net cannot block; call test in turns");
        }
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

class LocalWindow : public SharedWindow {
  public:
    LocalWindow(LocalWorld& world, int rank, int number)
        : world_(world), rank_(rank), number_(number) {}

    [[nodiscard]] std::byte* of(int rank) const override {
        if (!world_.topology_.same_node(rank_, rank)) return nullptr;
        const LocalWorld::Shared& shared = world_.windows_.at({rank, number_});
        return shared.array != nullptr ? shared.array : shared.memory.data();
    }
    bool claim(bool /*block*/) override {
        LocalWorld::Shared& own = world_.windows_.at({rank_, number_});
        return std::all_of(own.expected.begin(), own.expected.end(),
                           [&](const auto& one) { return own.read[one.first] >= one.second; });
    }

  private:
    LocalWorld& world_;
    int rank_;
    int number_;
};

/// An exchange in which peers' windows are read. What was posted is seen after some looks.
class LocalReading : public Channel {
  public:
    LocalReading(LocalWorld& world, int rank, ExchangeTask task)
        : world_(world), rank_(rank), task_(std::move(task)), delays_(task_.receives.size(), 0) {}

    void start(const ExchangeBuffers& /*buffers*/) override {
        LocalWorld::Shared& own = of(rank_);
        posts_ = ++own.posts;
        for (const Message& send : task_.sends) own.expected[send.peer] = posts_;
        for (int& delay : delays_) {
            delay = static_cast<int>(
                world_.random_.between(0, std::max(world_.options_.longest_delay, 0)));
        }
    }
    bool test() override {
        bool complete = true;
        for (std::size_t i = 0; i < delays_.size(); ++i) {
            const bool posted = of(task_.receives[i].peer).posts >= posts_;
            complete = complete && posted && delays_[i]-- <= 0;
        }
        return complete;
    }
    void wait() override {
        if (!test()) {
            throw Error(ErrorCode::system, "the in-process net cannot block; call test in turns");
        }
    }
    void release() override {
        for (const Message& receive : task_.receives) of(receive.peer).read[rank_] = posts_;
    }

  private:
    LocalWorld::Shared& of(int rank) { return world_.windows_.at({rank, task_.window}); }

    LocalWorld& world_;
    int rank_;
    ExchangeTask task_;
    std::vector<int> delays_;
    Index posts_ = 0;
};

class LocalNet : public Net {
  public:
    LocalNet(LocalWorld& world, int rank, int ranks) : world_(world), rank_(rank), ranks_(ranks) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    void join(const Group& /*group*/) override {}

    void share(const std::vector<Index>& bytes) override {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const int number = static_cast<int>(i);
            LocalWorld::Shared& own = world_.windows_[{rank_, number}];
            if (own.memory.bytes() < bytes[i]) own.memory = Buffer(bytes[i]);
            windows_[number] = std::make_unique<LocalWindow>(world_, rank_, number);
        }
    }
    int show(std::byte* array, Index /*bytes*/) override {
        const int number = first_shown_window + shown_++;
        world_.windows_[{rank_, number}].array = array;
        windows_[number] = std::make_unique<LocalWindow>(world_, rank_, number);
        return number;
    }
    SharedWindow& window(int number) override { return *windows_.at(number); }

    std::unique_ptr<Channel> open(const ExchangeTask& task,
                                  const std::optional<ExchangeBuffers>& /*fixed*/) override {
        check_peers(task);
        if (task.window != -1) {
            check_node(task);
            return std::make_unique<LocalReading>(world_, rank_, task);
        }
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

    void check_node(const ExchangeTask& task) const {
        for (const auto* messages : {&task.sends, &task.receives}) {
            for (const Message& message : *messages) {
                if (world_.topology().same_node(rank_, message.peer)) continue;
                throw Error(ErrorCode::system,
                            fmt::format("rank {} and rank {} are on different nodes and share no "
                                        "memory",
                                        rank_, message.peer));
            }
        }
    }

    LocalWorld& world_;
    int rank_;
    int ranks_;
    int channels_ = 0;
    int shown_ = 0;
    std::map<int, std::unique_ptr<LocalWindow>> windows_;
};

LocalWorld::LocalWorld(int ranks, const LocalOptions& options)
    : ranks_(ranks),
      options_(options),
      topology_(ranks, options.ranks_per_node),
      random_(options.seed) {}

std::unique_ptr<Net> LocalWorld::net(int rank) {
    return std::make_unique<LocalNet>(*this, rank, ranks_);
}

}  // namespace weft::core
