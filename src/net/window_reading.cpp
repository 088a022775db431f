#include "net/window_reading.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

WindowReading::WindowReading(CountedWindow& window, std::vector<int> readers,
                             std::vector<int> sources)
    : window_(window), readers_(std::move(readers)), sources_(std::move(sources)) {}

void WindowReading::start(const ExchangeBuffers& /*buffers*/) { time_ = window_.post(readers_); }

bool WindowReading::test() {
    return std::all_of(sources_.begin(), sources_.end(),
                       [&](int place) { return window_.has_posted(place, time_); });
}

void WindowReading::wait() {
    for (const int place : sources_) {
        window_.wait([&] { return window_.has_posted(place, time_); });
    }
}

void WindowReading::release() {
    for (const int place : sources_) window_.release(place, time_);
}

}  // namespace weft::core
