// What overlap of computation and communication gains ([song] section 5): FFTW's MPI transform and
// weft's plans without overlap, with Hoefler's and with Song's, and with tiles along the axis that
// the exchange makes whole. For links of a known rate, as bench/cluster has; bench/README.md.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "bench/breakdown.hpp"
#include "bench/json.hpp"
#include "bench/machine.hpp"
#include "bench/quartiles.hpp"
#include "bench/race.hpp"
#include "memory/buffer.hpp"
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
    int repeat = 9;
    bool quick = false;
    std::string json;
};

/// A point of a scheme: what is looked for.
struct Point {
    int parts = 16;  ///< tiles of a rank, [song]'s default
    int window = 3;
    int polls = 8;
    std::string via = "p2p";
};

/// A scheme of tiles along an axis of so many elements on each rank; without: the choice alone.
struct Family {
    std::string name;
    std::string choice;
    int axis = -1;
    Index extent = 0;
    std::string more{};     ///< of the tiling
    bool overlaps = false;  ///< otherwise each tile is waited for

    [[nodiscard]] std::string at(const Point& point) const {
        if (axis == -1) return choice;
        const Index tile = std::max<Index>(extent / point.parts, 1);
        return fmt::format("{}; via={}; tile=(axis:{},T:{},W:{},F:{}{})", choice, point.via, axis,
                           tile, overlaps ? point.window : 0, overlaps ? point.polls : 0, more);
    }
};

std::vector<Family> families(const std::vector<Index>& shape, int ranks, const Options& options) {
    const Index z = shape.back();
    const Index x = shape.front() / ranks;
    const int along_z = static_cast<int>(shape.size()) - 1;
    const std::string whole = ",Px:1000000,Pz:1000000,Uy:1000000,Uz:1000000,late";
    std::vector<Family> result;
    for (const std::string& engine : options.engines) {
        const std::string choice = "engine=" + engine + "; pack=sender";
        const std::string suffix = engine == "fftw" ? "" : "-" + engine;
        result.push_back({"blocking" + suffix, choice + "; via=alltoallv"});
        result.push_back({"NEW-0" + suffix, choice, along_z, z});
        result.push_back({"NEW" + suffix, choice, along_z, z, "", true});
        result.push_back({"x-0" + suffix, choice, 0, x});
        result.push_back({"x" + suffix, choice, 0, x, "", true});
        if (engine == "fftw") {
            result.push_back({"TH-0", choice, along_z, z, whole});
            result.push_back({"TH", choice, along_z, z, whole, true});
        } else {
            result.push_back(
                {"x-fused" + suffix, "engine=" + engine + "; pack=fused", 0, x, "", true});
        }
    }
    std::erase_if(result, [&](const Family& family) {
        const auto& only = options.only;
        return !only.empty() && std::count(only.begin(), only.end(), family.name) == 0;
    });
    return result;
}

double seconds(Contender& contender, MPI_Comm comm) {
    return seconds_of_slowest(comm, true, [&] { contender.run(false); });
}

/// Looks for the point of a family that is fastest in a few runs: the number of tiles and the
/// window together, then polls, then the method.
class Search {
  public:
    Search(std::string problem, const Family& family, MPI_Comm comm)
        : problem_(std::move(problem)), family_(family), comm_(comm) {}

    Point best() {
        const std::vector<int> windows =
            family_.overlaps ? std::vector<int>{2, 3, 8} : std::vector<int>{best_.window};
        for (const int parts : {8, 16, 32}) {
            for (const int window : windows) look({parts, window, best_.polls, best_.via});
        }
        if (!family_.overlaps) return best_;
        for (const int polls : {2, 32}) look({best_.parts, best_.window, polls, best_.via});
        look({best_.parts, best_.window, best_.polls, "ialltoallv"});
        return best_;
    }

  private:
    void look(const Point& point) {
        if (family_.extent < point.parts) return;
        const auto contender = weft_contender(problem_ + "; " + family_.at(point), comm_);
        contender->clear();
        std::vector<double> some;
        constexpr int looks = 5;
        some.reserve(looks);
        for (int i = 0; i < looks; ++i) some.push_back(seconds(*contender, comm_));
        // What others do on the machine makes some runs slower, and none faster.
        const double typical = quartiles({some.begin() + 1, some.end()}).q1;
        if (typical >= least_) return;
        least_ = typical;
        best_ = point;
    }

    std::string problem_;
    const Family& family_;
    MPI_Comm comm_;
    Point best_;
    double least_ = std::numeric_limits<double>::infinity();
};

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
    Study study{"c2c:f64:" + shape, 0, {}};
    const std::vector<Index> extents = core::parse_extents(shape, "shape");
    study.bytes = 2 * Index{sizeof(double)};
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
    for (const Family& family : families(extents, ranks, options)) {
        const bool searches = family.axis != -1 && !options.quick;
        const Point point = searches ? Search(study.problem, family, comm).best() : Point{};
        const std::string choice = family.at(point);
        contenders.push_back(weft_contender(study.problem + "; " + choice, comm));
        names.push_back(family.name);
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
    app.add_flag("--quick", options.quick, "try one point of each scheme");
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
