#include "calibrate/links.hpp"

#include <algorithm>
#include <memory>

#include "exchange/exchange.hpp"
#include "measure/statistics.hpp"
#include "measure/turns.hpp"
#include "model/fit.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::cli {

namespace {

/// Of one rank, sent and received each.
constexpr Index most_bytes_of_rank = Index{1} << 25;
constexpr Index most_bytes_of_message = Index{1} << 22;
constexpr const char* one_by_one = "isend-waitall";
constexpr const char* collective = "alltoallv";

/// Of an exchange, or of each of its messages: seconds by the bytes of a message, of both methods.
struct Times {
    core::Table one_by_one;
    core::Table collective;
};

/// The ranks in groups, each of which exchanges among itself at the same time as the others.
class Exchanges {
  public:
    /// Ranks of one colour are a group; those whose colour is MPI_UNDEFINED take no part.
    Exchanges(const std::vector<int>& colours, const Calibration& calibration)
        : calibration_(calibration), comm_(calibration.comm) {
        int rank = 0;
        core::check_mpi(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
        const int colour = colours[static_cast<std::size_t>(rank)];
        core::check_mpi(MPI_Comm_split(comm_, colour, rank, &group_), "MPI_Comm_split");
        for (const int each : colours) {
            const auto size = static_cast<int>(std::count(colours.begin(), colours.end(), each));
            if (each != MPI_UNDEFINED) largest_ = std::max(largest_, size);
        }
    }
    ~Exchanges() {
        if (group_ != MPI_COMM_NULL) MPI_Comm_free(&group_);
    }
    Exchanges(const Exchanges&) = delete;
    Exchanges& operator=(const Exchanges&) = delete;

    /// The ranks of the largest group.
    [[nodiscard]] int ranks() const { return largest_; }

    /// Median seconds of the slowest rank by bytes of a message, of sizes that repeat often enough
    /// within so many seconds.
    [[nodiscard]] Times times(double all_seconds) const {
        constexpr Index first = 8;
        constexpr Index factor = 4;
        std::vector<Index> sizes;
        for (Index bytes = first; bytes <= most_bytes(); bytes *= factor) {
            sizes.push_back(bytes);
            if (once(bytes) > all_seconds / calls_of_the_largest && sizes.size() > 1) break;
        }
        const auto count = static_cast<std::ptrdiff_t>(sizes.size());
        const core::Table both = measured(sizes, {one_by_one, collective}, all_seconds);
        return {{both.begin(), both.begin() + count}, {both.begin() + count, both.end()}};
    }
    /// Of one size.
    [[nodiscard]] double seconds(Index bytes, double all_seconds) const {
        return measured({bytes}, {one_by_one}, all_seconds).front().y;
    }
    [[nodiscard]] Index most_bytes() const {
        return std::min(most_bytes_of_message, most_bytes_of_rank / largest_);
    }

  private:
    /// The least that take_turns does are some twenty calls; smaller sizes take as much together.
    static constexpr double calls_of_the_largest = 40;

    [[nodiscard]] std::unique_ptr<Exchange> exchange(Index bytes, const char* method) const {
        std::unique_ptr<Exchange> result;
        const core::Failure failure = core::attempt([&] {
            if (group_ != MPI_COMM_NULL) result = weft_exchange(bytes, method, group_);
        });
        core::all_or_none(comm_, [&] {
            if (failure.happened) throw Error(failure.code, failure.message);
        });
        return result;
    }
    [[nodiscard]] double once(Index bytes) const {
        const std::unique_ptr<Exchange> one = exchange(bytes, collective);
        double taken = 0;
        for (const bool warm : {false, true}) {
            core::check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
            const double begin = MPI_Wtime();
            if (one) one->run();
            taken = warm ? MPI_Wtime() - begin : 0;
        }
        core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, comm_),
                        "MPI_Allreduce");
        return taken;
    }
    /// All sizes by the first method, then by the next.
    [[nodiscard]] core::Table measured(const std::vector<Index>& sizes,
                                       const std::vector<const char*>& methods,
                                       double all_seconds) const {
        std::vector<std::unique_ptr<Exchange>> exchanges;
        std::vector<std::function<void()>> calls;
        core::Table table;
        for (const char* method : methods) {
            for (const Index bytes : sizes) {
                exchanges.push_back(exchange(bytes, method));
                calls.emplace_back([one = exchanges.back().get()] {
                    if (one != nullptr) one->run();
                });
                table.push_back({static_cast<double>(bytes), 0});
            }
        }
        const std::vector<CallTimes> times =
            take_turns(calls, {all_seconds, 0, calibration_.after_round}, comm_);
        for (std::size_t i = 0; i < table.size(); ++i) {
            table[i].y = statistics(times[i].with_barrier).quartiles.median;
        }
        return table;
    }

    const Calibration& calibration_;
    MPI_Comm comm_;
    MPI_Comm group_ = MPI_COMM_NULL;
    int largest_ = 1;
};

/// Of an exchange, for each of so many messages.
Times shared(Times times, int messages) {
    for (core::Table* table : {&times.one_by_one, &times.collective}) {
        for (core::TablePoint& point : *table) point.y /= messages;
    }
    return times;
}

/// Colours by rank.
template <class Colour>
std::vector<int> colours(const Placement& placement, const Colour& colour) {
    std::vector<int> result;
    result.reserve(placement.node.size());
    for (std::size_t rank = 0; rank < placement.node.size(); ++rank) {
        result.push_back(colour(placement.node[rank], placement.place[rank]));
    }
    return result;
}

/// Groups of 2, 4, .. nodes, and all of them.
std::vector<int> numbers_of_nodes(int nodes) {
    std::vector<int> result;
    for (int some = 2; some < nodes; some *= 2) result.push_back(some);
    result.push_back(nodes);
    return result;
}

void set_link(core::Link& link, const Times& times, const std::string& key,
              const std::string& source, core::Machine& machine) {
    link = core::fitted_link(times.one_by_one);
    link.collective = core::fitted_collective(times.collective, times.one_by_one);
    for (const char* figure : {".latency", ".bandwidth", ".by_size", ".collective"}) {
        machine.sources[key + figure] = source;
    }
}

/// Measurements between nodes, of a machine whose inside is known.
class Between {
  public:
    Between(const Placement& placement, const Calibration& calibration, core::Machine& machine)
        : placement_(placement), calibration_(calibration), machine_(machine) {}

    void measure(double seconds) {
        const Exchanges first(pairs(false), calibration_);
        set_link(machine_.between, shared(first.times(seconds / 2), first.ranks() - 1), "between",
                 calibration_.source, machine_);
        // As many bytes as in the largest of these messages, unless all ranks together have no
        // room.
        const int most = placement_.nodes * placement_.ranks_per_node;
        bytes_ = std::min(static_cast<Index>(machine_.between.by_size.back().x),
                          most_bytes_of_rank / most);
        const std::vector<int> groups = numbers_of_nodes(placement_.nodes);
        const double share = seconds / 2 / static_cast<double>(groups.size() + 1);
        if (placement_.ranks_per_node > 1) measure_injection(share);
        measure_congestion(groups, share);
    }

  private:
    /// Ranks of node 0 with those of node 1, of 2 with 3 and so on, each with its counterpart.
    [[nodiscard]] std::vector<int> pairs(bool all) const {
        const int places = placement_.ranks_per_node;
        return colours(placement_, [&](int node, int place) {
            return all || place == 0 ? node / 2 * places + place : MPI_UNDEFINED;
        });
    }
    void measure_injection(double seconds) {
        const Exchanges all(pairs(true), calibration_);
        const double taken = all.seconds(bytes_, seconds) - machine_.between.latency;
        machine_.injection =
            placement_.ranks_per_node * static_cast<double>(bytes_) / std::max(taken, 1e-9);
        machine_.sources["injection"] = calibration_.source;
    }
    void measure_congestion(const std::vector<int>& groups, double seconds) {
        core::Table by_messages;
        for (const int nodes : groups) {
            const double ranks = nodes * placement_.ranks_per_node;
            // Two nodes of one rank are what the link was measured with.
            const double taken =
                ranks == 2
                    ? core::message_seconds(machine_, false, static_cast<double>(bytes_), 2, 1)
                    : seconds_of_a_message(nodes, seconds);
            by_messages.push_back({ranks * (ranks - placement_.ranks_per_node), taken});
        }
        machine_.congestion = core::fitted_congestion(
            by_messages, machine_, static_cast<double>(bytes_), placement_.ranks_per_node);
        for (const char* figure : {"congestion.messages", "congestion.exponent"}) {
            machine_.sources.erase(figure);
            if (machine_.congestion) machine_.sources[figure] = calibration_.source;
        }
    }
    /// Between nodes, where all ranks of so many nodes exchange with one another: without what the
    /// messages inside a node take.
    [[nodiscard]] double seconds_of_a_message(int nodes, double seconds) const {
        const Exchanges all(
            colours(placement_,
                    [&](int node, int /*place*/) { return node < nodes ? 0 : MPI_UNDEFINED; }),
            calibration_);
        const int peers = placement_.ranks_per_node - 1;
        const double inside = core::message_seconds(machine_, true, static_cast<double>(bytes_), 0,
                                                    placement_.ranks_per_node);
        const double between = all.seconds(bytes_, seconds) - peers * inside;
        return std::max(between, 0.0) / (all.ranks() - placement_.ranks_per_node);
    }

    const Placement& placement_;
    const Calibration& calibration_;
    core::Machine& machine_;
    Index bytes_ = 0;
};

}  // namespace

void measure_links(const Placement& placement, double seconds, const Calibration& calibration,
                   core::Machine& machine) {
    if (placement.ranks_per_node > 1) {
        const double share = placement.nodes > 1 ? seconds / 3 : seconds;
        const Exchanges inside(colours(placement, [](int node, int /*place*/) { return node; }),
                               calibration);
        set_link(machine.inside, shared(inside.times(share), inside.ranks() - 1), "inside",
                 calibration.source, machine);
        seconds -= share;
    }
    if (placement.nodes > 1) Between(placement, calibration, machine).measure(seconds);
}

}  // namespace weft::cli
