// weft verify: is a transform right? Over MPI, or with all ranks in this process.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/default_space.hpp"
#include "base/text.hpp"
#include "columns.hpp"
#include "measure/json.hpp"
#include "measure/progress.hpp"
#include "options.hpp"
#include "verbs.hpp"
#include "verify/checks.hpp"
#include "verify/oracle.hpp"
#include "verify/random_case.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

struct Verify {
    ProblemOptions problem;
    std::optional<int> random{};
    std::uint64_t seed = 1;
    std::string net = "mpi";
    std::optional<int> ranks{};
    bool rendezvous = false;
    bool verbose = false;
    bool json = false;
    bool quiet = false;
};

bool over_mpi(const Verify& options) { return options.net == "mpi"; }

int world_rank(const Verify& options) {
    int rank = 0;
    if (over_mpi(options)) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// A plan reads back from its text, in either direction, and reversing twice changes nothing.
void check_texts(const core::Plan& plan) {
    const core::Plan backward = core::reverse(plan);
    if (core::parse_plan(core::to_string(plan)) != plan ||
        core::parse_plan(core::to_string(backward)) != backward ||
        core::reverse(backward) != plan) {
        throw Error(ErrorCode::wrong_result,
                    "the plan does not read back from its text: " + core::to_string(plan));
    }
}

/// What the checks of one case have found; the same on every rank.
struct Case {
    std::string plan;
    int ranks = 1;
    std::uint64_t seed = 1;
    std::vector<core::Finding> findings;

    [[nodiscard]] bool right() const {
        return std::all_of(findings.begin(), findings.end(),
                           [](const core::Finding& finding) { return finding.right(); });
    }
};

/// Collective over MPI.
Case checked(const Verify& options, const Problem& problem, const Choice& choice, int ranks,
             std::uint64_t seed) {
    try {
        const core::LocalOptions local{seed, 3, options.rendezvous, static_cast<int>(seed % 4)};
        const std::unique_ptr<core::Rig> rig = over_mpi(options)
                                                   ? core::mpi_rig(problem, choice, MPI_COMM_WORLD)
                                                   : core::local_rig(problem, choice, ranks, local);
        check_texts(rig->plan());
        return {core::to_string(rig->plan()), ranks, seed, core::verify(*rig, seed)};
    } catch (const Error& error) {
        std::string text = to_string(problem);
        if (choice != Choice{}) text += "; " + to_string(choice);
        throw Error(error.code(), fmt::format("{}\n  in: {}; ranks={}", error.what(), text, ranks));
    }
}

std::string case_text(const Case& one) {
    std::string text = fmt::format("{}  {}\n", one.right() ? "right" : "WRONG", one.plan);
    for (const core::Finding& finding : one.findings) {
        text += fmt::format("  {:<26} error {:8.2e}  bound {:8.2e}  {}\n", finding.check,
                            finding.error, finding.bound, finding.right() ? "right" : "WRONG");
    }
    return text;
}

Json case_json(const Case& one) {
    Json findings = Json::array();
    for (const core::Finding& finding : one.findings) {
        findings.push_back({{"check", finding.check},
                            {"error", finding.error},
                            {"bound", finding.bound},
                            {"right", finding.right()}});
    }
    return {{"plan", one.plan},
            {"ranks", one.ranks},
            {"seed", one.seed},
            {"right", one.right()},
            {"findings", findings}};
}

/// Of one case: how many checks hold, and the error that is nearest to its bound.
std::string verdict_of(const Case& one) {
    const auto wrong = static_cast<std::size_t>(
        std::count_if(one.findings.begin(), one.findings.end(),
                      [](const core::Finding& finding) { return !finding.right(); }));
    const std::string where = core::number_of(static_cast<std::size_t>(one.ranks), "rank");
    if (wrong > 0) {
        return fmt::format("WRONG on {}: {} of {} fail", where, wrong,
                           core::number_of(one.findings.size(), "check"));
    }
    const auto nearness = [](const core::Finding& finding) {
        return finding.bound > 0 ? finding.error / finding.bound : 0;
    };
    const auto worst = std::max_element(
        one.findings.begin(), one.findings.end(),
        [&](const core::Finding& a, const core::Finding& b) { return nearness(a) < nearness(b); });
    return fmt::format(
        "right on {}: all of {} hold; {} is nearest to its bound, error {:.2e} of {:.2e}", where,
        core::number_of(one.findings.size(), "check"), worst->check, worst->error, worst->bound);
}

int ranks_of(const Verify& options, int asked) {
    if (!over_mpi(options)) return options.ranks.value_or(std::max(asked, 1));
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (options.ranks.value_or(ranks) != ranks || (asked != 0 && asked != ranks)) {
        core::bad_request(
            fmt::format("{} ranks are asked for, but MPI runs {}; launch that many, or "
                        "use --net local",
                        options.ranks.value_or(asked), ranks));
    }
    return ranks;
}

core::RandomCase drawn_case(const Verify& options, core::Random& own, int ranks) {
    core::RandomCase one = core::random_case(own, ranks);
    const std::optional<Space> space = default_space();
    if (over_mpi(options) && space) core::move_to(*space, own, one, ranks);
    return one;
}

/// Wrong cases are told as they come, since the next may take long, or crash.
int run_random(const Verify& options) {
    const bool prints = world_rank(options) == 0;
    core::Random random(options.seed);
    Json cases = Json::array();
    int wrong = 0;
    {
        Progress progress("weft verify", "problems", *options.random,
                          prints && !options.json && !options.quiet);
        for (int i = 0; i < *options.random; ++i) {
            // In process, a number of ranks for each case unless one is asked for.
            const std::uint64_t seed = random.next();
            core::Random own(seed);
            const int drawn = static_cast<int>(own.between(1, 64));
            const int ranks = over_mpi(options) || options.ranks ? ranks_of(options, 0) : drawn;
            const core::RandomCase one = drawn_case(options, own, ranks);
            const Case found = checked(options, one.problem, one.choice, ranks, seed);
            if (!found.right()) ++wrong;
            progress.done(i + 1);
            if (!prints || (found.right() && !options.verbose)) continue;
            if (options.json) {
                cases.push_back(case_json(found));
            } else {
                fmt::print("{}", case_text(found));
            }
        }
    }
    if (!prints) return wrong == 0 ? 0 : 1;
    const std::string verdict = fmt::format(
        "{} random problems, seed {}, {}: {} right, {} wrong", *options.random, options.seed,
        over_mpi(options) ? fmt::format("MPI, {} ranks", ranks_of(options, 0)) : "in one process",
        *options.random - wrong, wrong);
    if (options.json) {
        const Json all = {{"verdict", verdict},
                          {"right", *options.random - wrong},
                          {"wrong", wrong},
                          {"seed", options.seed},
                          {"cases", cases}};
        fmt::print("{}\n", all.dump(1));
    } else {
        fmt::print("{}", verdict_text(verdict));
    }
    return wrong == 0 ? 0 : 1;
}

void print_case(const Verify& options, const Case& found, bool has_oracle) {
    if (options.json) {
        Json all = {{"verdict", verdict_of(found)}, {"compared_with_serial", has_oracle}};
        all["cases"] = Json::array({case_json(found)});
        fmt::print("{}\n", all.dump(1));
        return;
    }
    fmt::print("{}{}", verdict_text(verdict_of(found)), case_text(found));
    if (!has_oracle) {
        fmt::print("  (too large for a serial transform of the whole array: laws only)\n");
    }
}

int run(const Verify& options) {
    if (options.net != "mpi" && options.net != "local") {
        core::bad_request(fmt::format("--net '{}' is unknown; there are mpi, local", options.net));
    }
    // In one process the ranks' lists of each other take memory and time by the square.
    constexpr int most_ranks = 16384;
    const int ranks_asked = options.ranks.value_or(1);
    if (ranks_asked < 1) core::bad_request(fmt::format("--ranks {}: at least 1", ranks_asked));
    if (ranks_asked > most_ranks && !over_mpi(options)) {
        core::bad_request(fmt::format("--ranks {}: at most {} fit in one process, --net local",
                                      ranks_asked, most_ranks));
    }
    if (options.rendezvous && over_mpi(options)) {
        core::bad_request("--rendezvous is for --net local");
    }
    if (options.random) {
        if (*options.random < 1) {
            core::bad_request(fmt::format("--random {}: at least 1", *options.random));
        }
        if (options.problem.any()) {
            core::bad_request(
                "--random draws problems and choices itself; leave out the problem and its "
                "options");
        }
        return run_random(options);
    }
    const core::PlanRequest request = options.problem.request();
    const int ranks = ranks_of(options, request.ranks);
    const Case found = checked(options, request.problem, request.choice, ranks, options.seed);
    if (world_rank(options) == 0) print_case(options, found, core::has_oracle(request.problem));
    return found.right() ? 0 : 1;
}

/// CLI11 would read -1 and what is too large as 2^64 - 1. "" if it is a seed.
std::string not_a_seed(const std::string& text) {
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, seed);
    if (status == std::errc() && stop == end) return "";
    return fmt::format("{} is not a whole number from 0 to 2^64 - 1", text);
}

}  // namespace

Verb add_verify(CLI::App& app) {
    auto options = std::make_shared<Verify>();
    CLI::App* verb = app.add_subcommand(
        "verify", "Compare transforms with a serial one, and with impulse, shift and linearity");
    options->problem.add_to(*verb);
    verb->add_option("--random", options->random, "verify this many random problems instead");
    verb->add_option("--seed", options->seed, "seed of the random problems and data")
        ->capture_default_str()
        ->check(CLI::Validator(not_a_seed, ""));
    verb->add_option("--net", options->net, "mpi, or local (all ranks in this process)")
        ->capture_default_str();
    verb->add_option("--ranks", options->ranks, "with --net local: number of ranks");
    verb->add_flag("--rendezvous", options->rendezvous,
                   "with --net local: every send waits for its receiver");
    verb->add_flag("--verbose", options->verbose, "show every case, not only wrong ones");
    verb->add_flag("--json", options->json, "print one JSON document");
    verb->add_flag("--quiet", options->quiet, "print no progress on stderr");
    verb->footer(
        "Examples: mpirun -n 2 weft verify r2c:f32:30x28x17 --out 'slab(0)'\n"
        "          weft verify --random 100 --seed 7 --net local --ranks 64");
    return {verb, [options] { return run(*options); }, [options] { return over_mpi(*options); }};
}

}  // namespace weft::cli
