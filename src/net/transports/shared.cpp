#include <fmt/format.h>

#include <algorithm>

#include "net/mpi_error.hpp"
#include "net/mpi_windows.hpp"

namespace weft::core {

namespace {

/// Nothing is sent: peers are told that this rank's window may be read, and waited for until they
/// have told the same.
class SharedReading : public Channel {
  public:
    SharedReading(MpiWindow& window, const ExchangeTask& task)
        : window_(window), readers_(places(task.sends)), sources_(places(task.receives)) {}

    void start() override { time_ = window_.post(readers_); }
    bool test() override {
        return std::all_of(sources_.begin(), sources_.end(),
                           [&](int place) { return window_.has_posted(place, time_); });
    }
    void wait() override {
        for (const int place : sources_) {
            window_.wait([&] { return window_.has_posted(place, time_); });
        }
    }
    void release() override {
        for (const int place : sources_) window_.release(place, time_);
    }

  private:
    [[nodiscard]] std::vector<int> places(const std::vector<Message>& messages) const {
        std::vector<int> result;
        for (const Message& message : messages) {
            const int place = window_.node().place(message.peer);
            if (place == -1) {
                throw Error(ErrorCode::system,
                            fmt::format("internal: rank {} is on another node", message.peer));
            }
            result.push_back(place);
        }
        return result;
    }

    MpiWindow& window_;
    std::vector<int> readers_;
    std::vector<int> sources_;
    std::uint64_t time_ = 0;
};

}  // namespace

std::unique_ptr<Channel> open_shared(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<SharedReading>(*ends.window, task);
}

}  // namespace weft::core
