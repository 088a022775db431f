// The point of a scheme that is fastest in a few runs.
#pragma once

#include <mpi.h>

#include <limits>
#include <memory>
#include <string>

#include "measure/contender.hpp"
#include "overlap/schemes.hpp"

namespace weft::bench {

/// A problem, field by field and as one batch.
struct Fields {
    std::string one;
    std::string all;
};

/// The transform of the problem by a scheme at a point. Collective.
std::unique_ptr<cli::Contender> contender(const Fields& problem, const Scheme& scheme,
                                          const Point& point, MPI_Comm comm);

/// A point without a search.
Point usual_point(const Scheme& scheme);

/// Looks for the number of tiles and the window together, then polls, then the method.
class Search {
  public:
    Search(const Fields& problem, const Scheme& scheme, MPI_Comm comm)
        : problem_(problem), scheme_(scheme), comm_(comm) {}

    /// Collective.
    Point best();

  private:
    void look(const Point& point);

    const Fields& problem_;
    const Scheme& scheme_;
    MPI_Comm comm_;
    Point best_;
    double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace weft::bench
