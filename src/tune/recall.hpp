// Two of [song]'s techniques (section 4.4) for any search: a position that cannot be run is
// infinite without running, and no position is measured twice.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "tune/strategy.hpp"

namespace weft::core {

/// Asks for what its search asks for, but for positions that are infeasible or known already, whose
/// values it tells the search itself.
class Recall : public Strategy {
  public:
    Recall(std::unique_ptr<Strategy> search, std::function<bool(const Position&)> feasible)
        : search_(std::move(search)), feasible_(std::move(feasible)) {}

    std::optional<Position> ask() override {
        // A search that goes round in circles among known positions has found what it can find.
        constexpr int patience = 1000;
        for (int i = 0; i < patience; ++i) {
            asked_ = search_->ask();
            if (!asked_) return asked_;
            const auto known = values_.find(*asked_);
            if (known != values_.end()) {
                search_->tell(known->second);
            } else if (!feasible_(*asked_)) {
                values_[*asked_] = infeasible;
                search_->tell(infeasible);
            } else {
                return asked_;
            }
        }
        return std::nullopt;
    }
    void tell(double value) override {
        values_[*asked_] = value;
        search_->tell(value);
    }

  private:
    std::unique_ptr<Strategy> search_;
    std::function<bool(const Position&)> feasible_;
    std::optional<Position> asked_;
    std::map<Position, double> values_;
};

}  // namespace weft::core
