#include "measure/breakdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "measure/quartiles.hpp"
#include "net/mpi_error.hpp"

namespace weft::cli {

namespace {

std::vector<TimedOperation> timeline(Contender& contender, bool backward, MPI_Comm comm) {
    core::check_mpi(MPI_Barrier(comm), "MPI_Barrier");
    return contender.timeline(backward);
}

/// The texts of all ranks on rank 0.
std::vector<std::string> gathered(const std::string& mine, MPI_Comm comm) {
    int rank = 0;
    int ranks = 1;
    core::check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(static_cast<std::size_t>(ranks));
    core::check_mpi(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm),
                    "MPI_Gather");
    std::vector<int> offsets(lengths.size(), 0);
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] = offsets[i - 1] + lengths[i - 1];
    std::string all(rank == 0 ? static_cast<std::size_t>(offsets.back() + lengths.back()) : 0, ' ');
    core::check_mpi(MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(),
                                offsets.data(), MPI_CHAR, 0, comm),
                    "MPI_Gatherv");
    std::vector<std::string> result;
    for (std::size_t i = 0; rank == 0 && i < lengths.size(); ++i) {
        result.push_back(
            all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
    }
    return result;
}

}  // namespace

std::vector<std::pair<std::string, double>> breakdown(Contender& contender, bool backward,
                                                      int repeat, MPI_Comm comm) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<double>> seconds;
    for (int i = 0; i < repeat; ++i) {
        std::map<std::string, double> once;
        for (const TimedOperation& one : timeline(contender, backward, comm)) {
            if (!once.contains(one.label) && !seconds.contains(one.label))
                order.push_back(one.label);
            once[one.label] += one.seconds;
        }
        for (const auto& [label, sum] : once) seconds[label].push_back(sum);
    }
    int ranks = 1;
    core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    // Rank 0's labels, of which others may have fewer.
    const std::vector<std::string> texts =
        gathered(fmt::format("{}\n", fmt::join(order, "\n")), comm);
    std::string labels = texts.empty() ? "" : texts.front();
    int length = static_cast<int>(labels.size());
    core::check_mpi(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "MPI_Bcast");
    labels.resize(static_cast<std::size_t>(length));
    core::check_mpi(MPI_Bcast(labels.data(), length, MPI_CHAR, 0, comm), "MPI_Bcast");
    std::vector<std::pair<std::string, double>> result;
    for (std::size_t at = 0; at < labels.size();) {
        const std::size_t end = labels.find('\n', at);
        const std::string label = labels.substr(at, end - at);
        at = end + 1;
        if (label.empty()) continue;
        double mean = seconds.contains(label) ? quartiles(seconds.at(label)).median : 0;
        core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mean, 1, MPI_DOUBLE, MPI_SUM, comm),
                        "MPI_Allreduce");
        result.emplace_back(label, mean / ranks);
    }
    return result;
}

std::string breakdown_table(Contender& contender, int repeat, MPI_Comm comm) {
    int rank = 0;
    core::check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    std::string text;
    for (const bool backward : {false, true}) {
        const auto bars = breakdown(contender, backward, repeat, comm);
        if (bars.empty()) return "";
        text += backward ? "backward" : "forward ";
        double total = 0;
        for (const auto& [label, seconds] : bars) {
            text += fmt::format("  {} {:.2f}", label, 1e3 * seconds);
            total += seconds;
        }
        text += fmt::format("  together {:.2f} ms\n", 1e3 * total);
    }
    return rank == 0 ? "where the time goes, mean of the ranks\n" + text : "";
}

std::string chrome_trace(Contender& contender, MPI_Comm comm) {
    int rank = 0;
    core::check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    nlohmann::json events = nlohmann::json::array();
    double start = 0;
    for (const bool backward : {false, true}) {
        const auto operations = timeline(contender, backward, comm);
        double end = 0;
        for (const TimedOperation& one : operations) {
            events.push_back({{"name", one.label},
                              {"cat", backward ? "backward" : "forward"},
                              {"ph", "X"},
                              {"pid", rank},
                              {"tid", 0},
                              {"ts", 1e6 * (start + one.begin)},
                              {"dur", 1e6 * one.seconds},
                              {"args", {{"stage", one.stage}}}});
            end = one.begin + one.seconds;
        }
        core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, comm),
                        "MPI_Allreduce");
        start += end;
    }
    nlohmann::json all = nlohmann::json::array();
    for (const std::string& text : gathered(events.dump(), comm)) {
        for (nlohmann::json& event : nlohmann::json::parse(text)) all.push_back(std::move(event));
    }
    if (rank != 0) return "";
    return nlohmann::json{{"traceEvents", all}, {"displayTimeUnit", "ms"}}.dump() + "\n";
}

}  // namespace weft::cli
