// Searches that Simplex is compared with ([song] section 7). Each starts at a position and looks at
// a grid of so many steps along each number.
#pragma once

#include "base/random.hpp"
#include "tune/strategy.hpp"

namespace weft::core {

/// The start, then positions drawn at random, without end.
class RandomSearch : public Strategy {
  public:
    RandomSearch(std::vector<int> steps, Position start, std::uint64_t seed)
        : steps_(std::move(steps)), next_(std::move(start)), random_(seed) {}

    std::optional<Position> ask() override { return next_; }
    void tell(double value) override;

  private:
    std::vector<int> steps_;
    Position next_;
    Random random_;
};

/// One number after the other: goes up as long as that is better, or else down, and ends when a
/// round over all numbers has changed nothing.
class CoordinateSearch : public Strategy {
  public:
    CoordinateSearch(std::vector<int> steps, Position start)
        : steps_(std::move(steps)), best_(start), next_(std::move(start)) {}

    std::optional<Position> ask() override;
    void tell(double value) override;

  private:
    /// Goes on to the other direction, or to the next number.
    void turn();

    std::vector<int> steps_;
    Position best_;
    double value_ = infeasible;
    std::optional<Position> next_;
    bool started_ = false;
    std::size_t number_ = 0;
    int direction_ = 1;
    std::size_t unchanged_ = 0;  ///< turns since the last better position
};

/// The simplex of rank ordering: all vertices but the best are reflected through it at once; if one
/// of them is better than all, all are moved twice as far, otherwise half way to the best. Its
/// first simplex has the start and, for each number, the end of the scale that is farther.
class RankOrderSimplex : public Strategy {
  public:
    RankOrderSimplex(std::vector<int> steps, const Position& start);

    std::optional<Position> ask() override;
    void tell(double value) override;

  private:
    struct Vertex {
        Position position;
        double value = infeasible;
    };
    enum class Phase { start, reflect, expand, shrink, done };

    void go_on();
    /// Moves by that factor from the best vertex, kept on the scales: -1 reflects.
    [[nodiscard]] std::vector<Vertex> moved(double factor) const;
    void begin(Phase phase, std::vector<Vertex> trial);
    [[nodiscard]] bool beats_best(const std::vector<Vertex>& trial) const;

    std::vector<int> steps_;
    std::vector<Vertex> vertices_;  ///< the best first
    std::vector<Vertex> trial_;     ///< the other vertices, moved
    std::vector<Vertex> reflections_;
    std::size_t next_ = 0;
    Phase phase_ = Phase::start;
};

}  // namespace weft::core
