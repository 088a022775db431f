// What a step of a fused operation does besides transforms, on the host: it copies between parts of
// the array and scratch memory, which it clears before.
#pragma once

#include <cstddef>
#include <vector>

#include "base/index.hpp"
#include "kernels/copy.hpp"
#include "program/program.hpp"

namespace weft::core {

/// A FusedCopy ready to run. `scratch`: where the thread's scratch memory begins, in bytes.
class StepCopy {
  public:
    StepCopy(const FusedOp& op, const FusedCopy& copy, Index scratch)
        : copy_(copy.task),
          from_(side(op, copy.from, scratch, copy.from_step * copy.task.element_bytes)),
          to_(side(op, copy.to, scratch, copy.to_step * copy.task.element_bytes)) {}

    /// places[i] is the memory of place i.
    void run(const std::vector<std::byte*>& places, Index step) const {
        copy_.execute(from_.at(places, step), to_.at(places, step));
    }

  private:
    /// All in bytes.
    struct Side {
        std::size_t place = 0;
        Index begin = 0;
        Index step = 0;
        [[nodiscard]] std::byte* at(const std::vector<std::byte*>& places, Index i) const {
            return places[place] + begin + i * step;
        }
    };
    static Side side(const FusedOp& op, int place, Index scratch, Index step) {
        const bool is_scratch = op.places[usize(place)].buffer == op.scratch;
        return {usize(place), is_scratch ? scratch : 0, step};
    }

    Copy copy_;
    Side from_;
    Side to_;
};

/// A FusedClear ready to run; `scratch` as StepCopy has it.
class StepClear {
  public:
    StepClear(const FusedClear& clear, Index scratch)
        : slice_(clear.slice),
          element_bytes_(clear.element_bytes),
          place_(usize(clear.place)),
          scratch_(scratch) {}

    void run(const std::vector<std::byte*>& places) const {
        clear(places[place_] + scratch_, slice_, element_bytes_);
    }

  private:
    Slice slice_;
    Index element_bytes_;
    std::size_t place_;
    Index scratch_;
};

}  // namespace weft::core
