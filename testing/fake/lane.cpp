#include "testing/fake/lane.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

void FakeLane::grow() {
    std::vector<Item> larger(std::max<std::size_t>(16, 2 * ring_.size()));
    for (std::size_t i = 0; i < count_; ++i) {
        larger[i] = std::move(ring_[(first_ + i) % ring_.size()]);
    }
    ring_ = std::move(larger);
    first_ = 0;
}

FakeLane::Ticket FakeLane::put(Item item) {
    const std::scoped_lock lock(mutex_);
    if (count_ == ring_.size()) grow();
    item.ticket = last_ + 1;
    if (!std::holds_alternative<Wait>(item.what)) ++last_;
    ring_[(first_ + count_) % ring_.size()] = std::move(item);
    ++count_;
    changed_.notify_all();
    return last_;
}

bool FakeLane::may_take() const { return count_ != 0 && ring_[first_].ticket <= may_run_; }

std::optional<FakeLane::Item> FakeLane::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return may_take() || (stopping_ && count_ == 0); });
    if (count_ == 0) return {};
    std::optional<Item> item = std::exchange(ring_[first_], Item{});
    first_ = (first_ + 1) % ring_.size();
    --count_;
    return item;
}

void FakeLane::stop() {
    const std::scoped_lock lock(mutex_);
    may_run_ = ~Ticket{0};
    stopping_ = true;
    changed_.notify_all();
}

void FakeLane::complete(Ticket ticket, const std::exception_ptr& error) {
    const std::scoped_lock lock(mutex_);
    run_ = ticket;
    if (error != nullptr && error_ == nullptr) {
        error_ = error;
        failed_ = ticket;
    }
    changed_.notify_all();
}

void FakeLane::let_run(Ticket ticket) {
    if (ticket <= may_run_) return;
    may_run_ = ticket;
    changed_.notify_all();
}

bool FakeLane::has_run(Ticket ticket) {
    const std::scoped_lock lock(mutex_);
    let_run(ticket);
    return run_ >= ticket;
}

void FakeLane::wait_until_run(Ticket ticket) {
    std::unique_lock lock(mutex_);
    let_run(ticket);
    changed_.wait(lock, [&] { return run_ >= ticket; });
}

std::exception_ptr FakeLane::error(Ticket ticket) {
    const std::scoped_lock lock(mutex_);
    return error_ != nullptr && failed_ <= ticket ? error_ : nullptr;
}

FakeLane::Ticket FakeLane::last() const {
    const std::scoped_lock lock(mutex_);
    return last_;
}

}  // namespace weft::core
