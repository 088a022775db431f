#include "plan/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "exchange/transfers.hpp"

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
        const bool hat = done[static_cast<std::size_t>(axis)];
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

std::string stage_text(const TransformStage& stage, int dims) {
    std::vector<std::string> axes;
    axes.reserve(stage.axes.size());
    for (const int axis : stage.axes) axes.push_back(axis_digits({axis}, dims));
    return fmt::format("{} {} along {}{}", stage.sign < 0 ? "FFT" : "IFFT",
                       weft::to_string(stage.kind), axes.size() == 1 ? "axis " : "axes ",
                       fmt::join(axes, ", "));
}

std::string move_text(const MoveStage& move, int number, const Layout& from, const Layout& to) {
    const auto bytes = static_cast<double>(volume(from.where, to.where) * from.scalar.bytes());
    // Rank 0's group is as large as any.
    return fmt::format("move {}: via {}, pack {}, in groups of {} ranks, {} between ranks", number,
                       move.via, weft::to_string(move.pack),
                       group(from.where, to.where, 0).ranks.size(), bytes_text(bytes));
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
                              pipeline.first, pipeline.last, plan.choice.tile->W);
}

std::string rank_text(const Layout& layout, int rank) {
    const std::vector<Box> boxes = layout.where.boxes(rank);
    if (boxes.empty()) return fmt::format("           rank {}: nothing\n", rank);
    std::string text;
    for (const Box& box : boxes) text += weft::to_string(box);
    return fmt::format("           rank {}: {} = {} elements, {}\n", rank, text, layout.count(rank),
                       bytes_text(static_cast<double>(layout.bytes(rank))));
}

std::string peers_text(const Layout& from, const Layout& to, int rank) {
    const Transfers all = transfers(from.where, to.where, rank);
    const auto outgoing = [rank](const std::vector<Transfer>& side) {
        Index elements = 0;
        for (const Transfer& transfer : side) {
            if (transfer.peer != rank) elements += transfer.box.volume();
        }
        return elements;
    };
    const auto peers = [](const std::vector<Transfer>& side) {
        std::set<int> distinct;
        for (const Transfer& transfer : side) distinct.insert(transfer.peer);
        return distinct.size();
    };
    const auto element = static_cast<double>(from.scalar.bytes());
    return fmt::format(
        "           rank {}: sends {} to {} ranks, receives {} from {} ranks, "
        "itself included\n",
        rank, bytes_text(static_cast<double>(outgoing(all.sends)) * element), peers(all.sends),
        bytes_text(static_cast<double>(outgoing(all.receives)) * element), peers(all.receives));
}

}  // namespace

Words words_of(const Plan& plan) {
    const int dims = static_cast<int>(plan.problem.shape.size());
    // Hats count the axes that are in Fourier space: none at the input of an analysis, all at the
    // input of a synthesis (backward c2c and r2c, forward c2r).
    const bool synthesis = plan.backward != (plan.problem.kind == Kind::c2r);
    std::vector<bool> hats(static_cast<std::size_t>(plan.at.front().where.axes()), false);
    const auto set_hats = [&](const Stage& stage, bool hat) {
        const auto* transform = std::get_if<TransformStage>(&stage);
        if (transform == nullptr) return;
        for (const int axis : transform->axes) hats[static_cast<std::size_t>(axis)] = hat;
    };
    if (synthesis) {
        for (const Stage& stage : plan.stages) set_hats(stage, true);
    }
    Words words;
    int moves = 0;
    words.states.push_back(notation(plan.at.front(), hats, dims));
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        const Stage& stage = plan.stages[i];
        const auto* move = std::get_if<MoveStage>(&stage);
        words.stages.push_back(move != nullptr
                                   ? move_text(*move, moves++, plan.at[i], plan.at[i + 1])
                                   : stage_text(std::get<TransformStage>(stage), dims));
        set_hats(stage, !synthesis);
        words.states.push_back(notation(plan.at[i + 1], hats, dims));
    }
    return words;
}

std::string explain(const Plan& plan, int rank) {
    const int dims = static_cast<int>(plan.problem.shape.size());
    std::string text =
        fmt::format("problem    {}\nranks      {}\nchoice     {}\n", weft::to_string(plan.problem),
                    plan.ranks, weft::to_string(plan.choice));
    if (plan.backward) text += "direction  backward\n";
    if (plan.pipeline) text += pipeline_text(plan, dims);
    const Words words = words_of(plan);
    for (std::size_t i = 0; i < plan.at.size(); ++i) {
        const Layout& here = plan.at[i];
        text += fmt::format("at {:<7} {:<28} {}\n", i, words.states[i], to_string(here, dims));
        if (rank >= 0) text += rank_text(here, rank);
        if (i == plan.stages.size()) break;
        text += fmt::format("  stage {:<2} {}\n", i, words.stages[i]);
        const bool moves = std::holds_alternative<MoveStage>(plan.stages[i]);
        if (rank >= 0 && moves) text += peers_text(here, plan.at[i + 1], rank);
    }
    if (plan.scale() != 1) text += fmt::format("scale      {}\n", real_text(plan.scale()));
    return text;
}

}  // namespace weft::core
