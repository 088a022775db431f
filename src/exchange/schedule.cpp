#include "exchange/schedule.hpp"

#include <utility>

namespace weft::core {

namespace {

int modulo(int value, int places) { return (value % places + places) % places; }

/// With whom a place meets in that round: an exclusive or where it is a power of two, so that any
/// two meet on disjoint links of a hypercube or fat tree; otherwise the circle method, in which the
/// last place stands still if their number is even, and the one that would meet itself if odd.
int partner(int places, int place, int round) {
    if ((places & (places - 1)) == 0) return place ^ (round + 1);
    const int circle = places % 2 == 0 ? places - 1 : places;
    if (place == circle) {
        // The one that would meet itself: 2 i = round modulo an odd number.
        return round % 2 == 0 ? round / 2 : (round + circle) / 2;
    }
    const int other = modulo(round - place, circle);
    return other != place ? other : places % 2 == 0 ? circle : -1;
}

ScheduleStage tournament(int places, int place) {
    ScheduleStage stage;
    stage.kept = {{place, place}};
    const int rounds = places == 1 ? 0 : places % 2 == 0 ? places - 1 : places;
    for (int r = 0; r < rounds; ++r) {
        const int other = partner(places, place, r);
        Round& round = stage.rounds.emplace_back();
        if (other == -1) continue;
        round = {other, {{place, other}}, other, {{other, place}}};
    }
    return stage;
}

/// The stage that settles digits of weight `weight`: blocks whose distance has the digit d go d
/// times the weight further. A block has come as far as its lower digits say.
ScheduleStage digit_stage(int radix, int weight, int places, int place) {
    ScheduleStage stage;
    const int highest = (places - 1) / weight;
    stage.rounds.resize(static_cast<std::size_t>(highest < radix ? highest : radix - 1));
    for (int digit = 1; digit <= static_cast<int>(stage.rounds.size()); ++digit) {
        Round& round = stage.rounds[static_cast<std::size_t>(digit) - 1];
        round.to = modulo(place + digit * weight, places);
        round.from = modulo(place - digit * weight, places);
    }
    const auto block_at = [&](int holder, int distance) {
        const int source = modulo(holder - distance % weight, places);
        return Block{source, modulo(source + distance, places)};
    };
    for (int distance = 0; distance < places; ++distance) {
        const int digit = distance / weight % radix;
        if (digit == 0) {
            stage.kept.push_back(block_at(place, distance));
            continue;
        }
        Round& round = stage.rounds[static_cast<std::size_t>(digit) - 1];
        round.sends.push_back(block_at(place, distance));
        round.receives.push_back(block_at(round.from, distance));
    }
    return stage;
}

}  // namespace

std::vector<ScheduleStage> schedule(Order order, int radix, int places, int place) {
    if (order == Order::pairwise) return {tournament(places, place)};
    const int base = order == Order::direct || radix > places ? places : radix;
    std::vector<ScheduleStage> stages;
    long long weight = 1;
    do {
        stages.push_back(digit_stage(base, static_cast<int>(weight), places, place));
        weight *= base;
    } while (weight < places);
    return stages;
}

int hops(Order order, int radix, int places, const Block& block) {
    int distance = modulo(block.target - block.source, places);
    if (order != Order::kway) return distance == 0 ? 0 : 1;
    int count = 0;
    for (; distance > 0; distance /= radix) count += distance % radix == 0 ? 0 : 1;
    return count;
}

}  // namespace weft::core
