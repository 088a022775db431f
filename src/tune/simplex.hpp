// The search of Nelder and Mead on a grid, with the initial simplex that [song] section 4.4
// constructs around a default point.
//
// A simplex of n numbers has n + 1 vertices. The worst one is reflected through the centroid of the
// others; a reflection that is the best of all is expanded, one that is the worst is contracted,
// and if that does not help either all vertices move half way to the best. Vertices are real; what
// is measured is the nearest position, so values are those of positions.
//
// Example, two numbers of 5 steps each from {2, 1}: the initial simplex is {2, 1}, {0, 1}, {2, 3}:
// each number in turn goes half of the longer way to an end of its scale, and at least one step.
#pragma once

#include "tune/strategy.hpp"

namespace weft::core {

class Simplex : public Strategy {
  public:
    /// Number i has the steps 0 to steps[i] - 1.
    Simplex(std::vector<int> steps, const Position& start);

    std::optional<Position> ask() override;
    void tell(double value) override;

  private:
    using Point = std::vector<double>;
    struct Vertex {
        Point point;
        double value = infeasible;
    };
    enum class Phase { start, reflect, expand, contract, shrink, done };

    /// Whether the position lies on the scales.
    [[nodiscard]] bool inside(const Position& position) const;
    [[nodiscard]] Position position(const Point& point) const;
    /// Centroid + by * (centroid - worst).
    [[nodiscard]] Point reflected(double by) const;
    /// Puts the point in the place of the worst vertex and goes on with a reflection.
    void replace(Vertex vertex);
    void start_reflection();
    void start_shrink();
    void told(double value);

    std::vector<int> steps_;
    std::vector<Vertex> vertices_;  ///< the best first, once all of them have a value
    Phase phase_ = Phase::start;
    std::size_t next_ = 0;  ///< the vertex that has no value yet
    Point trial_;
    Vertex reflection_;
};

}  // namespace weft::core
