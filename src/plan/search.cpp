#include "plan/search.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace weft::core {

namespace {

/// All that matters for how a trail may go on.
using State = std::pair<int, std::vector<bool>>;

/// A trail that may still be replaced by another one to its state.
struct Open {
    Found found;
    std::vector<int> turn;
};

class Search {
  public:
    Search(const Graph& graph, const Objective& objective) : graph_(graph), objective_(objective) {
        for (Trail& trail : start_trails(graph)) {
            Open start{{std::move(trail), {}}, {}};
            start.turn = start.found.trail.nodes;
            offer(std::move(start));
        }
    }

    std::optional<Found> run(const Price* to_beat) {
        while (!open_.empty()) {
            const std::vector<Open> settled = settle();
            if (to_beat != nullptr && objective_.before(*to_beat, settled.front().found.price)) {
                return std::nullopt;
            }
            if (const Found* best = best_at_goal(settled)) {
                if (to_beat != nullptr && !precedes(objective_, best->price, *to_beat)) {
                    return std::nullopt;
                }
                return *best;
            }
            for (const Open& from : settled) extend_all(from);
        }
        return std::nullopt;
    }

  private:
    static State state_of(const Trail& trail) { return {trail.nodes.back(), trail.done}; }

    /// Takes all that rank first, in the order of their turns.
    std::vector<Open> settle() {
        const auto first =
            std::min_element(open_.begin(), open_.end(), [&](const auto& a, const auto& b) {
                return objective_.before(a.second.found.price, b.second.found.price);
            });
        const Price lowest = first->second.found.price;
        std::vector<Open> settled;
        for (auto each = open_.begin(); each != open_.end();) {
            if (objective_.before(lowest, each->second.found.price)) {
                ++each;
                continue;
            }
            settled_.insert(each->first);
            settled.push_back(std::move(each->second));
            each = open_.erase(each);
        }
        std::sort(settled.begin(), settled.end(),
                  [](const Open& a, const Open& b) { return a.turn < b.turn; });
        return settled;
    }

    [[nodiscard]] const Found* best_at_goal(const std::vector<Open>& settled) const {
        const Found* best = nullptr;
        for (const Open& each : settled) {
            if (!at_goal(graph_, each.found.trail)) continue;
            if (best == nullptr || objective_.better(each.found.price, best->price)) {
                best = &each.found;
            }
        }
        return best;
    }

    /// By one redistribution, to every state that is not settled.
    void extend_all(const Open& from) {
        const Trail& trail = from.found.trail;
        const int count = static_cast<int>(graph_.nodes.size());
        for (int to = 0; to < count; ++to) {
            if (!may_extend(graph_, trail, to)) continue;
            std::vector<bool> done = done_after(graph_, trail, to);
            if (settled_.contains({to, done})) continue;
            Open longer = from;
            longer.found.price += price(trail, to);
            extend(longer.found.trail, to, std::move(done));
            longer.turn.push_back(to);
            offer(std::move(longer));
        }
    }

    /// Keeps the trail if there is none to its state that goes before it.
    void offer(Open fresh) {
        const auto [known, added] =
            open_.try_emplace(state_of(fresh.found.trail), std::move(fresh));
        if (added) return;
        Open& old = known->second;
        if (objective_.before(old.found.price, fresh.found.price)) return;
        if (objective_.before(fresh.found.price, old.found.price)) {
            old = std::move(fresh);
        } else if (objective_.better(fresh.found.price, old.found.price)) {
            old.found = std::move(fresh.found);
        } else if (!objective_.better(old.found.price, fresh.found.price) &&
                   fresh.turn < old.turn) {
            old = std::move(fresh);
        }
    }

    /// Of one redistribution, asked of the objective once.
    const Price& price(const Trail& trail, int to) {
        const int from = trail.nodes.back();
        const bool halved = half_done(graph_.problem, trail.done);
        const auto [known, added] = prices_.try_emplace({from, to, halved});
        if (added) {
            const auto where = [&](int node) -> const Distribution& {
                return at(graph_.nodes[static_cast<std::size_t>(node)], graph_.problem, trail.done);
            };
            known->second = objective_.price({where(from), where(to), halved});
        }
        return known->second;
    }

    const Graph& graph_;
    const Objective& objective_;
    std::map<State, Open> open_;
    std::set<State> settled_;
    std::map<std::tuple<int, int, bool>, Price> prices_;
};

}  // namespace

std::optional<Found> search(const Graph& graph, const Objective& objective, const Price* to_beat) {
    return Search(graph, objective).run(to_beat);
}

}  // namespace weft::core
