// What is put into streams while they are captured, to be run as a graph.
//
// Each captured stream is a lane; lane 0 is that of the stream in which the capture began. A fork
// to another stream and back, while the first stream is captured:
//
//     kernel a in lane 0     mark 0 of lane 0     lane 1 waits for mark 0     kernel b in lane 1
//     mark 1 of lane 1       lane 0 waits for mark 1
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <variant>
#include <vector>

#include "testing/emulated/cuda/closure.hpp"

namespace weft::core::emulated {

class Capture {
  public:
    struct Work {
        std::shared_ptr<const Closure> closure;
        std::string_view step;
    };
    struct Copy {
        const std::byte* from = nullptr;
        std::byte* to = nullptr;
        Index bytes = 0;
    };
    /// All of the lane before it.
    struct Mark {
        std::size_t number = 0;
    };
    struct Wait {
        std::size_t mark = 0;
    };
    struct Operation {
        int lane = 0;
        std::variant<Work, Copy, Mark, Wait> what;
    };

    int add_lane();
    void work(int lane, const Closure& closure, std::string_view step);
    void copy(int lane, const Copy& copy);
    /// Its number: 0, 1, ...
    std::size_t mark(int lane);
    void wait(int lane, std::size_t mark);

    /// Nothing is put in any more; its streams are free again.
    void end();
    [[nodiscard]] bool ended() const;
    /// It cannot become a graph: a call was made that a captured stream does not allow.
    void invalidate();
    [[nodiscard]] bool valid() const;
    /// Whether lane 0 has waited for the last work of all others.
    [[nodiscard]] bool joined() const;

    /// Once it has ended.
    [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }
    [[nodiscard]] int lanes() const { return static_cast<int>(seen_.size()); }
    [[nodiscard]] std::size_t marks() const { return marks_.size(); }

  private:
    using Counts = std::vector<std::size_t>;  ///< of work and copies of each lane

    void add(int lane, const Operation& operation);

    mutable std::mutex mutex_;
    std::vector<Operation> operations_;
    std::vector<Counts> seen_;   ///< what comes before the end of a lane, its own included
    std::vector<Counts> marks_;  ///< what comes before a mark
    bool ended_ = false;
    bool valid_ = true;
};

}  // namespace weft::core::emulated
