// A window of each place of a node, and counters beside it by which its readers and its writer wait
// for each other.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "net/net.hpp"

namespace weft::core {

/// Counters tell how often something was posted from a window, and up to which of those times each
/// other place has read it. They only grow, over all exchanges that use the window, so that nothing
/// is reset between two. All places post from a window equally often. Where the memory comes from
/// and how one waits is left to those that derive from this.
class CountedWindow : public SharedWindow {
  public:
    bool claim(bool block) override;

    /// Readers, by their place, may read; the number of this time.
    std::uint64_t post(const std::vector<int>& readers);
    /// Whether that place has posted for the n-th time.
    [[nodiscard]] bool has_posted(int place, std::uint64_t time) const;
    /// This place has read what that one posted.
    void release(int place, std::uint64_t time) const;
    /// Until done() is true.
    template <class Done>
    void wait(const Done& done) const {
        for (int looks = 0; !done(); ++looks) {
            if (looks > patience) let_others_work(looks);
        }
    }

  protected:
    /// Bytes of the counters where so many places share.
    static Index header_bytes(int places);

    /// Where the counters of each place begin, which its memory follows; and the own place.
    void attach(std::vector<std::byte*> begin, int place);
    /// The own counters, as if nothing had been posted; at a time when nobody looks at them.
    void reset();
    /// What follows the counters.
    [[nodiscard]] std::byte* memory(int place) const;

  private:
    static constexpr int patience = 4000;  ///< looks before the core may be needed by others

    virtual void let_others_work(int looks) const = 0;
    [[nodiscard]] bool all_have_read() const;
    /// Counter 0 is of posts, 1 + i of what the reader at place i has read.
    [[nodiscard]] std::atomic_ref<std::uint64_t> counter(int place, int number) const;
    [[nodiscard]] int places() const { return static_cast<int>(begin_.size()); }

    std::vector<std::byte*> begin_;  ///< by place
    int place_ = 0;
    std::vector<std::uint64_t> expected_;  ///< by place: what its reading count has to reach
    std::uint64_t posts_ = 0;
};

}  // namespace weft::core
