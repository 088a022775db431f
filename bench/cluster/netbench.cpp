// What a network is to MPI: latency, bandwidth, the transposition of a transform, how much of it
// passes beside computation, and what TCP costs the processors. bench/cluster/README.md says how
// to run it.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "cluster/computation.hpp"
#include "cluster/overlap.hpp"
#include "cluster/tcp_cost.hpp"
#include "cluster/transfers.hpp"
#include "measure/json.hpp"
#include "measure/machine.hpp"
#include "measure/quartiles.hpp"
#include "measure/race.hpp"
#include "study_main.hpp"
#include "weft/error.hpp"

namespace {

using namespace weft;
using namespace weft::cli;

const std::vector<std::string> measures = {"latency", "bandwidth", "alltoall", "overlap", "tcp"};

struct Options {
    std::vector<std::string> only = measures;
    std::vector<int> sizes = {256};
    std::vector<int> polls = {0, 8, 64, 256};
    double compute_ms = 0;
    bool sleeps = false;
    int repeat = 7;
    int megabytes = 512;
    std::string json;

    [[nodiscard]] bool wants(const std::string& measure) const {
        return std::find(only.begin(), only.end(), measure) != only.end();
    }
};

/// Prints lines of the table as they come, and keeps their JSON.
class Report {
  public:
    Report(Machine machine, int ranks, bool speaks)
        : machine_(std::move(machine)), ranks_(ranks), speaks_(speaks) {
        const char* network = std::getenv("CLUSTER_NETWORK");
        network_ = network == nullptr ? "" : network;
        if (speaks && !network_.empty()) fmt::print("{}\n", network_);
    }

    /// A row: what, its median [quartiles] in a unit, and a remark; the fields of its record.
    void add(const std::string& what, const Quartiles& seconds, double unit,
             const std::string& remark, const Json& fields) {
        if (speaks_) {
            fmt::print("{:<34} {:>11.2f} [{:>9.2f},{:>9.2f}] {} {}\n", what, seconds.median / unit,
                       seconds.q1 / unit, seconds.q3 / unit, unit < 1e-4 ? "us" : "ms", remark);
            std::fflush(stdout);
        }
        Json line;
        line["study"] = "netbench";
        line["network"] = network_;
        line["ranks"] = ranks_;
        line.update(fields);
        line["seconds"] = json(seconds);
        add_machine(line, machine_);
        lines_ += line.dump() + "\n";
    }

    [[nodiscard]] const std::string& lines() const { return lines_; }

  private:
    Machine machine_;
    int ranks_;
    bool speaks_;
    std::string network_;
    std::string lines_;
};

constexpr double us = 1e-6;
constexpr double ms = 1e-3;

std::string rate_text(double bytes, double seconds) {
    return fmt::format("{:>9.1f} MB/s", bytes / seconds / 1e6);
}

void add_latency(Report& report, const Options& options) {
    constexpr int factor = 30;  // short messages are soon repeated
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{4096}, std::size_t{65536}}) {
        const int repeat = options.repeat * factor;
        const Quartiles seconds = quartiles(bench::one_way_seconds(MPI_COMM_WORLD, bytes, repeat));
        report.add(fmt::format("latency {} B", bytes), seconds, us,
                   rate_text(static_cast<double>(bytes), seconds.median),
                   {{"measure", "latency"}, {"bytes", bytes}, {"repeat", repeat}});
    }
}

void add_bandwidth(Report& report, const Options& options) {
    constexpr std::size_t bytes = std::size_t{64} << 20;
    for (const bool both : {false, true}) {
        const Quartiles seconds =
            quartiles(bench::stream_seconds(MPI_COMM_WORLD, bytes, both, options.repeat));
        report.add(both ? "bandwidth, both ways" : "bandwidth, one way", seconds, ms,
                   rate_text(bytes, seconds.median) + (both ? " each way" : ""),
                   {{"measure", "bandwidth"},
                    {"both_ways", both},
                    {"bytes", bytes},
                    {"repeat", options.repeat}});
    }
}

/// Returns its median.
double add_alltoall(Report& report, bench::Transposition& transposition, int size, int repeat) {
    std::vector<double> seconds;
    for (int i = -1; i < repeat; ++i) {
        const double one = seconds_of_slowest(MPI_COMM_WORLD, true, [&] { transposition.run(); });
        if (i >= 0) seconds.push_back(one);
    }
    const Quartiles all = quartiles(seconds);
    const auto sent = static_cast<double>(transposition.sent_bytes());
    report.add(fmt::format("alltoall {0}x{0}x{0}", size), all, ms,
               rate_text(sent, all.median) + " sent by a rank",
               {{"measure", "alltoall"},
                {"size", size},
                {"block_bytes", transposition.block_bytes()},
                {"sent_bytes", transposition.sent_bytes()},
                {"repeat", repeat}});
    return all.median;
}

/// Where the computation takes as long as the transposition unless options say how long.
void add_overlap(Report& report, bench::Transposition& transposition, int size, double alltoall,
                 const Options& options) {
    const double seconds = options.compute_ms > 0 ? options.compute_ms * ms : alltoall;
    const bench::Computation computation(MPI_COMM_WORLD, seconds, options.sleeps);
    const std::vector<bench::OverlapTimes> times = bench::overlap_times(
        MPI_COMM_WORLD, transposition, computation, options.polls, options.repeat);
    const double blocking = times[1].seconds.median;
    const double least = std::min(alltoall, times[0].seconds.median);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double hidden = (blocking - times[i].seconds.median) / least;
        const bool overlaps = i > 1;
        const std::string waited =
            i == 0 ? "" : fmt::format("{:.2f} ms waited", times[i].wait.median / ms);
        report.add(fmt::format("overlap {0}x{0}x{0}, {1}", size, times[i].way), times[i].seconds,
                   ms,
                   overlaps ? fmt::format("{:>4.0f}% hidden, {}", 100 * hidden, waited) : waited,
                   {{"measure", "overlap"},
                    {"size", size},
                    {"way", times[i].way},
                    {"sleeps", options.sleeps},
                    {"repeat", options.repeat},
                    {"alltoall_s", alltoall},
                    {"hidden", overlaps ? Json(hidden) : Json(nullptr)},
                    {"wait_s", json(times[i].wait)}});
    }
}

void add_sizes(Report& report, const Options& options) {
    for (const int size : options.sizes) {
        bench::Transposition transposition(MPI_COMM_WORLD, size);
        const double seconds = add_alltoall(report, transposition, size, options.repeat);
        if (options.wants("overlap")) add_overlap(report, transposition, size, seconds, options);
    }
}

void add_tcp(Report& report, const Options& options) {
    const std::size_t bytes = static_cast<std::size_t>(options.megabytes) * 1'000'000;
    const int repeat = std::min(options.repeat, 5);
    std::vector<double> seconds, senders, receivers, softirqs, busy;
    for (int i = -1; i < repeat; ++i) {
        const bench::TcpCost cost = bench::tcp_cost(MPI_COMM_WORLD, bytes);
        if (i < 0) continue;
        seconds.push_back(cost.seconds);
        senders.push_back(cost.sender);
        receivers.push_back(cost.receiver);
        softirqs.push_back(cost.softirq);
        busy.push_back(cost.busy);
    }
    const auto count = static_cast<double>(bytes);
    const auto per_byte = [&](const std::vector<double>& cost) {
        const Quartiles all = quartiles(cost);
        return json({1e9 * all.median / count, 1e9 * all.q1 / count, 1e9 * all.q3 / count});
    };
    const Quartiles all = quartiles(seconds);
    const auto ns = [&](const std::vector<double>& cost) {
        return 1e9 * quartiles(cost).median / count;
    };
    report.add("tcp, sockets, one way", all, ms,
               fmt::format("{}; ns/B of processors: sender {:.2f}, receiver {:.2f}, "
                           "softirq {:.2f}, all that was busy {:.2f}",
                           rate_text(count, all.median), ns(senders), ns(receivers), ns(softirqs),
                           ns(busy)),
               {{"measure", "tcp"},
                {"bytes", bytes},
                {"repeat", repeat},
                {"sender_ns_per_byte", per_byte(senders)},
                {"receiver_ns_per_byte", per_byte(receivers)},
                {"softirq_ns_per_byte", per_byte(softirqs)},
                {"busy_ns_per_byte", per_byte(busy)}});
}

int run(const Options& options) {
    const std::string heading = "median [quartiles] of the slowest rank\n";
    return bench::run_study(
        "netbench", heading, options.json, [&](const Machine& here, int ranks, bool speaks) {
            if (ranks < 2) {
                throw Error(ErrorCode::bad_request, "a network is between two ranks at least");
            }
            Report report(here, ranks, speaks);
            if (options.wants("latency")) add_latency(report, options);
            if (options.wants("bandwidth")) add_bandwidth(report, options);
            if (options.wants("alltoall") || options.wants("overlap")) {
                add_sizes(report, options);
            }
            if (options.wants("tcp")) add_tcp(report, options);
            return report.lines();
        });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("what a network is to MPI, alone and beside computation");
    app.add_option("--only", options.only, "of latency, bandwidth, alltoall, overlap, tcp")
        ->delimiter(',')
        ->check(CLI::IsMember(measures));
    app.add_option("--sizes", options.sizes,
                   "transpose what a c2c double transform of size x size x size in slabs exchanges")
        ->delimiter(',')
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    app.add_option("--polls", options.polls, "calls of MPI_Test spread over the computation")
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--compute", options.compute_ms,
                   "milliseconds of computation; as long as the transposition unless given")
        ->check(CLI::PositiveNumber);
    app.add_flag("--sleep", options.sleeps, "sleep instead: ranks stand for other machines' cores");
    app.add_option("--repeat", options.repeat, "of everything; short messages 30 times as often")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--megabytes", options.megabytes, "that the sockets of `tcp` carry each time")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
