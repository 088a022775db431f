#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.hpp"

namespace weft::cli {

void ProblemOptions::add_choice_to(CLI::App& app) {
    const char* group = "How it is solved";
    app.add_option("--decomposition", decomposition,
                   "slab, pencil, pencil(2x4), grid(2x2x2), cuts(3), row-wise, single, "
                   "least-volume, auto")
        ->group(group);
    app.add_option("--grid", grid, "process grid, as 2x4: the same as --decomposition 'grid(2x4)'")
        ->group(group);
    app.add_option("--shrink", shrink, "the first so many ranks hold what is between the ends")
        ->group(group);
    app.add_option("--via", via, "exchange method of all moves, or auto; `weft methods` lists them")
        ->group(group);
    app.add_option("--pack", pack,
                   "where axes are permuted: auto, sender, receiver, datatype, fft, fused")
        ->group(group);
    app.add_option("--carrier", carrier,
                   "what carries all moves: auto, messages, region (shared memory), direct (arrays "
                   "of other ranks)")
        ->group(group);
    app.add_option("--space", space,
                   "where it is computed: host, a device of `weft info`, or how its messages "
                   "travel too: fake(direct), fake(staged), fake(staged:65536); in so many bytes "
                   "of its memory: fake(memory:65536); on some ranks, which own more: "
                   "fake(share:1of4,weight:3); auto: what the model says is faster")
        ->group(group);
    app.add_option("--tile", tile,
                   "overlap of computation and communication: default, (axis:2,T:16,W:2,..), none")
        ->group(group);
    app.add_option("--engine", engine,
                   "serial transforms; `weft info` lists them; auto: the fastest")
        ->group(group);
    app.add_option("--effort", effort, "planning of the engine: auto, estimate, measure, patient")
        ->group(group);
    app.add_option("--threads", threads, "threads of each rank, for its local work (1)")
        ->group(group);
    app.add_option("--reproducible", reproducible,
                   "yes: the same bits on any number of ranks and threads (no)")
        ->group(group);
    app.add_option("--chunk", chunk,
                   "the most elements that one MPI count holds; larger messages go in pieces "
                   "(2147483647)")
        ->group(group);
    const bool tunes = app.get_name() == "tune";
    app.add_option("--tuning", tuning,
                   fmt::format("how much is tried for what is left open: none, estimate, measure, "
                               "patient, exhaustive, frozen; in so many seconds: measure(limit:10) "
                               "({})",
                               tunes ? "measure" : "none"))
        ->group(group);
}

namespace {

/// A command that works, for those who gave no problem.
std::string example_of(const std::string& verb) {
    if (verb == "explain") return "weft explain 64x64x64 --ranks 8";
    if (verb == "predict") return "weft predict 64x64x64 --ranks 2..1024";
    if (verb == "verify") {
        return "mpirun -n 2 weft verify 64x64x64, or weft verify --random 100 --net local";
    }
    return fmt::format("mpirun -n 2 weft {} 64x64x64", verb);
}

}  // namespace

void ProblemOptions::add_to(CLI::App& app) {
    example = example_of(app.get_name());
    const char* group = "Problem";
    app.add_option("problem", words,
                   "a text such as 'c2c:f64:256x256x256*8 in=slab(0) out=free; via=alltoallw', or "
                   "only a shape, as 256x256x256 or three words")
        ->group(group);
    app.add_option("--kind", kind, "c2c (default), r2c, c2r, r2r")->group(group);
    app.add_option("--precision", precision, "f64 (default), f32")->group(group);
    app.add_option("--axes", axes, "transformed axes, as 0,2 (all unless given)")->group(group);
    app.add_option("--halved", halved,
                   "r2c, c2r: the axis that keeps n/2+1 values (the last of --axes)")
        ->group(group);
    app.add_option(
           "--kinds", kinds,
           "for each of --axes, or one for all: dct1 to dct4, dst1 to dst4, c2c, r2c or c2r "
           "(one axis of these problems), none; as c2c,dct2,r2c")
        ->group(group);
    app.add_option("--in", in,
                   "input layout: free, slab(0), pencil(0,1), brick, grid(2x4x1), single, "
                   "boxes([0:4,0:8]|[4:8,0:8]), ..@210+(2,0,0)")
        ->group(group);
    app.add_option("--out", out, "output layout: the same; free lets it fall where it falls")
        ->group(group);
    app.add_option("--cut", cut, "how axes are cut: balanced, or block as FFTW does")->group(group);
    app.add_option("--scale", scale, "forward/backward, each none, n, symmetric or a number")
        ->group(group);
    app.add_option("--batch", batch, "fields in one call")->group(group);
    app.add_flag("--in-place", in_place, "one array for input and output")->group(group);
    add_choice_to(app);
}

std::vector<std::pair<std::string, std::string>> ProblemOptions::choice_settings() const {
    if (!grid.empty() && !decomposition.empty()) {
        core::bad_request("--grid and --decomposition both name a process grid; give one");
    }
    return {{"decomposition", grid.empty() ? decomposition : fmt::format("grid({})", grid)},
            {"shrink", shrink},
            {"via", via},
            {"pack", pack},
            {"carrier", carrier},
            {"space", space},
            {"tile", tile},
            {"engine", engine},
            {"effort", effort},
            {"threads", threads},
            {"reproducible", reproducible},
            {"chunk", chunk},
            {"tuning", tuning}};
}

std::string ProblemOptions::choice_text() const {
    std::string text;
    for (const auto& [name, value] : choice_settings()) {
        if (value.empty()) continue;
        text += fmt::format("{}{}={}", text.empty() ? "" : "; ", name, value);
    }
    return text;
}

bool ProblemOptions::any() const {
    const ProblemOptions none;
    return !words.empty() || in_place || !choice_text().empty() || kind != none.kind ||
           precision != none.precision || !axes.empty() || !halved.empty() || !kinds.empty() ||
           !in.empty() || !out.empty() || !cut.empty() || !scale.empty() || !batch.empty();
}

namespace {

/// The kind of a problem whose axes have these kinds: that of its Fourier transforms, if it has
/// any.
std::string implied_kind(const std::string& kinds) {
    if (kinds.empty()) return "c2c";
    const std::vector<std::string> all = core::split(kinds, ',');
    for (const char* kind : {"r2c", "c2r", "c2c"}) {
        if (std::count(all.begin(), all.end(), kind) != 0) return kind;
    }
    return "r2r";
}

/// `KIND:PRECISION:SHAPE*BATCH` of a text or a bare shape, with the options' own values in place.
std::string head_text(const std::string& given, const ProblemOptions& options) {
    const auto pieces = core::split(given, ':');
    const auto sizes = core::split(pieces.back(), '*');
    const bool bare = pieces.size() == 1;
    if (!bare && pieces.size() != 3) return given;  // The parser says what is wrong.
    const auto either = [](const std::string& option, const std::string& otherwise) {
        return option.empty() ? otherwise : option;
    };
    std::string head = fmt::format(
        "{}:{}:{}", either(options.kind, bare ? implied_kind(options.kinds) : pieces[0]),
        either(options.precision, bare ? "f64" : pieces[1]), sizes[0]);
    for (std::size_t i = 1; i < sizes.size() && options.batch.empty(); ++i) head += "*" + sizes[i];
    if (!options.batch.empty()) head += "*" + options.batch;
    return head;
}

}  // namespace

std::string ProblemOptions::text() const {
    if (words.empty()) core::bad_request("no problem is given; try: " + example);
    const auto items = core::split(fmt::format("{}", fmt::join(words, " ")), ';');
    auto given = core::words(items.front());
    if (given.empty()) core::bad_request("the problem is empty");
    // A shape may be given as words of its own: 64 64 64, but not as several shapes.
    const auto is_length = [](const std::string& word) {
        return word.find_first_not_of("0123456789") == std::string::npos;
    };
    const bool in_words = is_length(given[0]);
    while (in_words && given.size() > 1 && is_length(given[1])) {
        given[0] += "x" + given[1];
        given.erase(given.begin() + 1);
    }
    given[0] = head_text(given[0], *this);
    const auto set = [](std::vector<std::string>& settings, const std::string& name,
                        const std::string& value) {
        if (value.empty()) return;
        std::erase_if(settings, [&](const std::string& s) { return s.starts_with(name + "="); });
        settings.push_back(fmt::format("{}={}", name, value));
    };
    set(given, "axes", axes);
    set(given, "halved", halved);
    set(given, "kinds", kinds);
    set(given, "in", in);
    set(given, "out", out);
    set(given, "cut", cut);
    set(given, "scale", scale);
    if (in_place && std::count(given.begin(), given.end(), "in_place") == 0) {
        given.emplace_back("in_place");
    }
    std::vector<std::string> choices(items.begin() + 1, items.end());
    std::erase_if(choices, [](const std::string& item) { return item.empty(); });
    for (const auto& [name, value] : choice_settings()) set(choices, name, value);
    choices.insert(choices.begin(), fmt::format("{}", fmt::join(given, " ")));
    return fmt::format("{}", fmt::join(choices, "; "));
}

}  // namespace weft::cli
