#include "tune/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::core {

Simplex::Simplex(std::vector<int> steps, const Position& start) : steps_(std::move(steps)) {
    const Point base(start.begin(), start.end());
    vertices_.push_back({base});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const int below = start[i];
        const int above = steps_[i] - 1 - start[i];
        const int most = std::max(below, above);
        if (most == 0) continue;  // A scale of one value.
        const int half = (most + 1) / 2;
        const double step = half;
        Point point = base;
        point[i] += above > below ? step : -step;
        vertices_.push_back({std::move(point)});
    }
    trial_ = vertices_.front().point;
}

bool Simplex::inside(const Position& position) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (position[i] < 0 || position[i] >= steps_[i]) return false;
    }
    return true;
}

Position Simplex::position(const Point& point) const {
    Position result(point.size());
    std::transform(point.begin(), point.end(), result.begin(),
                   [](double x) { return static_cast<int>(std::lround(x)); });
    return result;
}

std::optional<Position> Simplex::ask() {
    while (phase_ != Phase::done) {
        Position next = position(trial_);
        if (inside(next)) return next;
        told(infeasible);
    }
    return std::nullopt;
}

void Simplex::tell(double value) { told(value); }

Simplex::Point Simplex::reflected(double by) const {
    const std::size_t others = vertices_.size() - 1;
    Point result(steps_.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        double centroid = 0;
        for (std::size_t v = 0; v < others; ++v) centroid += vertices_[v].point[i];
        centroid /= static_cast<double>(others);
        result[i] = centroid + by * (centroid - vertices_.back().point[i]);
    }
    return result;
}

void Simplex::start_reflection() {
    std::stable_sort(vertices_.begin(), vertices_.end(),
                     [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
    const Position best = position(vertices_.front().point);
    const bool one_position =
        std::all_of(vertices_.begin(), vertices_.end(),
                    [&](const Vertex& vertex) { return position(vertex.point) == best; });
    // A best vertex without a value means that nothing around the start can be run.
    if (vertices_.size() == 1 || one_position || vertices_.front().value == infeasible) {
        phase_ = Phase::done;
        return;
    }
    phase_ = Phase::reflect;
    trial_ = reflected(1);
}

void Simplex::replace(Vertex vertex) {
    vertices_.back() = std::move(vertex);
    start_reflection();
}

void Simplex::start_shrink() {
    phase_ = Phase::shrink;
    next_ = 1;
    for (std::size_t v = 1; v < vertices_.size(); ++v) {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            double& x = vertices_[v].point[i];
            x = (x + vertices_.front().point[i]) / 2;
        }
    }
    trial_ = vertices_[next_].point;
}

void Simplex::told(double value) {
    switch (phase_) {
        case Phase::start:
        case Phase::shrink:
            vertices_[next_].value = value;
            if (++next_ < vertices_.size()) {
                trial_ = vertices_[next_].point;
            } else {
                start_reflection();
            }
            return;
        case Phase::reflect:
            reflection_ = {trial_, value};
            if (value < vertices_.front().value) {
                phase_ = Phase::expand;
                trial_ = reflected(2);
            } else if (value < vertices_[vertices_.size() - 2].value) {
                replace(reflection_);
            } else {
                phase_ = Phase::contract;
                trial_ = reflected(value < vertices_.back().value ? 0.5 : -0.5);
            }
            return;
        case Phase::expand:
            replace(value < reflection_.value ? Vertex{trial_, value} : reflection_);
            return;
        case Phase::contract:
            if (value < std::min(reflection_.value, vertices_.back().value)) {
                replace({trial_, value});
            } else {
                start_shrink();
            }
            return;
        case Phase::done:
            return;
    }
}

}  // namespace weft::core
