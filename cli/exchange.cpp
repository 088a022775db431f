// weft exchange: what all exchange methods cost, beside MPI_Alltoall ([schulz] section 5).
#include "exchange/exchange.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "columns.hpp"
#include "exchange/measure.hpp"
#include "exchange/subset.hpp"
#include "exchange/via.hpp"
#include "measure/files.hpp"
#include "measure/progress.hpp"
#include "measure/ranking.hpp"
#include "measure/tables.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "verbs.hpp"
#include "weft/plan.hpp"

namespace weft::cli {

namespace {

struct ExchangeOptions {
    std::vector<std::string> ranks;
    std::vector<std::string> bytes;
    std::vector<std::string> via;
    std::vector<std::string> k;
    double seconds = 1;
    std::optional<int> repeat;
    std::string json;           ///< a file; empty: none
    bool json_printed = false;  ///< `--json` without a file
    bool each = false;
    bool quiet = false;
    std::string csv;
    bool spread = false;
    std::vector<std::string> compare;
};

/// The options, understood.
struct Request {
    std::vector<std::string> methods;
    std::vector<int> ranks;
    std::vector<Index> bytes;
};

template <class T>
void keep_first_ones(std::vector<T>& values) {
    std::set<T> seen;
    std::erase_if(values, [&](const T& value) { return !seen.insert(value).second; });
}

/// Those named, or all that this build has, and kway(k) of each k. A name that weft does not know
/// is an error; a method that cannot do an exchange is left out when it comes to it.
std::vector<std::string> chosen_methods(const ExchangeOptions& options) {
    std::vector<std::string> names = options.via;
    for (const std::string& k : options.k) {
        names.push_back(fmt::format("kway({})", core::parse_int(k, "--k")));
    }
    for (const std::string& name : names) {
        Plan::for_ranks(2, fmt::format("{}; via={}", exchange_problem(2, 16), name));
    }
    if (options.via.empty()) {
        std::vector<std::string> all;
        for (const core::Method& method : core::methods()) all.emplace_back(method.name);
        names.insert(names.begin(), all.begin(), all.end());
    }
    keep_first_ones(names);
    return names;
}

/// The powers of two up to the launched ranks, and these, unless told; never more than these.
std::vector<int> chosen_ranks(const std::vector<std::string>& asked, int launched) {
    if (launched < 2) {
        core::bad_request(
            "one rank exchanges nothing; launch at least 2, as in mpirun -n 2 weft exchange");
    }
    std::vector<int> all;
    for (const std::string& text : asked) {
        all.push_back(core::parse_int(text, "--ranks"));
        if (all.back() < 2) core::bad_request(fmt::format("--ranks {}: at least 2", all.back()));
    }
    if (asked.empty()) {
        for (int ranks = 2; ranks < launched; ranks *= 2) all.push_back(ranks);
        all.push_back(launched);
    }
    std::erase_if(all, [launched](int ranks) { return ranks > launched; });
    if (all.empty()) {
        core::bad_request(
            fmt::format("--ranks {}: only {} ranks are launched", fmt::join(asked, ","), launched));
    }
    keep_first_ones(all);
    return all;
}

std::vector<Index> chosen_bytes(const std::vector<std::string>& asked) {
    constexpr Index most = Index{1} << 26;
    constexpr Index largest_by_default = 65536;
    std::vector<Index> all;
    for (const std::string& text : asked) {
        all.push_back(core::parse_index(text, "--bytes"));
        if (all.back() < 0 || all.back() > most) {
            core::bad_request(fmt::format("--bytes {}: 0 to 2^26", all.back()));
        }
    }
    if (asked.empty()) {
        all.push_back(0);
        for (Index bytes = 1; bytes <= largest_by_default; bytes *= 2) all.push_back(bytes);
    }
    keep_first_ones(all);
    return all;
}

Request understood(const ExchangeOptions& options, int launched) {
    if (options.repeat && *options.repeat < 1) {
        core::bad_request(fmt::format("--repeat {}: at least 1", *options.repeat));
    }
    if (!(options.seconds > 0)) {
        core::bad_request(fmt::format("--seconds {}: more than 0", options.seconds));
    }
    return {chosen_methods(options), chosen_ranks(options.ranks, launched),
            chosen_bytes(options.bytes)};
}

/// Files are written by rank 0; an error is everyone's.
void write_files(const ExchangeOptions& options, const ExchangeRecords& records, int rank) {
    core::all_or_none(MPI_COMM_WORLD, [&] {
        if (rank != 0) return;
        if (!options.json.empty()) write_file(options.json, json_lines(records));
        if (!options.csv.empty()) write_file(options.csv, csv(records));
    });
}

/// On rank 0; other ranks have records only where they took part.
ExchangeRecords measure_all(const Request& request, const Budget& budget, int rank, bool speaks) {
    ExchangeRecords records;
    std::set<std::string> silent;
    Progress progress("weft exchange", "measurements",
                      static_cast<int>(request.ranks.size() * request.bytes.size()),
                      speaks && rank == 0);
    int done = 0;
    for (const int ranks : request.ranks) {
        on_first_ranks(ranks, MPI_COMM_WORLD, [&](MPI_Comm comm) {
            const Machine here = machine(comm);
            for (const Index bytes : request.bytes) {
                const auto left_out = [&](const std::string& method, const std::string& reason) {
                    if (rank != 0 || !silent.insert(method).second) return;
                    fmt::print(stderr, "weft exchange: {} is left out on {} ranks, {} bytes: {}\n",
                               method, ranks, bytes, reason);
                };
                for (ExchangeRecord& record :
                     measure_exchange(request.methods, bytes, budget, comm, left_out)) {
                    record.machine = here;
                    records.push_back(record);
                }
                progress.done(++done);
            }
        });
    }
    return records;
}

int run(const ExchangeOptions& options) {
    if (!options.compare.empty()) {
        const auto read = [](const std::string& file) {
            return parse_records(read_file(file), file);
        };
        fmt::print("{}", comparison(read(options.compare.at(0)), read(options.compare.at(1))));
        return 0;
    }
    int rank = 0;
    int launched = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &launched);
    const Request request = understood(options, launched);
    // A file that cannot be written is better known before minutes have passed.
    write_files(options, {}, rank);
    const Machine here = machine(MPI_COMM_WORLD);
    if (rank == 0) warn_if_crowded(here, "weft exchange");
    const ExchangeRecords records =
        measure_all(request, {options.seconds, options.repeat.value_or(0)}, rank,
                    !options.quiet && !options.json_printed);
    write_files(options, records, rank);
    if (rank != 0) return 0;
    if (options.json_printed) {
        fmt::print("{}", exchange_json(records));
    } else {
        fmt::print("{}{}\n{}", verdict_text(exchange_verdict(records)), description(here, launched),
                   tables(records, options.each, options.spread));
    }
    return 0;
}

}  // namespace

Verb add_exchange(CLI::App& app) {
    auto options = std::make_shared<ExchangeOptions>();
    CLI::App* verb = app.add_subcommand(
        "exchange", "Measure all exchange methods beside MPI_Alltoall, by ranks and message size");
    const auto add_list = [&](const char* name, std::vector<std::string>& list, const char* what) {
        verb->add_option(name, list, what)->delimiter(',')->allow_extra_args(false);
    };
    add_list("--ranks", options->ranks,
             "ranks that take part, as 2,4,8 (powers of two and all that are launched)");
    add_list(
        "--bytes", options->bytes,
        "bytes from each rank to each other rank, as 0,16,1024 (0 and powers of two to 65536)");
    add_list("--via", options->via, "only these methods, as alltoallv,kway(3); all unless given");
    add_list("--k", options->k, "also the methods kway(k) of these k, as 2,3,4,8");
    auto* seconds = verb->add_option("--seconds", options->seconds,
                                     "time for each size and number of ranks, all methods together")
                        ->capture_default_str();
    verb->add_option("--repeat", options->repeat,
                     "exactly this number of repeats, instead of --seconds")
        ->excludes(seconds);
    auto* json = verb->add_option("--json", options->json,
                                  "also write one JSON object a line to this file; without a file "
                                  "print one JSON document instead of tables")
                     ->expected(0, 1);
    verb->add_option("--csv", options->csv, "also write lines of comma-separated values");
    verb->add_flag("--all", options->each, "also print a table of each method");
    verb->add_flag("--spread", options->spread, "also print mean and deviation of each method");
    verb->add_flag("--quiet", options->quiet, "print no progress on stderr");
    verb->add_option("--compare", options->compare,
                     "print the times of the second file divided by the times of the first, both "
                     "written by --json; needs no MPI launch")
        ->expected(2);
    verb->footer("Example: mpirun -n 2 weft exchange --bytes 0,1024 --json times.json");
    const auto run_it = [options, json] {
        options->json_printed = json->count() > 0 && options->json.empty();
        return run(*options);
    };
    return {verb, run_it, [options] { return options->compare.empty(); }};
}

}  // namespace weft::cli
