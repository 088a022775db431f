// Where the elements of lines are that a caller keeps in segments.
#pragma once

#include <cstdint>
#include <vector>

#include "base/transforms.hpp"
#include "fft/native/kernels.hpp"

namespace weft::core::native {

/// Where the elements of a tile are, in the order in which a transform takes or leaves them. The
/// table of them is filled anew only if its segments have not all moved equally far.
template <class U>
class Elements {
  public:
    /// `backward`: in the order of a forward transform, where the segments have that of a backward
    /// one; see tile_runs.
    Elements(const std::vector<LineSegment>& segments, Index length, bool backward)
        : segments_(&segments),
          backward_(backward),
          begins_(segments.size(), 0),
          table_(static_cast<std::size_t>(length)) {}

    /// Whether the table will do for segments that begin there.
    template <class Byte>
    [[nodiscard]] bool reaches(Byte* const* begins) const {
        if (!filled_) return false;
        const std::uintptr_t distance = address(begins[0]) - begins_[0];
        if (static_cast<std::intptr_t>(distance) % static_cast<std::intptr_t>(sizeof(U)) != 0)
            return false;
        for (std::size_t i = 1; i < begins_.size(); ++i) {
            if (address(begins[i]) - begins_[i] != distance) return false;
        }
        return true;
    }
    template <class Byte>
    void look_up(Byte* const* begins) {
        if (!reaches(begins)) fill(begins);
    }
    /// Of segments that the table reaches.
    template <class Byte>
    [[nodiscard]] Places<U> at(Byte* const* begins) const {
        const auto distance = static_cast<std::intptr_t>(address(begins[0]) - begins_[0]);
        return {table_.data(), distance / static_cast<std::intptr_t>(sizeof(U))};
    }

  private:
    static std::uintptr_t address(const std::byte* data) {
        return reinterpret_cast<std::uintptr_t>(data);
    }
    template <class Byte>
    void fill(Byte* const* begins) {
        const auto n = static_cast<Index>(table_.size());
        for (std::size_t i = 0; i < segments_->size(); ++i) {
            const LineSegment& segment = (*segments_)[i];
            begins_[i] = address(begins[i]);
            U* data = reinterpret_cast<U*>(begins[i]);
            for (Index e = 0; e < segment.extent; ++e) {
                const Index j = segment.first + e;
                const Index place = !backward_ || j == 0 ? j : n - j;
                table_[static_cast<std::size_t>(place)] = data + e * 2 * segment.step;
            }
        }
        filled_ = true;
    }

    const std::vector<LineSegment>* segments_;
    bool backward_;
    bool filled_ = false;
    std::vector<std::uintptr_t> begins_;  ///< of the segments that the table is of
    std::vector<U*> table_;
};

}  // namespace weft::core::native
