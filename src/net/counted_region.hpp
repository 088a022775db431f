// A region of each rank of a node, and counters beside it by which its users and its owner wait for
// each other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "net/shared_region.hpp"

namespace weft::core {

/// Counters tell how often a rank has published its region, and up to which of those times each
/// other rank of the node has released it. They only grow, over all tasks that use the region, so
/// that nothing is reset between two. Where the memory comes from and how one waits is left to
/// those that derive from this.
class CountedRegion : public SharedRegion {
  public:
    std::unique_ptr<RegionUse> open(const RegionTask& task) override;
    bool reclaim(bool block) override;

  protected:
    /// Bytes of the counters where so many ranks share.
    static Index header_bytes(int ranks);

    /// Where the counters of each rank begin, by place on the node, which its memory follows; and
    /// the own place.
    void attach(std::vector<std::byte*> begin, int place);
    /// The own counters, as if nothing had been published; at a time when nobody looks at them.
    void reset();
    /// What follows the counters.
    [[nodiscard]] std::byte* memory(int place) const;

  private:
    class Use;

    static constexpr int patience = 4000;  ///< looks before the core may be needed by others

    virtual void let_others_work(int looks) const = 0;
    /// The rank's number on its node; none if it is on another node.
    [[nodiscard]] virtual std::optional<int> place_of(int rank) const = 0;
    /// Of all peers. Throws if one is on another node.
    [[nodiscard]] std::vector<int> places_of(const std::vector<PeerPart>& parts) const;
    /// Users, by their place, may begin; the number of this time.
    std::uint64_t publish(const std::vector<int>& users);
    /// Whether the rank at that place has published for the n-th time.
    [[nodiscard]] bool has_published(int place, std::uint64_t time) const;
    /// This rank is done with what the one at that place has published.
    void release(int place, std::uint64_t time) const;
    [[nodiscard]] bool all_have_released() const;
    /// Until done() is true.
    template <class Done>
    void wait(const Done& done) const;
    /// Counter 0 is of publications, 1 + i of what the user at place i has released.
    [[nodiscard]] std::atomic_ref<std::uint64_t> counter(int place, int number) const;
    [[nodiscard]] int places() const { return static_cast<int>(begin_.size()); }

    std::vector<std::byte*> begin_;  ///< by place
    int place_ = 0;
    std::vector<std::uint64_t> expected_;  ///< by place: what its release count has to reach
    std::uint64_t publications_ = 0;
};

}  // namespace weft::core
