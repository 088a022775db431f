// weft calibrate: measures this machine on the ranks that run it, and writes its description.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>

#include "base/text.hpp"
#include "calibrate/devices.hpp"
#include "calibrate/links.hpp"
#include "calibrate/placement.hpp"
#include "calibrate/rates.hpp"
#include "columns.hpp"
#include "device/devices.hpp"
#include "measure/files.hpp"
#include "measure/host.hpp"
#include "measure/machine.hpp"
#include "measure/progress.hpp"
#include "model/machine_file.hpp"
#include "net/agree.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Calibrate {
    std::string output;
    std::string name;
    std::string device;
    double seconds = 30;
    bool json = false;
    bool quiet = false;
};

/// As the file is called, unless told.
std::string name_of(const Calibrate& options) {
    if (!options.name.empty()) return options.name;
    return options.output.empty() ? "here" : std::filesystem::path(options.output).stem().string();
}

/// Rank 0 writes; an error is everyone's.
void write(const std::string& path, const std::string& text, int rank) {
    core::all_or_none(MPI_COMM_WORLD, [&] {
        if (rank == 0 && !path.empty()) replace_file(path, text);
    });
}

/// What cannot be measured here stays as it is on the default machine, and says so.
core::Machine unmeasured(const std::string& date) {
    core::Machine machine = core::named_machine(core::default_machine);
    const std::string source =
        fmt::format("machines/default.json: weft calibrate, {}, could not measure it", date);
    for (const char* key : {"inside", "between"}) {
        for (const char* figure : {".latency", ".bandwidth"}) {
            machine.sources[std::string(key) + figure] = source;
        }
    }
    machine.injection.reset();
    machine.sources.erase("injection");
    machine.congestion.reset();
    machine.sources.erase("congestion.messages");
    machine.sources.erase("congestion.exponent");
    return machine;
}

core::Machine measured(const Calibrate& options, const Machine& here, int rank) {
    const Placement placed = placement(MPI_COMM_WORLD);
    const std::string date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    const std::string where = fmt::format("{} on {}", core::number_of(placed.node.size(), "rank"),
                                          core::number_of(here.nodes, "node"));
    const std::string source =
        fmt::format("measured by weft calibrate, {}, {}, {}", date, here.mpi, where);
    core::Machine machine;
    core::all_or_none(MPI_COMM_WORLD, [&] { machine = unmeasured(date); });
    machine.name = name_of(options);
    machine.summary = fmt::format("{}, {}", where, here.processor);
    machine.summary.resize(std::min<std::size_t>(
        machine.summary.size(), 67 - std::min<std::size_t>(machine.name.size(), 20)));
    machine.ranks_per_node = placed.ranks_per_node;
    machine.sources["ranks_per_node"] = source;
    // Each part takes its share of the time; the steps are seconds.
    const double all = options.seconds * (options.device.empty() ? 1 : 1.2);
    Progress progress("weft calibrate", "seconds", static_cast<int>(std::ceil(all)),
                      rank == 0 && !options.quiet && !options.json);
    double done = 0;
    const auto part = [&](double share, const auto& measure_part) {
        const double seconds = options.seconds * share;
        const double begin = MPI_Wtime();
        // A part that takes longer than its share has not done more than that.
        const auto tell = [&] {
            progress.done(static_cast<int>(done + std::min(seconds, MPI_Wtime() - begin)));
        };
        measure_part(seconds, Calibration{MPI_COMM_WORLD, source, tell});
        done += seconds;
        progress.done(static_cast<int>(done));
    };
    part(0.5, [&](double seconds, const Calibration& calibration) {
        measure_links(placed, seconds, calibration, machine);
    });
    part(0.2, [&](double seconds, const Calibration& calibration) {
        measure_memory(seconds, calibration, machine);
    });
    part(0.3, [&](double seconds, const Calibration& calibration) {
        measure_engines(seconds, calibration, machine);
    });
    if (!options.device.empty()) {
        part(0.2, [&](double seconds, const Calibration& calibration) {
            const std::string unlinked =
                measure_devices(options.device, placed, seconds, calibration, machine);
            if (unlinked.empty() || rank != 0) return;
            fmt::print(stderr, "weft calibrate: devices.peer_link is left out: {}\n", unlinked);
        });
    }
    return machine;
}

std::string link_text(const char* name, const core::Link& link) {
    return fmt::format("{:<10} {:.2f} us, {:.3f} GB/s{}\n", name, 1e6 * link.latency,
                       1e-9 * link.bandwidth,
                       link.by_size.empty() ? " (of the default machine: not measured)" : "");
}

std::string summary_text(const core::Machine& machine, const std::string& file) {
    std::string text = verdict_text(
        fmt::format("{} ({}) is described in {}", machine.name, machine.summary, file));
    text += link_text("inside", machine.inside) + link_text("between", machine.between);
    if (machine.congestion) {
        text += fmt::format("congestion bytes take (messages / {:.0f})^{:.2f} as long\n",
                            machine.congestion->messages, machine.congestion->exponent);
    }
    text += fmt::format("memory     {:.2f} GB/s copied, {:.2f} permuted, {:.0f} KiB in the cache\n",
                        1e-9 * machine.memory.copy_rate, 1e-9 * machine.memory.pack_rate,
                        machine.memory.cache / 1024);
    for (const auto& [name, rates] : machine.engines) {
        text += fmt::format("{:<10} {:.2f} GFLOP/s, times {:.2f} rough, times {:.2f} single\n",
                            name, 1e-9 * rates.rate, rates.rough, rates.single);
    }
    if (machine.devices) {
        const core::Devices& devices = *machine.devices;
        text += fmt::format(
            "{:<10} {:.2f} us a launch, {:.2f} GB/s copied, {:.2f} there, {:.2f} back\n",
            devices.kind, 1e6 * devices.launch, 1e-9 * devices.copy_rate,
            1e-9 * devices.host_link.to_device, 1e-9 * devices.host_link.from_device);
        if (devices.peer_link) {
            text +=
                fmt::format("{:<10} {:.2f} us, {:.3f} GB/s\n", "peer link",
                            1e6 * devices.peer_link->latency, 1e-9 * devices.peer_link->bandwidth);
        }
    }
    return text;
}

int run(const Calibrate& options) {
    if (!(options.seconds > 0 && options.seconds <= 3600)) {
        core::bad_request(fmt::format("--seconds {}: more than 0, at most 3600", options.seconds));
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // What cannot be is better known before half a minute has passed.
    core::all_or_none(MPI_COMM_WORLD, [&] {
        if (rank == 0 && !options.output.empty()) require_writable(options.output);
        if (!options.device.empty()) (void)core::device(options.device);
    });
    const Machine here = machine(MPI_COMM_WORLD);
    if (rank == 0) warn_if_crowded(here, "weft calibrate");
    const core::Machine result = measured(options, here, rank);
    std::string text;
    core::all_or_none(MPI_COMM_WORLD, [&] {
        text = core::to_json(result);
        (void)core::parse_machine(text, "what was measured");
    });
    write(options.output, text, rank);
    if (rank == 0) {
        fmt::print("{}", options.output.empty() || options.json
                             ? text
                             : summary_text(result, options.output));
    }
    return 0;
}

}  // namespace

Verb add_calibrate(CLI::App& app) {
    auto options = std::make_shared<Calibrate>();
    CLI::App* verb = app.add_subcommand(
        "calibrate", "Measure this machine on these ranks, and write its description");
    verb->add_option("--output", options->output,
                     "file for the description, for --machine of other verbs (default: print it)");
    verb->add_option("--name", options->name,
                     "name of the machine (default: the name of the file)");
    verb->add_option("--device", options->device,
                     "also measure this device of `weft info` on each rank");
    verb->add_option("--seconds", options->seconds, "approximate duration of the measurements")
        ->capture_default_str();
    verb->add_flag("--json", options->json, "print the description, also with --output");
    verb->add_flag("--quiet", options->quiet, "print no progress on stderr");
    verb->footer("Example: mpirun -n 2 weft calibrate --output here.json");
    return {verb, [options] { return run(*options); }, [] { return true; }};
}

}  // namespace weft::cli
