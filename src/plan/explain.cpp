#include "plan/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "geometry/census.hpp"
#include "plan/choice.hpp"
#include "plan/placement.hpp"
#include "plan/problem.hpp"
#include "plan/tile_samples.hpp"
#include "plan/wire.hpp"

namespace weft::core {

std::string bytes_text(double bytes) {
    if (bytes < 1e4) return fmt::format("{:.0f} B", bytes);
    if (bytes < 1e7) return fmt::format("{:.1f} kB", bytes / 1e3);
    if (bytes < 1e10) return fmt::format("{:.1f} MB", bytes / 1e6);
    return fmt::format("{:.1f} GB", bytes / 1e9);
}

namespace {

std::string notation(const Layout& layout, const std::vector<bool>& done, int dims) {
    std::vector<std::string> factors;
    for (int axis = 0; axis < layout.where.axes(); ++axis) {
        const bool hat = done[usize(axis)];
        std::string text = axis == dims ? "B" : fmt::format("{}N{}", hat ? "^" : "", axis);
        if (layout.where.list() != nullptr) {
            text += layout.where.local(axis) ? "" : "/*";
        } else if (!layout.where.local(axis)) {
            text += fmt::format("/{}", layout.where.partition(axis).parts);
        }
        factors.push_back(text);
    }
    return fmt::format("{}", fmt::join(factors, " x "));
}

/// How a transform that is fused with redistributions reads and writes; empty if it is not.
std::string access_text(const TransformStage& stage) {
    const auto words = [](Access access) {
        switch (access) {
            case Access::layout:
                return "";
            case Access::messages:
                return "messages";
            case Access::region:
                return "regions";
            case Access::exposed:
                return "arrays of other ranks";
        }
        return "";
    };
    std::string text;
    if (stage.reads != Access::layout) text += fmt::format(", reads {}", words(stage.reads));
    if (stage.writes != Access::layout) text += fmt::format(", writes {}", words(stage.writes));
    return text;
}

/// `, writes 64 of 96 modes`: what there is of lines; of several axes `, writes 64 of 96 modes of
/// axis 1`.
std::string kept_text(const TransformStage& stage, int dims) {
    std::string text;
    for (std::size_t i = 0; i < stage.kept.size(); ++i) {
        const KeptLines& kept = stage.kept[i];
        const auto add = [&](const KeptPart& part, std::string_view verb) {
            if (part.what == KeptPart::What::all) return;
            text += fmt::format(", {} {} of {} {}", verb, part.count, kept.length,
                                part.what == KeptPart::What::modes ? "modes" : "values");
            if (stage.axes.size() > 1) text += " of axis " + axis_digits({stage.axes[i]}, dims);
        };
        add(kept.from, "reads");
        add(kept.to, "writes");
    }
    return text;
}

std::string stage_text(const TransformStage& stage, int dims) {
    std::vector<std::string> axes =
        mapped(stage.axes, [&](int axis) { return axis_digits({axis}, dims); });
    if (stage.kind == Kind::r2r) {
        for (std::size_t i = 0; i < axes.size(); ++i) {
            axes[i] = fmt::format("{} along axis {}", weft::to_string(stage.kinds[i]), axes[i]);
        }
        return fmt::format("{}{}{}", fmt::join(axes, ", "), kept_text(stage, dims),
                           access_text(stage));
    }
    return fmt::format("{} {} along {}{}{}{}", stage.sign < 0 ? "FFT" : "IFFT",
                       weft::to_string(stage.kind), axes.size() == 1 ? "axis " : "axes ",
                       fmt::join(axes, ", "), kept_text(stage, dims), access_text(stage));
}

std::string redistribution_text(const Plan& plan, std::size_t stage, int number,
                                const Topology& topology) {
    const RedistributionStage& redistribution = *redistribution_at(plan, stage);
    const Layout& from = plan.at[stage];
    const Layout& to = plan.at[stage + 1];
    const auto bytes = static_cast<double>(volume(from.where, to.where) * sent_bytes(plan, stage));
    // Rank 0's group is as large as any.
    const std::vector<int> ranks = group(from.where, to.where, 0).ranks;
    const std::size_t nodes = topology.sizes(ranks).size();
    const std::string carrier =
        redistribution.carrier == Carrier::automatic
            ? ""
            : fmt::format(", carrier {}", weft::to_string(redistribution.carrier));
    return fmt::format(
        "redistribution {}: via {}, pack {}{}, in groups of {}{}, {} between ranks{}", number,
        to_string(redistribution.via), weft::to_string(redistribution.pack), carrier,
        number_of(ranks.size(), "rank"), nodes > 1 ? fmt::format(" on {} nodes", nodes) : "",
        bytes_text(bytes), wire_text(plan, stage, nodes > 1));
}

/// How many nodes there are, and how many ranks each has.
std::string nodes_text(const Plan& plan, const Topology& topology) {
    const std::vector<int> sizes = topology.sizes(all_below(plan.ranks));
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    if (sizes.size() == 1) return "nodes      1, all ranks share it\n";
    return *least == *most
               ? fmt::format("nodes      {} of {}\n", sizes.size(), number_of(usize(*most), "rank"))
               : fmt::format("nodes      {} of {} to {} ranks\n", sizes.size(), *least, *most);
}

std::string idle_text(const Layout& layout, int ranks) {
    const Index idle = ranks - owners(layout.where);
    if (idle == 0) return "";
    return fmt::format("           {} of the {} ranks {} nothing\n", idle, ranks,
                       idle == 1 ? "owns" : "own");
}

/// What goes through which stages in tiles.
std::string pipeline_text(const Plan& plan, int dims) {
    const Pipeline& pipeline = *plan.pipeline;
    std::string text = "tiles      ";
    for (const TileLevel& level : pipeline.levels) {
        text += fmt::format("{} of {} along axis {}, ", level.count, level.extent,
                            axis_digits({level.axis}, dims));
        if (pipeline.levels.size() > 1 && &level == &pipeline.levels.front()) {
            text += "through all stages; of each ";
        }
    }
    return text + fmt::format("through stages {} to {}, {} under way while others are computed\n",
                              pipeline.first, pipeline.last, *plan.choice.tile->tiles_in_flight);
}

std::string rank_text(const Layout& layout, int rank) {
    const std::vector<Box> boxes = layout.where.boxes(rank);
    if (boxes.empty()) return fmt::format("           rank {}: nothing\n", rank);
    std::string text;
    for (const Box& box : boxes) text += weft::to_string(box);
    return fmt::format("           rank {}: {} = {} elements, {}\n", rank, text, layout.count(rank),
                       bytes_text(static_cast<double>(layout.bytes(rank))));
}

/// `768 B to 1 other rank`: what a rank exchanges with others by those transfers.
std::string peers_text(const std::vector<Transfer>& side, const char* to_or_from,
                       const Scalar& element, int rank, const Topology& topology) {
    Index elements = 0;
    std::set<int> others;
    for (const Transfer& transfer : side) {
        if (transfer.peer == rank) continue;
        elements += transfer.box.volume();
        others.insert(transfer.peer);
    }
    if (others.empty()) return "nothing";
    const auto here = std::count_if(others.begin(), others.end(),
                                    [&](int peer) { return topology.same_node(peer, rank); });
    const bool several_nodes = here != static_cast<std::ptrdiff_t>(others.size());
    return fmt::format("{} {} {} other {}{}",
                       bytes_text(static_cast<double>(elements * element.bytes())), to_or_from,
                       others.size(), others.size() == 1 ? "rank" : "ranks",
                       several_nodes ? fmt::format(" ({} on its node)", here) : "");
}

std::string peers_text(const Layout& from, const Layout& to, int rank, const Topology& topology) {
    const Transfers all = transfers(from.where, to.where, rank);
    return fmt::format("           rank {}: sends {}, receives {}\n", rank,
                       peers_text(all.sends, "to", from.scalar, rank, topology),
                       peers_text(all.receives, "from", from.scalar, rank, topology));
}

}  // namespace

Words words_of(const Plan& plan, const Topology& topology) {
    const int dims = dims_of(plan.problem);
    // Hats count the axes that are in Fourier space: none at the input of an analysis, all at the
    // input of a synthesis (backward c2c and r2c, forward c2r).
    const bool synthesis = plan.backward != (plan.problem.kind == Kind::c2r);
    std::vector<bool> hats(usize(plan.at.front().where.axes()), false);
    const auto set_hats = [&](const Stage& stage, bool hat) {
        const auto* transform = std::get_if<TransformStage>(&stage);
        if (transform == nullptr) return;
        for (const int axis : transform->axes) hats[usize(axis)] = hat;
    };
    if (synthesis) {
        for (const Stage& stage : plan.stages) set_hats(stage, true);
    }
    Words words;
    int redistributions = 0;
    words.states.push_back(notation(plan.at.front(), hats, dims));
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        const Stage& stage = plan.stages[i];
        const auto* redistribution = std::get_if<RedistributionStage>(&stage);
        words.stages.push_back(redistribution != nullptr
                                   ? redistribution_text(plan, i, redistributions++, topology)
                                   : stage_text(std::get<TransformStage>(stage), dims));
        set_hats(stage, !synthesis);
        words.states.push_back(notation(plan.at[i + 1], hats, dims));
    }
    return words;
}

std::string explain(const Plan& plan, std::optional<int> rank, const Topology& topology) {
    const int dims = dims_of(plan.problem);
    std::string text =
        fmt::format("problem    {}\nranks      {}\nchoice     {}\n", weft::to_string(plan.problem),
                    plan.ranks, weft::to_string(plan.choice));
    if (plan.backward) text += "direction  backward\n";
    if (plan.ranks > 1) text += nodes_text(plan, topology);
    text += placement_text(plan);
    if (plan.pipeline) text += pipeline_text(plan, dims);
    const Words words = words_of(plan, topology);
    for (std::size_t i = 0; i < plan.at.size(); ++i) {
        const Layout& here = plan.at[i];
        text += fmt::format("at {:<7} {:<28} {}\n", i, words.states[i], to_string(here, dims));
        text += idle_text(here, plan.ranks);
        if (rank) text += rank_text(here, *rank);
        if (i == plan.stages.size()) break;
        text += fmt::format("  stage {:<2} {}\n", i, words.stages[i]);
        const bool is_redistribution = std::holds_alternative<RedistributionStage>(plan.stages[i]);
        if (rank && is_redistribution) text += peers_text(here, plan.at[i + 1], *rank, topology);
    }
    if (plan.scale() != 1) text += fmt::format("scale      {}\n", real_text(plan.scale()));
    return text;
}

namespace {

/// The blocks that a rank sends or passes on in a redistribution.
Index blocks_of_a_rank(const Plan& plan, std::size_t stage) {
    const Via& via = redistribution_at(plan, stage)->via;
    const Group peers = group(plan.at[stage].where, plan.at[stage + 1].where, 0);
    const auto ranks = static_cast<int>(peers.ranks.size());
    return Index{stages_of(via.order, via.radix, ranks)} * ranks;
}

/// Operations and messages of a rank's program of so many tiles, by its blocks and polls.
Index rank_operations(const Plan& plan, const TileCounts& tiles) {
    Index in_tile = 0;
    for (const TileNumber& phase : poll_numbers) {
        if (plan.pipeline) in_tile += *((*plan.choice.tile).*phase.value);
    }
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (redistribution_at(plan, i) != nullptr) in_tile += blocks_of_a_rank(plan, i);
    }
    return Index{tiles.fields} * tiles.tiles * std::max<Index>(in_tile, 1);
}

}  // namespace

Index idle_ranks(const Plan& plan) {
    Index idle = plan.ranks;
    for (const Layout& layout : plan.at) idle = std::min(idle, plan.ranks - owners(layout.where));
    return idle;
}

bool has_many_operations(const Plan& plan) {
    constexpr Index many = Index{1} << 13;
    return tile_samples(plan).leave_out() && rank_operations(plan, all_tiles(plan)) > many;
}

Index ranks_to_look_at(const Plan& plan) {
    constexpr Index most_operations = Index{1} << 17;
    constexpr Index most = 16;
    const TileSamples samples = tile_samples(plan);
    const TileCounts tiles{samples.fields.more, samples.tiles.more};
    return std::min(most_operations / rank_operations(plan, tiles), most);
}

std::vector<int> representative_ranks(const Plan& plan) {
    constexpr Index spread = 9;
    const Index looked_at = ranks_to_look_at(plan);
    std::set<int> result;
    if (plan.ranks <= looked_at) {
        for (int rank = 0; rank < plan.ranks; ++rank) result.insert(rank);
        return {result.begin(), result.end()};
    }
    if (looked_at == 1) return {fullest_rank(plan.at.front().where)};
    // Of those that compute on the host beside a device one at least.
    if (looked_at > 1) result.insert(plan.placements.last().ranks.first);
    const Index some = std::min(looked_at, spread);
    for (Index i = 0; i < some; ++i) {
        result.insert(static_cast<int>((plan.ranks - 1) * i / std::max<Index>(some - 1, 1)));
    }
    for (const Layout& layout : plan.at) {
        if (static_cast<Index>(result.size()) < looked_at)
            result.insert(fullest_rank(layout.where));
    }
    return {result.begin(), result.end()};
}

}  // namespace weft::core
