// What overlap of computation and communication gains ([song] section 5): FFTW's MPI transform and
// weft's plans without overlap, with Hoefler's and with Song's, and with tiles along the axis that
// the exchange makes whole. For links of a known rate, as bench/cluster has; bench/README.md.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "measure/breakdown.hpp"
#include "measure/json.hpp"
#include "measure/machine.hpp"
#include "measure/quartiles.hpp"
#include "measure/race.hpp"
#include "memory/buffer.hpp"
#include "overlap/schemes.hpp"
#include "overlap/search.hpp"
#include "study_main.hpp"
#include "weft/error.hpp"

namespace {

using namespace weft;
using namespace weft::cli;

struct Options {
    std::vector<std::string> shapes = {"256x256x256"};
    std::vector<std::string> engines = {"fftw", "native"};
    std::vector<std::string> only;
    std::string rate = "?";
    double tcp_ns = 0;
    Index batch = 0;  ///< fields; 0: one array
    int repeat = 9;
    bool quick = false;
    std::string json;
};

std::vector<bench::Scheme> schemes(const std::vector<Index>& shape, int ranks,
                                   const Options& options) {
    std::vector<bench::Scheme> result;
    for (const std::string& engine : options.engines) {
        const auto more = options.batch == 0
                              ? bench::schemes_of_array(shape, ranks, engine)
                              : bench::schemes_of_batch(shape, options.batch, ranks, engine);
        result.insert(result.end(), more.begin(), more.end());
    }
    std::erase_if(result, [&](const bench::Scheme& scheme) {
        const auto& only = options.only;
        return !only.empty() && std::count(only.begin(), only.end(), scheme.name) == 0;
    });
    return result;
}

/// MPI_Alltoall of as much as a rank has: what the exchange takes by itself.
class Exchange {
  public:
    Exchange(Index bytes, MPI_Comm comm) : comm_(comm), from_(bytes), to_(bytes) {
        int ranks = 1;
        MPI_Comm_size(comm, &ranks);
        count_ = static_cast<int>(bytes / ranks / Index{sizeof(double)});
        std::fill_n(from_.data(), bytes, std::byte{0});
        std::fill_n(to_.data(), bytes, std::byte{0});
    }
    double seconds() {
        return seconds_of_slowest(comm_, true, [&] {
            MPI_Alltoall(from_.data(), count_, MPI_DOUBLE, to_.data(), count_, MPI_DOUBLE, comm_);
        });
    }

  private:
    MPI_Comm comm_;
    core::Buffer from_;
    core::Buffer to_;
    int count_ = 0;
};

double seconds(Contender& contender, MPI_Comm comm) {
    return seconds_of_slowest(comm, true, [&] { contender.run(false); });
}

struct Result {
    std::string name;
    std::string plan;
    Quartiles seconds;
    std::vector<std::pair<std::string, double>> bars;
};

struct Study {
    std::string problem;
    Index bytes = 0;  ///< of a rank, that it sends and keeps
    std::vector<Result> results;
};

Study measure(const std::string& shape, const Options& options, int ranks, MPI_Comm comm) {
    const std::string one = "c2c:f64:" + shape;
    const bench::Fields fields{one,
                               options.batch == 0 ? one : fmt::format("{}*{}", one, options.batch)};
    Study study{fields.all, 0, {}};
    const std::vector<Index> extents = core::parse_extents(shape, "shape");
    study.bytes = 2 * Index{sizeof(double)} * std::max<Index>(options.batch, 1);
    for (const Index extent : extents) study.bytes *= extent;
    study.bytes /= ranks;

    Contenders contenders;
    std::vector<std::string> names;
    try {
        contenders.push_back(competitor("fftw-mpi", study.problem, comm));
        names.emplace_back("fftw-mpi");
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_available) throw;
    }
    for (const bench::Scheme& scheme : schemes(extents, ranks, options)) {
        const bool searches = !scheme.axis.empty() && !options.quick;
        const bench::Point point =
            searches ? bench::Search(fields, scheme, comm).best() : bench::usual_point(scheme);
        contenders.push_back(bench::contender(fields, scheme, point, comm));
        names.push_back(scheme.name);
    }
    for (const auto& contender : contenders) contender->clear();
    Exchange exchange(study.bytes, comm);
    names.emplace_back("alltoall");

    std::vector<std::vector<double>> times(names.size());
    Turns turns(names.size());
    constexpr int warm_up = 2;
    for (int round = 0; round < warm_up + options.repeat; ++round) {
        for (const std::size_t i : turns.next()) {
            const bool alone = i == contenders.size();
            const double once = alone ? exchange.seconds() : seconds(*contenders[i], comm);
            if (round >= warm_up) times[i].push_back(once);
        }
    }
    const int looks = std::max(options.repeat / 2, 3);
    for (std::size_t i = 0; i < names.size(); ++i) {
        Result result{names[i], "", quartiles(times[i]), {}};
        if (i < contenders.size()) {
            result.plan = contenders[i]->description().plan;
            result.bars = breakdown(*contenders[i], false, looks, comm);
        }
        study.results.push_back(std::move(result));
    }
    return study;
}

double computation(const Result& result) {
    double sum = 0;
    for (const auto& [label, seconds] : result.bars) {
        if (label != "Wait" && label != "Test") sum += seconds;
    }
    return sum;
}

std::string json_lines(const Study& study, const Options& options, const Machine& machine,
                       int ranks) {
    std::string lines;
    for (const Result& result : study.results) {
        Json line;
        line["study"] = "overlap";
        line["problem"] = study.problem;
        line["ranks"] = ranks;
        line["rate"] = options.rate;
        line["tcp_s"] = 1e-9 * options.tcp_ns * static_cast<double>(study.bytes) *
                        static_cast<double>(ranks - 1) / ranks;
        line["runner"] = result.name;
        line["plan"] = result.plan;
        line["repeat"] = options.repeat;
        line["forward_s"] = json(result.seconds);
        line["computation_s"] = computation(result);
        for (const auto& [label, seconds] : result.bars) line["breakdown_s"][label] = seconds;
        add_machine(line, machine);
        lines += line.dump() + "\n";
    }
    return lines;
}

std::string table(const Study& study) {
    std::string text = fmt::format("{}\n", study.problem);
    for (const Result& result : study.results) {
        text += fmt::format("  {:<16}{:>9.1f} [{:>7.1f},{:>7.1f}]", result.name,
                            1e3 * result.seconds.median, 1e3 * result.seconds.q1,
                            1e3 * result.seconds.q3);
        for (const auto& [label, seconds] : result.bars) {
            text += fmt::format("  {} {:.1f}", label, 1e3 * seconds);
        }
        const std::size_t tile = result.plan.find("tile=");
        if (tile != std::string::npos) {
            text += "  " + result.plan.substr(tile, result.plan.find(';', tile) - tile);
        }
        text += '\n';
    }
    return text;
}

int run(const Options& options) {
    const std::string heading = fmt::format(
        "links of {}; milliseconds of the slowest rank, forward: median [quartiles], and what "
        "they are for\n",
        options.rate);
    return bench::run_study(
        "overlap_study", heading, options.json, [&](const Machine& here, int ranks, bool speaks) {
            std::string lines;
            for (const std::string& shape : options.shapes) {
                const Study study = measure(shape, options, ranks, MPI_COMM_WORLD);
                lines += json_lines(study, options, here, ranks);
                if (speaks) fmt::print("{}", table(study));
                std::fflush(stdout);
            }
            return lines;
        });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("what overlap of computation and communication gains, on links of one rate");
    app.add_option("--shapes", options.shapes, "as 256x256x256,384x384x384")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--engines", options.engines, "fftw, native")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--only", options.only, "only these schemes")->delimiter(',');
    app.add_option("--rate", options.rate, "of the links, for the records");
    app.add_option("--tcp-ns", options.tcp_ns,
                   "nanoseconds of processor for each byte that a rank sends and receives, as "
                   "netbench tells, for the records");
    app.add_option("--repeat", options.repeat, "rounds")->capture_default_str();
    app.add_option("--batch", options.batch,
                   "so many fields: in calls one after the other, in one exchange, in tiles")
        ->check(CLI::PositiveNumber);
    app.add_flag("--quick", options.quick, "try one point of each scheme");
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
