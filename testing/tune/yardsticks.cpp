#include "testing/tune/yardsticks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::core {

void RandomSearch::tell(double /*value*/) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        next_[i] = static_cast<int>(random_.between(0, steps_[i] - 1));
    }
}

std::optional<Position> CoordinateSearch::ask() {
    while (started_ && !next_) {
        if (unchanged_ > 2 * steps_.size()) return std::nullopt;
        Position candidate = best_;
        candidate[number_] += direction_;
        if (candidate[number_] >= 0 && candidate[number_] < steps_[number_]) {
            next_ = std::move(candidate);
        } else {
            turn();
        }
    }
    return next_;
}

void CoordinateSearch::turn() {
    ++unchanged_;
    direction_ = -direction_;
    if (direction_ == 1) number_ = (number_ + 1) % steps_.size();
}

void CoordinateSearch::tell(double value) {
    if (!started_ || value < value_) {
        best_ = *next_;
        value_ = value;
        unchanged_ = 0;
        started_ = true;
    } else {
        turn();
    }
    next_.reset();
}

RankOrderSimplex::RankOrderSimplex(std::vector<int> steps, const Position& start)
    : steps_(std::move(steps)) {
    vertices_.push_back({start});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i] == 1) continue;
        Position position = start;
        position[i] = start[i] > (steps_[i] - 1) / 2 ? 0 : steps_[i] - 1;
        vertices_.push_back({position});
    }
}

std::optional<Position> RankOrderSimplex::ask() {
    if (phase_ == Phase::done) return std::nullopt;
    return phase_ == Phase::start ? vertices_[next_].position : trial_[next_].position;
}

void RankOrderSimplex::tell(double value) {
    std::vector<Vertex>& told = phase_ == Phase::start ? vertices_ : trial_;
    told[next_].value = value;
    if (++next_ == told.size()) go_on();
}

std::vector<RankOrderSimplex::Vertex> RankOrderSimplex::moved(double factor) const {
    std::vector<Vertex> result;
    const Position& best = vertices_.front().position;
    for (std::size_t v = 1; v < vertices_.size(); ++v) {
        Vertex vertex{vertices_[v].position};
        for (std::size_t i = 0; i < best.size(); ++i) {
            const double to = best[i] + factor * (vertex.position[i] - best[i]);
            vertex.position[i] = std::clamp(static_cast<int>(std::trunc(to)), 0, steps_[i] - 1);
        }
        result.push_back(std::move(vertex));
    }
    return result;
}

void RankOrderSimplex::begin(Phase phase, std::vector<Vertex> trial) {
    phase_ = phase;
    trial_ = std::move(trial);
    next_ = 0;
}

bool RankOrderSimplex::beats_best(const std::vector<Vertex>& trial) const {
    return std::any_of(trial.begin(), trial.end(), [&](const Vertex& vertex) {
        return vertex.value < vertices_.front().value;
    });
}

void RankOrderSimplex::go_on() {
    const auto least = [](const std::vector<Vertex>& some) {
        return std::min_element(some.begin(), some.end(),
                                [](const Vertex& a, const Vertex& b) { return a.value < b.value; })
            ->value;
    };
    if (phase_ == Phase::reflect && beats_best(trial_)) {
        reflections_ = trial_;
        begin(Phase::expand, moved(-2));
        return;
    }
    if (phase_ == Phase::reflect) {
        begin(Phase::shrink, moved(0.5));
        return;
    }
    if (phase_ == Phase::expand && least(reflections_) < least(trial_)) trial_ = reflections_;
    if (phase_ != Phase::start) {
        std::copy(trial_.begin(), trial_.end(), vertices_.begin() + 1);
    }
    std::stable_sort(vertices_.begin(), vertices_.end(),
                     [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
    const bool one = std::all_of(vertices_.begin(), vertices_.end(), [&](const Vertex& vertex) {
        return vertex.position == vertices_.front().position;
    });
    if (one || vertices_.front().value == infeasible) {
        phase_ = Phase::done;
    } else {
        begin(Phase::reflect, moved(-1));
    }
}

}  // namespace weft::core
