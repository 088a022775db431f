// A stream of a caller's on the fake device, which stands still while it is held.
//
//     CallerStream stream;
//     fft.set_stream(stream.handle());
//     stream.hold();                 // what is put into it from now on is not done ..
//     stream.copy(from, to, bytes);
//     stream.go();                   // .. until now
#pragma once

#include <atomic>
#include <memory>

#include "device/devices.hpp"
#include "testing/fake/fake.hpp"

namespace weft::core {

class CallerStream {
  public:
    CallerStream() : queue_(device("fake").queue("the caller's")) {}
    ~CallerStream() { go(); }
    CallerStream(const CallerStream&) = delete;
    CallerStream& operator=(const CallerStream&) = delete;

    [[nodiscard]] void* handle() const { return fake_stream(*queue_); }
    void hold() {
        open_ = false;
        queue_->launch(stand_, "stand");
    }
    void go() {
        open_ = true;
        open_.notify_all();
    }
    void copy(const void* from, void* to, Index bytes) {
        queue_->copy(static_cast<const std::byte*>(from), static_cast<std::byte*>(to), bytes,
                     "the caller's copy");
    }
    void wait() { queue_->wait(queue_->last()); }

  private:
    struct Stand {
        std::atomic<bool>* open;
        void operator()(const DeviceView& /*view*/) const { open->wait(false); }
    };
    std::atomic<bool> open_ = true;
    Stand stand_{&open_};
    std::unique_ptr<DeviceQueue> queue_;
};

}  // namespace weft::core
