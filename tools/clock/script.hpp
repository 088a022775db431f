// A rank's program as the clock runs it: operations that take seconds, and who gets how many bytes.
// Ranks whose operations take the same share them; only messages are each rank's own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "clock/calls.hpp"
#include "model/price.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// What all ranks know of an exchange.
struct ExchangeTraits {
    bool collective = false;
    bool overlaps = false;  ///< the call that starts it returns at once
    bool arrivals = false;  ///< messages are asked for one by one
    bool operator==(const ExchangeTraits&) const = default;
};

struct Script {
    Program program;                        ///< without tasks: what remains is who waits for what
    std::vector<double> seconds;            ///< of what is computed and copied, by operation
    std::vector<ExchangeTraits> exchanges;  ///< in the order of their starts, the same on all ranks
    /// Of a start or a publication: how many of its kind are before it.
    std::vector<std::uint32_t> number;
    bool operator==(const Script&) const = default;
};

/// Parts of a list, by number.
template <class T>
struct Parts {
    std::vector<T> all;
    std::vector<std::uint32_t> ends;

    void close() { ends.push_back(static_cast<std::uint32_t>(all.size())); }
    [[nodiscard]] std::uint32_t begin_of(std::size_t part) const {
        return part == 0 ? 0 : ends[part - 1];
    }
};

struct RankScript {
    std::shared_ptr<const Script> script;
    std::vector<SentMessage> sends;  ///< wave after wave
    Parts<Wave> waves;               ///< by exchange
    Parts<int> offered;              ///< by publication: the ranks that use the region
    Parts<int> used;                 ///< the ranks whose regions this one uses
};

/// Scripts of all ranks, or of some.
class Scripts {
  public:
    /// `plan` is fused in that environment. Lowers the programs of all ranks, by two threads.
    Scripts(const Plan& plan, const Machine& machine, const Environment& environment,
            CallsOf calls);

    [[nodiscard]] const RankScript& of(int rank) const {
        return ranks_[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] int ranks() const { return static_cast<int>(ranks_.size()); }
    /// How many programs differ in more than their messages.
    [[nodiscard]] std::size_t different() const { return count_; }

  private:
    std::vector<RankScript> ranks_;
    std::size_t count_ = 0;
};

}  // namespace weft::core
