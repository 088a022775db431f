#include "plan/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "exchange/matrix.hpp"
#include "plan/choice.hpp"
#include "plan/placement.hpp"
#include "plan/tiling.hpp"

namespace weft::core {

namespace {

/// Whether transforms can do the packing of redistributions, and it pays.
bool can_fuse(const Plan& plan) {
    return plan.placements.first().fuses() &&
           std::any_of(plan.stages.begin(), plan.stages.end(), [](const Stage& stage) {
               return std::holds_alternative<TransformStage>(stage);
           });
}

/// The plan's common method and those of single redistributions, checked.
Plan record_methods(Plan plan, const Choice& choice) {
    const bool tiles = choice.tile && plan.redistributions() > 0;
    const std::string default_one =
        tiles ? default_tiled_via(choice.pack) : default_via(choice.pack, can_fuse(plan));
    plan.choice.via = choice.via.empty() ? default_one : to_string(parse_via(choice.via));
    for (const auto& [number, text] : choice.via_of_redistribution) {
        if (number < 0 || number >= plan.redistributions()) {
            bad_request(fmt::format("via[{}]: the plan has {} redistributions, counted from 0",
                                    number, plan.redistributions()));
        }
        const std::string via = to_string(parse_via(text));
        if (via != plan.choice.via) plan.choice.via_of_redistribution[number] = via;
    }
    return plan;
}

/// Throws unless the redistribution is such as the method needs.
void check_redistribution(const Plan& plan, int number, const RedistributionStage& redistribution,
                          const Layout& from, const Layout& to) {
    if (redistribution.via.how().carries != Carries::matrix) return;
    if (plan.choice.wire != Wire::same) {
        bad_request(
            fmt::format("wire={}: via={} transposes the arrays themselves; take another "
                        "method, or leave out wire",
                        weft::to_string(plan.choice.wire), to_string(redistribution.via)));
    }
    const bool within_one_array = plan.problem.in_place && plan.stages.size() == 1;
    const std::optional<std::string> reason =
        within_one_array ? "it goes from an array to itself" : why_not_matrix(from, to);
    if (!reason) return;
    bad_request(fmt::format(
        "via={}: redistribution {} is not the transpose of a matrix: {}; or take via=fftw",
        to_string(redistribution.via), number, *reason));
}

/// Throws unless what is sent by itself from the memory of devices lies there.
void check_space(const Placements& placements, const RedistributionStage& redistribution) {
    if (redistribution.via.how().carries != Carries::device) return;
    const std::string via = to_string(redistribution.via);
    if (!placements.on_device()) {
        bad_request(
            fmt::format("via={} sends from the memory of a device, but {}; name a device, as in "
                        "space=cuda, or take another method",
                        via,
                        placements.open_device() ? "space=auto names no device"
                                                 : "the plan is computed on the host"));
    }
    if (placements.mixed()) {
        bad_request(
            fmt::format("via={} sends from the memory of a device of each rank, but with space={} "
                        "some ranks have no device; take another method, or leave out share",
                        via, placements.text()));
    }
    const Placement& place = placements.first();
    if (place.reach != Reach::host) return;
    bad_request(
        fmt::format("via={} sends from the memory of {}, but space={} sends messages from the "
                    "host's memory; say space={}, or take another method",
                    via, place.device, placements.text(), place.device));
}

/// Engines of the host do what redistributions carry anyhow, by gathering lines; those of devices
/// do not, and neither does one whose lines come piece by piece.
void check_engine(const Placements& placements, const RedistributionStage& redistribution) {
    const Placement& place = placements.first();
    const bool bounded = place.memory > 0;
    if ((!place.own_engines && !bounded) || !is_fused(redistribution)) return;
    if (bounded) {
        bad_request(
            fmt::format("via={} with pack={}: space={} transforms piece by piece, and the host "
                        "packs; leave out via and pack, or say pack=sender",
                        to_string(redistribution.via), weft::to_string(redistribution.pack),
                        placements.text()));
    }
    if (place.fuses()) return;
    bad_request(
        fmt::format("via={}; pack={}: engine={} of space={} does not read and write the memory of "
                    "messages; leave out via and pack, or say engine={}",
                    to_string(redistribution.via), weft::to_string(redistribution.pack),
                    place.engine, placements.text(), default_engine_of(place.device)->name));
}

/// Whether that redistribution is packed, because elements are nobody's on one side of it and no pass
/// of a transform on its other side can put zeros in their place, or drop them: such a pass works on
/// numbers of one kind.
bool packs_only(const Plan& plan, std::size_t stage) {
    const bool before = plan.at[stage].where.sparse();
    const bool behind = plan.at[stage + 1].where.sparse();
    if (!before && !behind) return false;
    if (before == behind) return true;
    const std::size_t other = before ? stage + 1 : stage - 1;
    const TransformStage* transform = transform_at(plan, other);
    if (transform == nullptr) return true;
    return !plan.at[stage].scalar.complex && transform->kind != Kind::r2r;
}

/// The method itself or, of one that reads regions, what carries its messages.
Via by_messages(const Via& via) {
    return via.how().packing == Packing::region ? Via{message_transport(via)} : via;
}

/// The one `pack` from which all redistributions get theirs when the plan is made again. `pack`
/// applies to the redistributions whose method supports it; the others keep their default, and so do
/// those that can only be packed.
Pack common_pack(const Plan& plan, const Via& common, bool fuses) {
    Pack result = Pack::automatic;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        const RedistributionStage* redistribution = redistribution_at(plan, i);
        if (redistribution == nullptr || packs_only(plan, i) ||
            !packs(redistribution->via, Pack::automatic))
            continue;
        if (result != Pack::fused) result = redistribution->pack;
    }
    return result == Pack::automatic ? resolve_pack(common, result, fuses) : result;
}

}  // namespace

Plan choose_methods(Plan plan, const Choice& choice) {
    plan.choice.wire = choice.wire;
    plan = record_methods(std::move(plan), choice);
    const Via common = parse_via(plan.choice.via);
    // Messages in place would need room of their own both where they are written and where they
    // land.
    const bool automatic = choice.pack == Pack::automatic;
    const bool fused = automatic && !plan.problem.in_place && can_fuse(plan);
    bool meant = suits(common, choice.pack);
    int number = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        auto* redistribution = std::get_if<RedistributionStage>(&plan.stages[i]);
        if (redistribution == nullptr) continue;
        redistribution->via = parse_via(via_of(plan.choice, number));
        bool this_one = suits(redistribution->via, choice.pack);
        meant = meant || this_one;
        const bool only_packs = packs_only(plan, i);
        if (only_packs) {
            redistribution->via = by_messages(redistribution->via);
            this_one = choice.pack != Pack::fused && suits(redistribution->via, choice.pack);
        }
        const Via& via = redistribution->via;
        const Pack word = this_one ? choice.pack : Pack::automatic;
        redistribution->pack = resolve_pack(via, word, fused && !only_packs);
        const bool permutes = plan.at[i].format.order != plan.at[i + 1].format.order;
        if (redistribution->pack == Pack::fft && permutes) {
            redistribution->pack = resolve_pack(via, Pack::automatic, false);
        }
        check_engine(plan.placements, *redistribution);
        check_space(plan.placements, *redistribution);
        check_redistribution(plan, number++, *redistribution, plan.at[i], plan.at[i + 1]);
    }
    if (!meant) resolve_pack(common, choice.pack, false);  // Says why not.
    plan.choice.pack = automatic ? common_pack(plan, common, fused) : choice.pack;
    return plan;
}

}  // namespace weft::core
