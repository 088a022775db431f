#include "exchange/schedule.hpp"

#include <algorithm>
#include <set>

namespace weft::core {

namespace {

int modulo(int value, int ranks) { return (value % ranks + ranks) % ranks; }

/// In which round two ranks meet: by an exclusive or where the number of ranks is a power of two,
/// so that any two meet on disjoint links of a hypercube or fat tree; otherwise by the circle
/// method, in which the last rank stands still if their number is even, and meets the one that
/// would meet itself.
int meeting(int ranks, int a, int b) {
    if ((ranks & (ranks - 1)) == 0) return (a ^ b) - 1;
    const int circle = ranks % 2 == 0 ? ranks - 1 : ranks;
    if (a == circle) a = b;
    if (b == circle) b = a;
    return (a + b) % circle;
}

void sort_by_round(std::vector<Passage>& passages) {
    std::stable_sort(passages.begin(), passages.end(),
                     [](const Passage& a, const Passage& b) { return a.round < b.round; });
}

/// The only stage if blocks go straight to their targets.
ScheduleStage straight(Order order, int ranks, int rank, const std::vector<int>& targets,
                       const std::vector<int>& sources) {
    const bool pairwise = order == Order::pairwise;
    const auto round = [&](const Block& block) {
        return pairwise ? meeting(ranks, block.source, block.target) : distance(block, ranks) - 1;
    };
    ScheduleStage stage;
    // In a tournament of an odd number everyone is alone in one of the rounds.
    stage.rounds = pairwise && ranks > 1 && ranks % 2 != 0 ? ranks : ranks - 1;
    for (const int target : targets) {
        const Block block{rank, target};
        if (target == rank) {
            stage.kept.push_back(block);
        } else {
            stage.sends.push_back({block, target, round(block)});
        }
    }
    for (const int source : sources) {
        const Block block{source, rank};
        if (source != rank) stage.receives.push_back({block, source, round(block)});
    }
    sort_by_round(stage.sends);
    sort_by_round(stage.receives);
    return stage;
}

/// The stage that settles digits of weight `weight`: blocks whose distance has the digit d go d
/// times the weight further, in round d - 1. A block has come as far as its lower digits say.
ScheduleStage digit_stage(int radix, int weight, int ranks, int rank) {
    ScheduleStage stage;
    stage.rounds = std::min((ranks - 1) / weight, radix - 1);
    const auto block_at = [&](int holder, int distance) {
        const int source = modulo(holder - distance % weight, ranks);
        return Block{source, modulo(source + distance, ranks)};
    };
    // Of each digit, which is a round, the distances ascend.
    const long long period = static_cast<long long>(weight) * radix;
    for (int digit = 0; digit <= stage.rounds; ++digit) {
        const int to = modulo(rank + digit * weight, ranks);
        const int from = modulo(rank - digit * weight, ranks);
        for (long long begin = static_cast<long long>(digit) * weight; begin < ranks;
             begin += period) {
            const int end = static_cast<int>(std::min<long long>(begin + weight, ranks));
            for (int distance = static_cast<int>(begin); distance < end; ++distance) {
                if (digit == 0) {
                    stage.kept.push_back(block_at(rank, distance));
                    continue;
                }
                stage.sends.push_back({block_at(rank, distance), to, digit - 1});
                stage.receives.push_back({block_at(from, distance), from, digit - 1});
            }
        }
    }
    return stage;
}

}  // namespace

int distance(const Block& block, int ranks) { return modulo(block.target - block.source, ranks); }

int stages_of(Order order, std::optional<int> radix, int ranks) {
    if (order != Order::kway) return 1;
    int stages = 1;
    for (long long weight = *radix; weight < ranks; weight *= *radix) ++stages;
    return stages;
}

std::vector<int> radices(int ranks) {
    std::set<int> result;
    if (ranks > 1) result.insert(ranks);
    for (long long radix = 2; radix < ranks; radix *= 2) result.insert(static_cast<int>(radix));
    int before = 0;
    for (int radix = 2; radix < ranks && before != 2; ++radix) {
        const int stages = stages_of(Order::kway, radix, ranks);
        if (stages != before) result.insert(radix);
        before = stages;
    }
    return {result.begin(), result.end()};
}

std::vector<ScheduleStage> schedule(Order order, std::optional<int> radix, int ranks, int rank,
                                    const std::vector<int>& targets,
                                    const std::vector<int>& sources) {
    if (order != Order::kway || *radix >= ranks) {
        return {straight(order, ranks, rank, targets, sources)};
    }
    std::vector<ScheduleStage> stages;
    for (long long weight = 1; weight < ranks; weight *= *radix) {
        stages.push_back(digit_stage(*radix, static_cast<int>(weight), ranks, rank));
    }
    return stages;
}

int hops(Order order, std::optional<int> radix, int ranks, const Block& block) {
    int rest = distance(block, ranks);
    if (order != Order::kway) return rest == 0 ? 0 : 1;
    int count = 0;
    for (; rest > 0; rest /= *radix) count += rest % *radix == 0 ? 0 : 1;
    return count;
}

}  // namespace weft::core
