#include "plan/placement.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/text.hpp"
#include "plan/choice.hpp"
#include "plan/plan.hpp"

namespace weft::core {

namespace {

/// Whose memory messages of a device leave from.
Reach reach_of(const Space& space) {
    if (space.memory != 0 || space.travel == Travel::staged) return Reach::host;
    return space.travel == Travel::direct ? Reach::both : Reach::open;
}

/// On the device, or on the host if that is empty.
Placement placed(const std::string& device, const std::string& engine) {
    Placement result;
    result.device = device;
    result.engine = engine;
    result.traits = engine_traits(engine, device);
    result.traits.name = {};  // It may view a text that is gone when this one is copied.
    result.own_engines = default_engine_of(device) != nullptr;
    return result;
}

}  // namespace

Placements::Placements(Space said, const std::string& engine)
    : said_(std::move(said)), first_(placed(open_device() ? "" : said_.device, engine)) {
    if (open_device()) first_.reach = Reach::open;
    if (!first_.on_device()) return;
    first_.values = said_.memory != 0 ? MemorySpace::host : MemorySpace::device;
    first_.memory = said_.memory;
    first_.piece = said_.piece;
    first_.reach = reach_of(said_);
    const Share& share = said_.share;
    if (share.ranks <= 0) return;
    first_.ranks = {0, share.devices, share.ranks};
    first_.weight = share.weight;
    // An engine of devices only leaves the host its default.
    const bool of_host = host_engine(engine) != nullptr;
    last_ = placed("", of_host ? engine : std::string(engine_table.front().name));
    last_->ranks = {share.devices, share.ranks, share.ranks};
}

bool Placements::open_device() const { return said_.device == open_space; }

bool Placements::open_weight() const { return mixed() && first().weight == Share::open_weight; }

bool Placements::open_memory() const { return on_device() && first().memory == Space::open_memory; }

int Placements::device_ranks(int ranks) const {
    return on_device() ? first().ranks.among(ranks) : 0;
}

std::vector<int> Placements::of_each_kind(int rank, int ranks) const {
    std::vector<int> result;
    const auto add_first_of = [&](const RankSet& kind) {
        const int one = rank - rank % kind.period + kind.first;
        if (one < ranks) result.push_back(one);
    };
    add_first_of(first_.ranks);
    if (last_) add_first_of(last_->ranks);
    return result;
}

int Placements::place_among_devices(const Topology& nodes, int rank) const {
    int place = 0;
    for (int other = 0; other < rank; ++other) {
        if (of(other).on_device() && nodes.same_node(other, rank)) ++place;
    }
    return place;
}

Split Placements::split(CutRule rule) const {
    if (!mixed() || open_weight()) return rule;
    return {rule, first().weight, first().ranks.end, first().ranks.period};
}

Placements Placements::on(const std::string& device) const {
    return {Space{device}, first().engine};
}

Placements Placements::with(Reach reach, Index piece) const {
    Space space = said_;
    space.travel = reach == Reach::open   ? Travel::automatic
                   : reach == Reach::both ? Travel::direct
                                          : Travel::staged;
    space.piece = piece;
    return {std::move(space), first().engine};
}

Placements Placements::weighing(Index weight) const {
    Space space = said_;
    space.share.weight = weight;
    return {std::move(space), first().engine};
}

Placements Placements::bounding(Index bytes) const {
    Space space = said_;
    space.memory = bytes;
    return {std::move(space), first().engine};
}

Placements Placements::within(const Placements& constraint) const {
    const Space& wanted = constraint.said_;
    if (wanted.device.empty()) return *this;
    const bool same_device = constraint.open_device() || wanted.device == said_.device;
    // A travel that the constraint leaves open is this one, and so are the device and its memory.
    Space result = same_device && constraint.first().reach == Reach::open ? said_ : wanted;
    // A share that the constraint says stays, and its weight, unless that is open.
    if (wanted.share != Share{}) {
        result.share = wanted.share;
        if (constraint.open_weight()) result.share.weight = said_.share.weight;
    }
    return {std::move(result), first().engine};
}

void Placements::refuse(std::string_view why) const {
    bad_request(fmt::format("space={}: {}", text(), why));
}

void check_share(const Problem& problem, const Choice& choice, int ranks) {
    const Placements placements(choice);
    if (!placements.mixed()) return;
    if (placements.device_ranks(ranks) == ranks) {
        placements.refuse(
            fmt::format("{} would compute on the device, and none on the host; leave out share",
                        ranks == 1 ? "the only rank" : fmt::format("all {} ranks", ranks)));
    }
    const Split split = placements.split(problem.cut);
    if (split.even() || problem.kind == Kind::redistribute) return;
    if (split.rule == CutRule::block) {
        placements.refuse(
            "cut=block cuts axes in equal parts; take cut=balanced, or leave out weight");
    }
    const Decomposition& asked = choice.decomposition;
    if (asked.grid.empty() || split.suits({asked.grid})) return;
    placements.refuse(
        fmt::format("in the process grid {} the ranks of the device share rows with ranks of the "
                    "host in each direction, so no cut gives the device more; take a grid whose "
                    "last factor is a multiple of {}, leave out the grid, or leave out weight",
                    join(asked.grid, "x"), split.period));
}

namespace {

/// `50% of the input and 43% of the output`: what the ranks of the device own.
std::string owned_text(const Plan& plan) {
    const auto percent = [&](const Layout& layout) {
        Index own = 0;
        for (int rank = 0; rank < plan.ranks; ++rank) {
            if (plan.placement(rank).on_device()) own += layout.count(rank);
        }
        const auto all = static_cast<double>(whole(layout.where.shape()).volume());
        return 100 * static_cast<double>(own) / all;
    };
    return fmt::format("{:.0f}% of the input and {:.0f}% of the output", percent(plan.at.front()),
                       percent(plan.at.back()));
}

}  // namespace

std::string placement_text(const Plan& plan) {
    const Placements& placements = plan.placements;
    if (!placements.mixed()) return "";
    const auto& [begin, end, period] = placements.first().ranks;
    const std::string which =
        end == 1 ? std::string("the first") : fmt::format("the first {}", end);
    std::string text =
        fmt::format("share      {} of each {} ranks on {}, {} of {}", which, period,
                    placements.first().device, placements.device_ranks(plan.ranks), plan.ranks);
    // Each rank's part is looked at.
    constexpr int most = 1 << 12;
    if (plan.ranks <= most) text += ", with " + owned_text(plan);
    return text + "; the others on the host\n";
}

}  // namespace weft::core
