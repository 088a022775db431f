#include "threads/thread_net.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "testing/net/slice_bytes.hpp"
#include "threads/thread_region.hpp"

namespace weft::core::test {

class ThreadChannel : public Channel {
  public:
    ThreadChannel(ThreadWorld& world, int id, int rank, ExchangeTask task)
        : world_(world),
          id_(id),
          rank_(rank),
          task_(std::move(task)),
          taken_(task_.receives.size(), true) {}

    void start(const ExchangeBuffers& buffers) override {
        to_ = buffers.to;
        for (const Message& send : task_.sends) {
            world_.send({id_, rank_, send.peer},
                        gathered(send.slices, task_.element_bytes, buffers.from));
        }
        std::fill(taken_.begin(), taken_.end(), false);
    }
    bool test() override {
        while (arrival(false)) {
        }
        return complete();
    }
    void wait() override {
        while (arrival(true)) {
        }
    }
    std::optional<std::size_t> arrival(bool block) override {
        for (; !complete(); std::this_thread::yield()) {
            for (std::size_t i = 0; i < taken_.size(); ++i) {
                if (!taken_[i] && take(task_.receives[i])) {
                    taken_[i] = true;
                    return i;
                }
            }
            if (!block) break;
        }
        return {};
    }

  private:
    [[nodiscard]] bool complete() const {
        return std::find(taken_.begin(), taken_.end(), false) == taken_.end();
    }
    bool take(const Message& receive) {
        const auto bytes = world_.take({id_, receive.peer, rank_});
        if (!bytes) return false;
        deliver(*bytes, receive, task_.element_bytes, rank_, to_);
        return true;
    }

    ThreadWorld& world_;
    int id_;
    int rank_;
    ExchangeTask task_;
    std::byte* to_ = nullptr;  ///< of what was started last
    std::vector<bool> taken_;  ///< by receive
};

class ThreadNet : public Net {
  public:
    ThreadNet(ThreadWorld& world, int rank, int ranks)
        : world_(world), rank_(rank), ranks_(ranks) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    void join(const Group& /*group*/) override {}

    void share(const std::vector<Index>& bytes) override {
        const int regions = static_cast<int>(bytes.size());
        for (int i = 0; i < regions; ++i) {
            const Index room = ThreadRegion::room(ranks_, bytes[static_cast<std::size_t>(i)]);
            world_.add_memory(ThreadWorld::Kind::region, i, rank_, room);
        }
        world_.meet();
        regions_.clear();
        for (int i = 0; i < regions; ++i) {
            regions_.push_back(
                std::make_unique<ThreadRegion>(world_.memory(ThreadWorld::Kind::region, i), rank_));
        }
    }
    SharedRegion& region(int number) override {
        return *regions_.at(static_cast<std::size_t>(number));
    }
    SharedRegion* expose(std::byte* array, Index /*bytes*/) override {
        constexpr auto kind = ThreadWorld::Kind::counters_of_array;
        const int number = static_cast<int>(arrays_.size());
        world_.add_memory(kind, number, rank_, ThreadRegion::room(ranks_, 0));
        world_.add_array(number, rank_, array);
        world_.meet();
        arrays_.push_back(std::make_unique<ThreadRegion>(world_.memory(kind, number), rank_,
                                                         world_.arrays(number)));
        return arrays_.back().get();
    }

    std::unique_ptr<Channel> open(const ExchangeTask& task,
                                  const std::optional<ExchangeBuffers>& /*fixed*/) override {
        return std::make_unique<ThreadChannel>(world_, channels_++, rank_, task);
    }

  private:
    ThreadWorld& world_;
    int rank_;
    int ranks_;
    int channels_ = 0;
    std::vector<std::unique_ptr<ThreadRegion>> regions_;
    std::vector<std::unique_ptr<ThreadRegion>> arrays_;
};

ThreadWorld::ThreadWorld(int ranks) : ranks_(ranks), meeting_(ranks) {}

std::unique_ptr<Net> ThreadWorld::net(int rank) {
    return std::make_unique<ThreadNet>(*this, rank, ranks_);
}

void ThreadWorld::send(const Address& address, Bytes bytes) {
    const std::scoped_lock lock(mutex_);
    mailboxes_[address].push_back(std::move(bytes));
}

std::optional<ThreadWorld::Bytes> ThreadWorld::take(const Address& address) {
    const std::scoped_lock lock(mutex_);
    auto& mailbox = mailboxes_[address];
    if (mailbox.empty()) return std::nullopt;
    Bytes bytes = std::move(mailbox.front());
    mailbox.pop_front();
    return bytes;
}

void ThreadWorld::add_memory(Kind kind, int number, int rank, Index bytes) {
    Buffer memory(bytes);
    std::memset(memory.data(), 0, static_cast<std::size_t>(bytes));
    const std::scoped_lock lock(mutex_);
    memory_[{kind, number, rank}] = std::move(memory);
}

void ThreadWorld::add_array(int number, int rank, std::byte* array) {
    const std::scoped_lock lock(mutex_);
    arrays_[{number, rank}] = array;
}

std::vector<std::byte*> ThreadWorld::arrays(int number) {
    const std::scoped_lock lock(mutex_);
    std::vector<std::byte*> result;
    result.reserve(static_cast<std::size_t>(ranks_));
    for (int rank = 0; rank < ranks_; ++rank) result.push_back(arrays_.at({number, rank}));
    return result;
}

std::vector<std::byte*> ThreadWorld::memory(Kind kind, int number) {
    const std::scoped_lock lock(mutex_);
    std::vector<std::byte*> result;
    result.reserve(static_cast<std::size_t>(ranks_));
    for (int rank = 0; rank < ranks_; ++rank) {
        result.push_back(memory_.at({kind, number, rank}).data());
    }
    return result;
}

}  // namespace weft::core::test
