#include "model/task_seconds.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "model/network_load.hpp"

namespace weft::core {

namespace {

std::vector<SizedMessage> sized(const std::vector<Message>& messages, const ExchangeTask& task) {
    return mapped(messages, [&](const Message& message) {
        const Index elements = task.slot.value_or(message.count());
        return SizedMessage{message.peer, static_cast<double>(elements * task.element_bytes)};
    });
}

/// Of a matrix, all blocks are taken for whole ones.
std::vector<SizedMessage> sized(const MatrixTask& matrix, const Group& group, int rank) {
    const auto block =
        static_cast<double>(matrix.row_block * matrix.column_block * matrix.tuple_bytes);
    std::vector<SizedMessage> result;
    for (const int peer : group.ranks) {
        if (peer != rank) result.push_back({peer, block});
    }
    return result;
}

/// Messages that are started together.
struct Sides {
    std::vector<SizedMessage> sends;
    std::vector<SizedMessage> receives;

    /// Whether all come from ranks that messages go to; both in any order, each peer once.
    [[nodiscard]] bool paired() const {
        const auto peers = [](const std::vector<SizedMessage>& messages) {
            std::vector<int> result = mapped(messages, &SizedMessage::peer);
            std::sort(result.begin(), result.end());
            return result;
        };
        return peers(sends) == peers(receives);
    }
};

/// As MPI's collective calls start messages: to the next ranks of the group and from the previous
/// ones, so many ranks at a time, this one counted.
std::vector<Sides> batches(const Sides& all, const std::vector<int>& group, int rank,
                           int at_a_time) {
    const auto place = [&](int of) {
        return std::lower_bound(group.begin(), group.end(), of) - group.begin();
    };
    const auto count = static_cast<std::ptrdiff_t>(group.size());
    std::vector<Sides> result(usize((count + at_a_time - 1) / at_a_time));
    const auto batch = [&](std::ptrdiff_t distance) -> Sides& {
        return result[usize((distance + count) % count / at_a_time)];
    };
    for (const SizedMessage& message : all.sends) {
        batch(place(message.peer) - place(rank)).sends.push_back(message);
    }
    for (const SizedMessage& message : all.receives) {
        batch(place(rank) - place(message.peer)).receives.push_back(message);
    }
    return result;
}

/// What one rank waits for.
class Exchange {
  public:
    Exchange(const ExchangeTask& task, int rank, const Site& site)
        : task_(task), rank_(rank), site_(site) {}

    [[nodiscard]] TaskSeconds seconds() const {
        Sides all;
        if (task_.matrix) {
            all.sends = sized(*task_.matrix, task_.group, rank_);
            all.receives = all.sends;
        } else {
            all = {sized(task_.sends, task_), sized(task_.receives, task_)};
        }
        const std::optional<int>& at_a_time = site_.machine.collective_batch;
        if (!transport(task_.transport).collective || !at_a_time) return together(all);
        TaskSeconds seconds;
        for (const Sides& batch : batches(all, task_.group.ranks, rank_, *at_a_time)) {
            const TaskSeconds one = together(batch);
            seconds.inside += one.inside;
            seconds.between += one.between;
        }
        return seconds;
    }

  private:
    [[nodiscard]] TaskSeconds together(const Sides& sides) const {
        const bool collective = transport(task_.transport).collective;
        double seconds = seconds_of_links(sides);
        double inside = 0;
        for (const auto* messages : {&sides.sends, &sides.receives}) {
            const double own = exchange_seconds(site_, rank_, *messages, collective);
            inside = std::max(inside,
                              exchange_seconds(site_, rank_, inside_node(*messages), collective));
            seconds = std::max(seconds, own);
        }
        return {inside, seconds - inside};
    }
    [[nodiscard]] double seconds_of_links(const Sides& sides) const {
        const auto of = [&](const std::vector<SizedMessage>& messages) {
            return links_are_known(site_.machine)
                       ? busiest_link_seconds(site_, rank_, messages, task_.group.ranks,
                                              sides.paired())
                       : bisection_seconds(site_, rank_, messages);
        };
        return links_seconds(of(sides.sends), of(sides.receives));
    }
    [[nodiscard]] std::vector<SizedMessage> inside_node(std::vector<SizedMessage> messages) const {
        std::erase_if(messages, [&](const SizedMessage& message) {
            return !site_.same_node(rank_, message.peer);
        });
        return messages;
    }

    const ExchangeTask& task_;
    int rank_;
    const Site& site_;
};

}  // namespace

TaskSeconds task_seconds(const ExchangeTask& task, int rank, const Site& site) {
    return Exchange(task, rank, site).seconds();
}

}  // namespace weft::core
