#include "measure/turns.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "net/mpi_error.hpp"

namespace weft::cli {

namespace {

/// Nothing is reduced between calls, which would be a barrier for the next one: each rank keeps its
/// own times until the end.
class CallsInTurn {
  public:
    CallsInTurn(const std::vector<std::function<void()>>& calls, std::function<void()> after_round,
                MPI_Comm comm)
        : calls_(calls),
          after_round_(std::move(after_round)),
          comm_(comm),
          order_(calls.size()),
          times_(calls.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }

    void reserve(int rounds) {
        for (CallTimes& times : times_) {
            times.with_barrier.reserve(static_cast<std::size_t>(rounds));
            times.without_barrier.reserve(static_cast<std::size_t>(rounds));
        }
    }
    void rounds(int count) {
        for (int i = 0; i < count; ++i) {
            random_.shuffle(order_);
            for (const std::size_t call : order_) {
                core::check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
                times_[call].with_barrier.push_back(timed(call));
            }
            for (const std::size_t call : order_) {
                times_[call].without_barrier.push_back(timed(call));
            }
            if (after_round_) after_round_();
        }
    }
    void forget() {
        for (CallTimes& times : times_) {
            times.with_barrier.clear();
            times.without_barrier.clear();
        }
    }
    [[nodiscard]] std::vector<CallTimes> slowest() const {
        std::vector<CallTimes> result = times_;
        for (CallTimes& times : result) {
            for (auto* seconds : {&times.with_barrier, &times.without_barrier}) {
                core::check_mpi(
                    MPI_Allreduce(MPI_IN_PLACE, seconds->data(), static_cast<int>(seconds->size()),
                                  MPI_DOUBLE, MPI_MAX, comm_),
                    "MPI_Allreduce");
            }
        }
        return result;
    }

  private:
    double timed(std::size_t call) const {
        const double begin = MPI_Wtime();
        calls_[call]();
        return MPI_Wtime() - begin;
    }

    const std::vector<std::function<void()>>& calls_;
    std::function<void()> after_round_;
    MPI_Comm comm_;
    std::vector<std::size_t> order_;
    std::vector<CallTimes> times_;
    core::Random random_{1};
};

/// The rounds that fit into a budget, by how long some rounds take; the same on all ranks.
int rounds_within(double seconds, CallsInTurn& turns, MPI_Comm comm) {
    constexpr int trial = 3;
    constexpr std::array<double, 2> limits = {5, 5000};
    double taken = -MPI_Wtime();
    turns.rounds(trial);
    taken += MPI_Wtime();
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, comm),
                    "MPI_Allreduce");
    return static_cast<int>(std::clamp(trial * seconds / taken, limits[0], limits[1]));
}

}  // namespace

std::vector<CallTimes> take_turns(const std::vector<std::function<void()>>& calls,
                                  const Budget& budget, MPI_Comm comm) {
    constexpr int warm_up = 2;
    CallsInTurn turns(calls, budget.after_round, comm);
    turns.rounds(warm_up);
    const int rounds =
        budget.repeats > 0 ? budget.repeats : rounds_within(budget.seconds, turns, comm);
    turns.forget();
    turns.reserve(rounds);
    turns.rounds(rounds);
    return turns.slowest();
}

}  // namespace weft::cli
