// A window of every thread.
#pragma once

#include <thread>
#include <utility>
#include <vector>

#include "net/counted_window.hpp"

namespace weft::core::test {

class ThreadWindow : public CountedWindow {
  public:
    /// Where every rank's memory begins, `room` bytes that are zero.
    ThreadWindow(std::vector<std::byte*> begin, int rank) { attach(std::move(begin), rank); }

    /// Bytes for a window of so many bytes with its counters.
    static Index room(int ranks, Index bytes) { return header_bytes(ranks) + bytes; }
    [[nodiscard]] std::byte* of(int rank) const override { return memory(rank); }

  private:
    void let_others_work(int /*looks*/) const override { std::this_thread::yield(); }
};

}  // namespace weft::core::test
