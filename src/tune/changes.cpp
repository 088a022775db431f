#include "tune/changes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/devices.hpp"
#include "base/mapped.hpp"
#include "base/text.hpp"
#include "exchange/via.hpp"
#include "geometry/process_grid.hpp"
#include "model/space_choice.hpp"
#include "model/weight_choice.hpp"
#include "plan/choice.hpp"
#include "plan/placement.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

using Texts = std::vector<std::string>;

bool reads_regions(const std::string& via) {
    return parse_via(via).how().packing == Packing::region;
}

/// The grids nearest to a cube, no factor of which is 1.
std::vector<std::vector<int>> grids(int ranks, int cuts) {
    constexpr std::size_t most = 8;
    std::vector<std::vector<int>> all = ordered_factorizations(ranks, cuts, 2);
    std::stable_sort(all.begin(), all.end(), nearer_to_square);
    if (all.size() > most) all.resize(most);
    return all;
}

void add_decompositions(Texts& result, const Problem& problem, const Decomposition& open,
                        int ranks) {
    const bool named = open.row_wise || open.least_volume || open.path || !open.grid.empty();
    if (named || problem.kind == Kind::redistribute) return;
    const auto dims = dims_of(problem);
    const auto is_open = [&](int cuts) { return !open.cuts || open.cuts == cuts; };
    if (is_open(1)) result.emplace_back("decomposition=slab");
    if (is_open(2)) {
        for (const auto& grid : grids(ranks, 2)) {
            result.push_back(fmt::format("decomposition=pencil({})", join(grid, "x")));
        }
    }
    if (is_open(dims) && dims > 2) {
        for (const auto& grid : grids(ranks, dims)) {
            result.push_back(fmt::format("decomposition=grid({})", join(grid, "x")));
            break;
        }
    }
    if (!open.cuts) result.emplace_back("decomposition=row-wise");
}

/// Methods by their names, those that take a number with some of them.
Texts via_texts(int ranks, const Means& means) {
    Texts result;
    for (const std::string& name : means.vias) {
        // Between nodes it cannot go, even where one kernel serves several of them.
        const bool inside_only = parse_via(name).how().carries == Carries::node;
        if (inside_only && !means.nodes.one_node()) continue;
        result.push_back(name);
        if (const Method* method = find_method(name)) {
            const bool kway = method->number == &Via::radix;
            for (const int number : kway ? radices(ranks) : method->tried) {
                if (number == method->via.*method->number) continue;
                result.push_back(fmt::format("{}({})", name, number));
            }
        }
        if (reads_regions(name) && !means.nodes.one_node()) {
            result.push_back(to_string(with_collective_between(parse_via(name))));
        }
    }
    return result;
}

void add_tiles(Texts& result, const Problem& problem) {
    result.emplace_back("tile=none");
    if (problem.batch > 1) result.emplace_back("tile=(axis:b)");
    for (std::size_t axis = 0; axis < problem.shape.size(); ++axis) {
        result.push_back(fmt::format("tile=(axis:{})", axis));
    }
}

void add_engines(Texts& result, const Choice& constraint, const Means& means) {
    for (const std::string& name : means.engines) {
        // Its own measuring would take longer than all that is measured here.
        Choice named = constraint;
        named.engine = name;
        const Placement place = Placements(named).first();
        const bool measures = place.traits.measures && constraint.effort == Effort::automatic;
        const std::string engine = "engine=" + name + (measures ? "; effort=estimate" : "");
        result.push_back(engine);
        // Where the default engine reads and writes regions, others only do if they are told to.
        if (place.traits.fuses || place.memory > 0 || !constraint.via.empty() || constraint.tile)
            continue;
        for (const std::string& via : means.vias) {
            if (reads_regions(via)) result.push_back(fmt::format("{}; via={}", engine, via));
        }
    }
}

/// Ways for messages between devices; and the host, where that is left open.
void add_spaces(Texts& result, const Placements& open, const Means& means) {
    const bool anywhere = open.open_device();
    if (open.first().reach != Reach::open) return;
    if (anywhere) result.emplace_back("space=host");
    const bool described = means.described && means.described->devices;
    if (anywhere && !described) return;
    const std::string& device = anywhere ? means.described->devices->kind : open.first().device;
    if (find_device(device) == nullptr) return;
    const Placements unsaid = anywhere ? open.on(device) : open;
    // Regions of ranks that are all of one node need no MPI.
    const bool regions =
        means.nodes.one_node() && std::any_of(means.vias.begin(), means.vias.end(), reads_regions);
    const bool reached = regions || means.mpi_reaches_device.value_or(false);
    for (const Placements& way : travels(unsaid, reached)) {
        if (way.first().reach != Reach::open) result.push_back("space=" + way.text());
    }
}

}  // namespace

std::vector<std::string> changes_of_redistribution(int number, int ranks, const Means& means) {
    return mapped(via_texts(ranks, means),
                  [&](const std::string& via) { return fmt::format("via[{}]={}", number, via); });
}

std::vector<std::string> changes(const Problem& problem, const Choice& constraint, int ranks,
                                 const Means& means) {
    Texts result;
    const bool transforms = problem.kind != Kind::redistribute;
    if (ranks > 1) {
        add_decompositions(result, problem, constraint.decomposition, ranks);
        if (constraint.via.empty()) {
            for (const std::string& via : via_texts(ranks, means)) {
                if (!constraint.tile || !reads_regions(via)) result.push_back("via=" + via);
            }
        }
        if (constraint.pack == Pack::automatic) {
            for (const char* pack : {"sender", "receiver", "fft", "fused"}) {
                result.push_back(fmt::format("pack={}", pack));
            }
        }
        const bool messages = constraint.via.empty() || !reads_regions(constraint.via);
        if (!constraint.tile && messages && transforms) add_tiles(result, problem);
        if (constraint.carrier == Carrier::automatic &&
            constraint.carrier_of_redistribution.empty()) {
            for (const char* carrier : {"auto", "messages", "region"}) {
                result.push_back(fmt::format("carrier={}", carrier));
            }
        }
    }
    const Placements asked(constraint);
    const bool described = means.described && means.described->devices;
    for (const Placements& way : shares_to_try(asked, means.proposed, described)) {
        if (transforms) result.push_back("space=" + way.text());
    }
    add_spaces(result, asked, means);
    if (constraint.engine.empty() && transforms) add_engines(result, constraint, means);
    for (int threads = 1; constraint.threads == 1 && threads <= means.most_threads; threads *= 2) {
        result.push_back(fmt::format("threads={}", threads));
    }
    for (int fewer = ranks / 2; means.shrinks && transforms && constraint.shrink == 0 && fewer >= 1;
         fewer /= 2) {
        result.push_back(fmt::format("shrink={}", fewer));
    }
    if (means.by_redistribution && constraint.via.empty() && ranks > 1) {
        constexpr int most_redistributions =
            4;  // Of bricks; plans of fewer redistributions refuse the rest.
        for (int number = 0; number < most_redistributions; ++number) {
            const Texts some = changes_of_redistribution(number, ranks, means);
            result.insert(result.end(), some.begin(), some.end());
        }
    }
    return result;
}

Choice changed(Choice choice, const std::string& items) {
    for (const std::string& item : split(items, ';')) {
        const std::string name = parse_setting(item).name;
        if (name == "engine") choice.effort = Effort::automatic;
        parse_choice_item(item, choice);
        // Tiles go as messages: the one that was there makes room.
        if (!choice.tile || choice.via.empty() || !reads_regions(choice.via)) continue;
        if (name == "tile") choice.via.clear();
        if (name == "via") choice.tile.reset();
    }
    return choice;
}

}  // namespace weft::core
