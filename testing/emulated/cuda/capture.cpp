#include "testing/emulated/cuda/capture.hpp"

#include <algorithm>

namespace weft::core::emulated {

int Capture::add_lane() {
    const std::scoped_lock lock(mutex_);
    seen_.emplace_back();
    for (Counts& counts : seen_) counts.resize(seen_.size());
    return static_cast<int>(seen_.size()) - 1;
}

void Capture::add(int lane, const Operation& operation) {
    const std::scoped_lock lock(mutex_);
    operations_.push_back(operation);
    const auto own = static_cast<std::size_t>(lane);
    ++seen_[own][own];
}

void Capture::work(int lane, const Closure& closure, std::string_view step) {
    add(lane, {lane, Work{std::make_shared<const Closure>(closure), step}});
}

void Capture::copy(int lane, const Copy& copy) { add(lane, {lane, copy}); }

std::size_t Capture::mark(int lane) {
    const std::scoped_lock lock(mutex_);
    marks_.push_back(seen_[static_cast<std::size_t>(lane)]);
    operations_.push_back({lane, Mark{marks_.size() - 1}});
    return marks_.size() - 1;
}

void Capture::wait(int lane, std::size_t mark) {
    const std::scoped_lock lock(mutex_);
    operations_.push_back({lane, Wait{mark}});
    Counts& own = seen_[static_cast<std::size_t>(lane)];
    const Counts& other = marks_[mark];
    for (std::size_t i = 0; i < other.size(); ++i) own[i] = std::max(own[i], other[i]);
}

void Capture::end() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
}

bool Capture::ended() const {
    const std::scoped_lock lock(mutex_);
    return ended_;
}

void Capture::invalidate() {
    const std::scoped_lock lock(mutex_);
    valid_ = false;
}

bool Capture::valid() const {
    const std::scoped_lock lock(mutex_);
    return valid_;
}

bool Capture::joined() const {
    const std::scoped_lock lock(mutex_);
    for (std::size_t lane = 1; lane < seen_.size(); ++lane) {
        if (seen_[0][lane] < seen_[lane][lane]) return false;
    }
    return true;
}

}  // namespace weft::core::emulated
