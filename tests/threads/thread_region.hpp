// A region of every thread.
#pragma once

#include <thread>
#include <utility>
#include <vector>

#include "net/counted_region.hpp"

namespace weft::core::test {

class ThreadRegion : public CountedRegion {
  public:
    /// Where every rank's memory begins, `room` bytes that are zero; and the ranks' arrays, if it
    /// is these that are exposed.
    ThreadRegion(std::vector<std::byte*> begin, int rank, std::vector<std::byte*> arrays = {})
        : arrays_(std::move(arrays)) {
        attach(std::move(begin), rank);
    }

    /// Bytes for a region of so many bytes with its counters.
    static Index room(int ranks, Index bytes) { return header_bytes(ranks) + bytes; }
    [[nodiscard]] std::byte* of(int rank) const override {
        return arrays_.empty() ? memory(rank) : arrays_[static_cast<std::size_t>(rank)];
    }

  private:
    void let_others_work(int /*looks*/) const override { std::this_thread::yield(); }
    [[nodiscard]] std::optional<int> place_of(int rank) const override { return rank; }

    std::vector<std::byte*> arrays_;  ///< by rank
};

}  // namespace weft::core::test
