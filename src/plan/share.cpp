#include "plan/share.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace weft::core {

bool is_shared(const Space& space) { return !space.device.empty() && space.share.ranks > 0; }

bool has_open_weight(const Space& space) {
    return is_shared(space) && space.share.weight == Share::open_weight;
}

bool on_device(const Space& space, int rank) {
    if (!is_shared(space)) return !space.device.empty();
    return rank % space.share.ranks < space.share.devices;
}

bool is_beside_device(const Space& space, int rank) {
    return is_shared(space) && !on_device(space, rank);
}

int first_host_rank(const Space& space) { return is_shared(space) ? space.share.devices : 0; }

std::vector<int> one_of_either(const Space& space, int rank, int ranks) {
    if (!is_shared(space)) return {rank};
    const int first = rank - rank % space.share.ranks;
    const int host = first + space.share.devices;
    return host < ranks ? std::vector{first, host} : std::vector{first};
}

int device_ranks(const Space& space, int ranks) {
    if (!is_shared(space)) return space.device.empty() ? 0 : ranks;
    const Share& share = space.share;
    return ranks / share.ranks * share.devices + std::min(ranks % share.ranks, share.devices);
}

int place_among_devices(const Space& space, const Topology& nodes, int rank) {
    int place = 0;
    for (int other = 0; other < rank; ++other) {
        if (on_device(space, other) && nodes.same_node(other, rank)) ++place;
    }
    return place;
}

std::string_view device_of_rank(const Choice& choice, int rank) {
    return on_device(choice.space, rank) ? std::string_view(choice.space.device)
                                         : std::string_view();
}

std::string_view engine_of_rank(const Choice& choice, int rank) {
    if (on_device(choice.space, rank)) return choice.engine;
    const bool of_device = is_shared(choice.space) && host_engine(choice.engine) == nullptr;
    return of_device ? engine_table.front().name : std::string_view(choice.engine);
}

EngineTraits traits_on_rank(const Choice& choice, int rank) {
    return engine_traits(engine_of_rank(choice, rank), device_of_rank(choice, rank));
}

RankWeights rank_weights(const Space& space) {
    if (!is_shared(space) || space.share.weight == 1 || has_open_weight(space)) return {};
    return {space.share.weight, space.share.devices, space.share.ranks};
}

void check_share(const Problem& problem, const Choice& choice, int ranks) {
    const Space& space = choice.space;
    if (!is_shared(space)) return;
    const auto refuse = [&](std::string_view why) {
        bad_request(fmt::format("space={}: {}", weft::to_string(space), why));
    };
    if (ranks <= space.share.devices) {
        refuse(fmt::format("{} would compute on the device, and none on the host; leave out share",
                           ranks == 1 ? "the only rank" : fmt::format("all {} ranks", ranks)));
    }
    const RankWeights weights = rank_weights(space);
    if (weights.even() || problem.kind == Kind::redistribute) return;
    if (problem.cut == CutRule::block) {
        refuse("cut=block cuts axes in equal parts; take cut=balanced, or leave out weight");
    }
    const Decomposition& asked = choice.decomposition;
    if (asked.grid.empty() || weighted_factor({asked.grid}, weights)) return;
    refuse(
        fmt::format("in the process grid {} the ranks of the device are in a row with others in "
                    "each direction, so no cut gives them more; take a grid whose last factor is a "
                    "multiple of {}, leave out the grid, or leave out weight",
                    join(asked.grid, "x"), space.share.ranks));
}

namespace {

/// `50% at the input and 43% at the output`: what the ranks of the device own.
std::string owned_text(const Plan& plan) {
    const auto percent = [&](const Layout& layout) {
        Index own = 0;
        for (int rank = 0; rank < plan.ranks; ++rank) {
            if (on_device(plan.choice.space, rank)) own += layout.count(rank);
        }
        const auto all = static_cast<double>(whole(layout.where.shape()).volume());
        return 100 * static_cast<double>(own) / all;
    };
    return fmt::format("{:.0f}% of the input and {:.0f}% of the output", percent(plan.at.front()),
                       percent(plan.at.back()));
}

}  // namespace

std::string share_text(const Plan& plan) {
    const Space& space = plan.choice.space;
    if (!is_shared(space)) return "";
    const Share& share = space.share;
    const std::string which =
        share.devices == 1 ? std::string("the first") : fmt::format("the first {}", share.devices);
    std::string text =
        fmt::format("share      {} of each {} ranks on {}, {} of {}", which, share.ranks,
                    space.device, device_ranks(space, plan.ranks), plan.ranks);
    // Each rank's part is looked at.
    constexpr int most = 1 << 12;
    if (plan.ranks <= most) text += ", with " + owned_text(plan);
    return text + "; the others on the host\n";
}

}  // namespace weft::core
