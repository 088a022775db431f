#include "net/counted_window.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/windows.hpp"

namespace weft::core {

Index CountedWindow::header_bytes(int places) { return (1 + Index{places}) * cache_line; }

void CountedWindow::attach(std::vector<std::byte*> begin, int place) {
    begin_ = std::move(begin);
    place_ = place;
    expected_.resize(begin_.size());
}

void CountedWindow::reset() {
    std::memset(begin_[static_cast<std::size_t>(place_)], 0,
                static_cast<std::size_t>(header_bytes(places())));
    std::fill(expected_.begin(), expected_.end(), 0);
    posts_ = 0;
}

std::byte* CountedWindow::memory(int place) const {
    return begin_[static_cast<std::size_t>(place)] + header_bytes(places());
}

std::atomic_ref<std::uint64_t> CountedWindow::counter(int place, int number) const {
    std::byte* line = begin_[static_cast<std::size_t>(place)] + number * cache_line;
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(line));
}

std::uint64_t CountedWindow::post(const std::vector<int>& readers) {
    ++posts_;
    for (const int reader : readers) expected_[static_cast<std::size_t>(reader)] = posts_;
    counter(place_, 0).store(posts_, std::memory_order_release);
    return posts_;
}

bool CountedWindow::has_posted(int place, std::uint64_t time) const {
    return counter(place, 0).load(std::memory_order_acquire) >= time;
}

void CountedWindow::release(int place, std::uint64_t time) const {
    counter(place, 1 + place_).store(time, std::memory_order_release);
}

bool CountedWindow::all_have_read() const {
    for (int place = 0; place < places(); ++place) {
        const std::uint64_t read = counter(place_, 1 + place).load(std::memory_order_acquire);
        if (read < expected_[static_cast<std::size_t>(place)]) return false;
    }
    return true;
}

bool CountedWindow::claim(bool block) {
    if (block) wait([this] { return all_have_read(); });
    return block || all_have_read();
}

}  // namespace weft::core
