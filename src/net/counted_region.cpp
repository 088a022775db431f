#include "net/counted_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/index.hpp"
#include "weft/error.hpp"

namespace weft::core {

template <class Done>
void CountedRegion::wait(const Done& done) const {
    for (int looks = 0; !done(); ++looks) {
        if (looks > patience) let_others_work(looks);
    }
}

class CountedRegion::Use : public RegionUse {
  public:
    /// Who uses this rank's region and whose it uses, by their place.
    Use(CountedRegion& region, std::vector<int> users, std::vector<int> owners)
        : region_(region), users_(std::move(users)), owners_(std::move(owners)) {}

    void publish() override { time_ = region_.publish(users_); }
    bool await(bool block) override {
        for (const int place : owners_) {
            const auto published = [&] { return region_.has_published(place, time_); };
            if (block) region_.wait(published);
            if (!block && !published()) return false;
        }
        return true;
    }
    void release() override {
        for (const int place : owners_) region_.release(place, time_);
    }

  private:
    CountedRegion& region_;
    std::vector<int> users_;
    std::vector<int> owners_;
    std::uint64_t time_ = 0;
};

Index CountedRegion::header_bytes(int ranks) { return (1 + Index{ranks}) * cache_line; }

void CountedRegion::attach(std::vector<std::byte*> begin, int place) {
    begin_ = std::move(begin);
    place_ = place;
    expected_.resize(begin_.size());
}

void CountedRegion::reset() {
    std::memset(begin_[usize(place_)], 0, usize(header_bytes(places())));
    std::fill(expected_.begin(), expected_.end(), 0);
    publications_ = 0;
}

std::byte* CountedRegion::memory(int place) const {
    return begin_[usize(place)] + header_bytes(places());
}

std::vector<int> CountedRegion::places_of(const std::vector<PeerPart>& parts) const {
    std::vector<int> result;
    result.reserve(parts.size());
    for (const PeerPart& part : parts) {
        const std::optional<int> place = place_of(part.peer);
        if (!place) {
            throw Error(ErrorCode::system,
                        fmt::format("internal: rank {} is on another node", part.peer));
        }
        result.push_back(*place);
    }
    return result;
}

std::unique_ptr<RegionUse> CountedRegion::open(const RegionTask& task) {
    return std::make_unique<Use>(*this, places_of(task.offered), places_of(task.used));
}

std::atomic_ref<std::uint64_t> CountedRegion::counter(int place, int number) const {
    std::byte* line = begin_[usize(place)] + number * cache_line;
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(line));
}

std::uint64_t CountedRegion::publish(const std::vector<int>& users) {
    ++publications_;
    for (const int user : users) expected_[usize(user)] = publications_;
    counter(place_, 0).store(publications_, std::memory_order_release);
    return publications_;
}

bool CountedRegion::has_published(int place, std::uint64_t time) const {
    return counter(place, 0).load(std::memory_order_acquire) >= time;
}

void CountedRegion::release(int place, std::uint64_t time) const {
    counter(place, 1 + place_).store(time, std::memory_order_release);
}

bool CountedRegion::all_have_released() const {
    for (int place = 0; place < places(); ++place) {
        const std::uint64_t released = counter(place_, 1 + place).load(std::memory_order_acquire);
        if (released < expected_[usize(place)]) return false;
    }
    return true;
}

bool CountedRegion::reclaim(bool block) {
    if (block) wait([this] { return all_have_released(); });
    return block || all_have_released();
}

}  // namespace weft::core
