#include "clock/calls.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/index.hpp"
#include "base/mapped.hpp"

namespace weft::core {

namespace {

constexpr int mpich_batch = 32;

/// Places in the group, counted from this rank on.
class Distances {
  public:
    Distances(const Group& group, int rank)
        : ranks_(group.ranks), own_(place(rank)), count_(static_cast<int>(ranks_.size())) {}

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] int to(int peer) const { return (place(peer) - own_ + count_) % count_; }
    [[nodiscard]] int from(int peer) const { return (own_ - place(peer) + count_) % count_; }
    [[nodiscard]] int peer_at(int distance) const {
        return ranks_[usize((own_ + distance) % count_)];
    }

  private:
    [[nodiscard]] int place(int rank) const {
        return static_cast<int>(std::lower_bound(ranks_.begin(), ranks_.end(), rank) -
                                ranks_.begin());
    }
    const std::vector<int>& ranks_;
    int own_;
    int count_;
};

struct Both {
    std::vector<SentMessage> sends;
    std::vector<SentMessage> receives;
};

/// What the task's messages are, none of them to the rank itself. MPI_Alltoall and transpositions
/// have one for every rank of the group.
Both messages_of(const ExchangeTask& task, int rank) {
    Both both;
    const std::optional<MatrixTask>& matrix = task.matrix;
    if (matrix || (task.slot && !transport(task.transport).by_rounds)) {
        const Index bytes = matrix ? matrix->row_block * matrix->column_block * matrix->tuple_bytes
                                   : *task.slot * task.element_bytes;
        const Distances distances(task.group, rank);
        for (int far = 1; far < distances.count(); ++far) {
            both.sends.push_back({distances.peer_at(far), static_cast<float>(bytes)});
        }
        both.receives = both.sends;
        return both;
    }
    const auto sized = [&](const std::vector<Message>& messages) {
        std::vector<SentMessage> result;
        for (const Message& one : messages) {
            if (one.peer == rank) continue;
            const Index elements = task.slot.value_or(one.count());
            result.push_back({one.peer, static_cast<float>(elements * task.element_bytes)});
        }
        return result;
    };
    both.sends = sized(task.sends);
    both.receives = sized(task.receives);
    return both;
}

Waves at_once(Both both) {
    const Wave all{static_cast<std::uint32_t>(both.sends.size()),
                   static_cast<std::uint32_t>(both.receives.size())};
    return {std::move(both.sends), {all}};
}

/// As MPI's collective calls start messages: to the next ranks of the group and from the previous
/// ones, so many ranks at a time, this one counted.
Waves in_batches(Both both, const Distances& distances, int at_a_time) {
    Waves result;
    result.waves.resize(usize((distances.count() + at_a_time - 1) / at_a_time));
    std::stable_sort(both.sends.begin(), both.sends.end(),
                     [&](const SentMessage& a, const SentMessage& b) {
                         return distances.to(a.peer) < distances.to(b.peer);
                     });
    for (const SentMessage& one : both.sends) {
        ++result.waves[usize(distances.to(one.peer) / at_a_time)].sends;
    }
    for (const SentMessage& one : both.receives) {
        ++result.waves[usize(distances.from(one.peer) / at_a_time)].receives;
    }
    result.sends = std::move(both.sends);
    return result;
}

/// log2 p waves: the blocks whose distance has bit k go 2^k ranks on.
Waves bruck(const Distances& distances, double block) {
    Waves result;
    for (int step = 1; step < distances.count(); step *= 2) {
        int blocks = 0;
        for (int far = step; far < distances.count(); ++far) blocks += (far & step) != 0 ? 1 : 0;
        result.sends.push_back({distances.peer_at(step), static_cast<float>(block * blocks)});
        result.waves.push_back({1, 1});
    }
    if (result.waves.empty()) result.waves.emplace_back();
    return result;
}

/// How many messages at a time; 0: by Bruck's algorithm; nothing: all.
std::optional<int> openmpi_batch(TransportId id, int ranks, double block) {
    if (id == TransportId::alltoall) {
        if (block < 200 && ranks > 12) return 0;
        return block < 3000 ? std::nullopt : std::optional(1);
    }
    // coll/tuned, alltoallv_intra_dec_fixed.
    const bool pairwise =
        ranks < 4 || (ranks >= 64 && ranks < 128) || (ranks >= 256 && ranks < 1024);
    return id == TransportId::alltoallv && pairwise ? std::optional(1) : std::nullopt;
}

std::optional<int> mpich_batch_of(TransportId id, int ranks, double block) {
    if (id == TransportId::alltoall) {
        if (block <= 256 && ranks >= 8) return 0;
        if (block > 32768) return 1;
    }
    return mpich_batch;
}

}  // namespace

Waves waves_of(const ExchangeTask& task, int rank, const Machine& machine, CallsOf calls) {
    Both both = messages_of(task, rank);
    const Transport& how = transport(task.transport);
    if (!how.collective || task.group.ranks.size() == 0) return at_once(std::move(both));
    const Distances distances(task.group, rank);
    const double block = both.sends.empty() ? 0 : both.sends.front().bytes;
    std::optional<int> at_a_time = machine.collective_batch;
    if (calls != CallsOf::machine) {
        if (how.overlaps) return at_once(std::move(both));
        const auto of = calls == CallsOf::openmpi ? openmpi_batch : mpich_batch_of;
        at_a_time = of(how.id, distances.count(), block);
    }
    if (!at_a_time) return at_once(std::move(both));
    if (*at_a_time == 0) return bruck(distances, block);
    return in_batches(std::move(both), distances, *at_a_time);
}

}  // namespace weft::core
