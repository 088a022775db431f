#include "tune/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "tune/median_interval.hpp"

namespace weft::core {

namespace {

constexpr double hopeless = 1.1;

double least(const std::vector<double>& times) {
    return *std::min_element(times.begin(), times.end());
}
double most(const std::vector<double>& times) {
    return *std::max_element(times.begin(), times.end());
}

/// Why a contestant is behind the leader; empty: it may yet be the faster one.
std::string why_behind(const std::vector<double>& times, const std::vector<double>& leader) {
    if (times.size() >= 2 && leader.size() >= 2 && least(times) > hopeless * most(leader)) {
        return fmt::format("its fastest of {} runs took {:.2f} times the slowest run of the leader",
                           times.size(), least(times) / most(leader));
    }
    const auto own = median_interval(times);
    const auto its = median_interval(leader);
    if (own && its && own->low > its->high) {
        return fmt::format("the interval of its median lies above the leader's, {:.2f} times",
                           own->low / its->high);
    }
    return "";
}

}  // namespace

Race::Race(std::vector<std::vector<double>> times, int most_rounds, Figure figure)
    : times_(std::move(times)),
      dropped_(times_.size()),
      rounds_left_(most_rounds),
      figure_of_(figure) {
    drop_those_behind();
}

double Race::figure(std::size_t contestant) const {
    const std::vector<double>& times = times_[contestant];
    return figure_of_ == Figure::least ? least(times) : median(times);
}

std::size_t Race::in_race() const {
    return usize(std::count(dropped_.begin(), dropped_.end(), ""));
}

std::optional<std::size_t> Race::leader() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < times_.size(); ++i) {
        if (!dropped_[i].empty() || times_[i].empty()) continue;
        if (!best || figure(i) < figure(*best)) best = i;
    }
    return best;
}

void Race::drop_those_behind() {
    const std::optional<std::size_t> first = leader();
    if (!first) return;
    for (std::size_t i = 0; i < times_.size(); ++i) {
        if (i == *first || !dropped_[i].empty() || times_[i].empty()) continue;
        dropped_[i] = why_behind(times_[i], times_[*first]);
    }
}

std::optional<Position> Race::ask() {
    const std::size_t left = in_race();
    if (times_.size() < 2 || left == 0 || rounds_left_ == 0) return std::nullopt;
    while (!dropped_[next_].empty()) ++next_;
    if (left == 1 && !times_[next_].empty()) return std::nullopt;
    return Position{static_cast<int>(next_)};
}

void Race::tell(double seconds) {
    if (seconds == infeasible) {
        dropped_[next_] = "it failed";
    } else {
        times_[next_].push_back(seconds);
    }
    do {
        ++next_;
    } while (next_ < dropped_.size() && !dropped_[next_].empty());
    if (next_ < dropped_.size()) return;
    next_ = 0;
    --rounds_left_;
    drop_those_behind();
}

}  // namespace weft::core
