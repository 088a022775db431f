// The programs that say what a plan takes on any machine with the same nodes: they are made once,
// and walking through one for another machine takes microseconds.
//
// Example: a plan of 16 ranks is forecast for the default machine, by the programs of a few ranks.
// The slowest of these is kept; once some runs have shown that messages take twice as long as
// described, what the plan takes on such a machine is known without planning it again.
#pragma once

#include <string>
#include <vector>

#include "base/topology.hpp"
#include "model/machine.hpp"
#include "model/sketch.hpp"
#include "plan/plan.hpp"

namespace weft::core {

class Forecast {
  public:
    /// Fuses and lowers the plan for some ranks, of which two are kept: the slowest on that machine
    /// and the first.
    Forecast(const Plan& plan, const Topology& nodes, const Machine& machine);

    /// Seconds of one direction. The machine has as many ranks on a node as the one before.
    [[nodiscard]] double seconds(const Machine& machine) const;
    /// Whether the other plan runs as the same programs, in both directions and whether or not it
    /// is bound to exposed arrays: then there is nothing to compare.
    [[nodiscard]] bool same(const Forecast& other) const;

  private:
    Topology nodes_;
    Plan asked_;
    Plan plan_;  ///< fused
    std::vector<Sketch> sketches_;
};

/// By how much a machine differs from its description: factors of the time that each kind of work
/// takes, as logarithms to base 2.
///
/// Kinds: latency between and inside nodes, bytes between and inside, copies, other than contiguous
/// copies besides, what a node sends besides, copies in the cache besides, and the arithmetic of
/// each engine.
class Correction {
  public:
    /// None, for a machine with rates of these engines.
    explicit Correction(std::vector<std::string> engines)
        : engines_(std::move(engines)), doublings_(first_engine + engines_.size(), 0.0) {}

    /// The machine with this correction.
    [[nodiscard]] Machine applied(const Machine& machine) const;

    /// What was measured of a forecast.
    struct Sample {
        const Forecast* forecast = nullptr;
        double seconds = 0;
    };
    /// Goes on from this correction, and now and then from some others, to the one with which the
    /// samples agree best: the least sum of squares of the logarithms of measured by forecast time,
    /// where a sample that is far off counts less, and of the correction itself, which is at most
    /// of seven powers of two.
    void fit(const Machine& machine, const std::vector<Sample>& samples);

  private:
    static constexpr std::size_t first_engine = 8;
    static constexpr double most_doublings = 7;

    void descend(const Machine& machine, const std::vector<Sample>& samples);
    /// Corrections that explain by one thing that most samples are slower than described: latency,
    /// bytes between nodes, copies or arithmetic; and none.
    [[nodiscard]] std::vector<Correction> starts(const Machine& machine,
                                                 const std::vector<Sample>& samples) const;

    /// The seconds of a sample by kind of work, on the corrected machine.
    struct Parts {
        double measured = 0;
        double rest = 0;
        std::vector<double> of_kind;
    };
    [[nodiscard]] std::vector<Parts> parts(const Machine& machine,
                                           const std::vector<Sample>& samples) const;
    /// How badly the samples agree, if parts change by these doublings as a whole.
    [[nodiscard]] double misfit(const std::vector<Parts>& all,
                                const std::vector<double>& change) const;
    /// How badly they agree, and what is behind it worked out again.
    [[nodiscard]] double misfit(const Machine& machine, const std::vector<Sample>& samples) const;
    /// The change with which parts agree best.
    [[nodiscard]] std::vector<double> best_change(const std::vector<Parts>& all) const;
    /// With a part of a change.
    [[nodiscard]] Correction changed(const std::vector<double>& change, double part) const;

    std::vector<std::string> engines_;
    std::vector<double> doublings_;
};

}  // namespace weft::core
