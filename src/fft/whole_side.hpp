// Lines of which a part is in memory, seen as whole ones.
#pragma once

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/transforms.hpp"
#include "fft/native/kernels.hpp"
#include "memory/buffer.hpp"

namespace weft::core {

/// Where the elements of one side that there are belong in the whole line.
struct KeptPlaces {
    std::vector<Index> of;        ///< of each that there is
    std::optional<Index> even{};  ///< the one that stands for mode m/2, m being even
    /// That of mode m/2, which shares the element; unset along an r2c axis, where that mode is the
    /// conjugate.
    std::optional<Index> opposite;
    EvenModes rule = EvenModes::split;
};

inline KeptPlaces places_of(const LineTransform& line, const KeptPart& kept, Index whole,
                            Index count) {
    KeptPlaces places;
    places.rule = kept.even;
    const bool two_sided = kept.what == KeptPart::What::modes && !halves(line.kind);
    for (Index i = 0; i < count; ++i) {
        const bool negative = two_sided && i >= (count + 1) / 2;
        places.of.push_back(negative ? i + whole - count : i);
    }
    if (kept.what != KeptPart::What::modes || kept.count % 2 != 0 || kept.even == EvenModes::keep) {
        return places;
    }
    places.even = kept.count / 2;
    if (two_sided) places.opposite = kept.count / 2;
    return places;
}

/// One side of lines as whole ones: the caller's segments in parts that follow each other there. A
/// source has memory of its own for what there is not; a target leaves it out. Lines that do not lie
/// side by side are whole in memory of its own, and copied: engines are faster for contiguous lines
/// than for parts of them.
template <class T>
class WholeSide {
  public:
    WholeSide(const LineTransform& line, const KeptPart& kept, const Scalar& scalar, Index whole,
              Index count, const std::vector<LineSegment>& segments, bool is_source)
        : places_(places_of(line, kept, whole, count)), bytes_(scalar.bytes()) {
        const bool adjacent =
            std::all_of(segments.begin(), segments.end(),
                        [](const LineSegment& one) { return one.lane_step == 1; });
        for (std::size_t i = 0; i < segments.size(); ++i) add(segments[i], i);
        if (halves_even()) {
            add_own(places_.of[usize(*places_.even)], 1, From::half);
            if (places_.opposite) add_own(*places_.opposite, 1, From::other_half);
        }
        std::sort(parts_.begin(), parts_.end(), before);
        Index end = 0;
        const auto present = parts_.size();
        for (std::size_t i = 0; i <= present; ++i) {
            const Index next = i == present ? whole : parts_[i].lines.first;
            if (next > end) add_own(end, next - end, From::nothing);
            if (i < present) end = next + parts_[i].lines.extent;
        }
        const bool is_whole = std::none_of(parts_.begin(), parts_.end(), is_nothing);
        // Rows do not begin a power of two of bytes apart, to meet in a few sets of a cache.
        constexpr Index gap = 4;
        if (!is_whole && !adjacent) row_ = whole + gap;
        if (row_ != 0 || !is_source) std::erase_if(parts_, is_nothing);
        std::sort(parts_.begin(), parts_.end(), before);
        begins_.resize(std::max<std::size_t>(parts_.size(), 1));
        next_.resize(begins_.size());
        whole_ = whole;
        const bool is_one = !is_source && segments.size() == 1 && segments.front().step == 1;
        if (has_rows() && is_one) kept_ = segments.front();
    }

    /// Whether lines are whole in memory of its own.
    [[nodiscard]] bool has_rows() const { return row_ != 0; }
    /// So many lines stay in the nearest cache; unlimited if they are not in memory of its own.
    [[nodiscard]] Index near_lines() const {
        constexpr Index near_bytes = Index{1} << 14;
        const Index tile = tile_bytes / bytes_;
        return has_rows() ? std::max(near_bytes / (row_ * bytes_) / tile * tile, tile)
                          : std::numeric_limits<Index>::max();
    }
    [[nodiscard]] std::vector<LineSegment> lines() const {
        if (has_rows()) return {{0, whole_, 1, row_}};
        return mapped(parts_, [](const Part& one) { return one.lines; });
    }
    /// Memory of its own for so many lines at a time.
    void allocate(Index lines) {
        const Index room = (lines + tile_bytes) * bytes_;
        if (row_ != 0) rows_ = cleared(lines * row_ * bytes_);
        if (std::any_of(parts_.begin(), parts_.end(), is_nothing)) nothing_ = cleared(room);
        if (!halves_even()) return;
        half_ = cleared(room);
        other_half_ = cleared(room);
    }

    /// Where whole lines are to be read whose segments begin there.
    /// `next`: those of the lines that are read after them, to be asked for meanwhile; or null.
    [[nodiscard]] std::byte* const* source(std::byte* const* segments, Index count,
                                           std::byte* const* next) {
        part_even(segments, count);
        located(segments, begins_);
        if (row_ == 0) return begins_.data();
        if (next != nullptr) ask_for(next, count);
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            copy(begins_[i], part.lines.step, part.lines.lane_step, row(part), 1, row_,
                 part.lines.extent, count);
        }
        begins_.front() = rows_.data();
        return begins_.data();
    }
    /// Where whole lines begin that are read next; null: to ask for them would not help.
    [[nodiscard]] std::byte* const* next(std::byte* const* segments) {
        if (segments == nullptr || row_ != 0) return nullptr;
        located(segments, next_);
        return next_.data();
    }
    /// Where whole lines are to be written.
    [[nodiscard]] std::byte* const* target(std::byte* const* segments) {
        located(segments, begins_);
        if (row_ == 0) return begins_.data();
        next_.front() = rows_.data();
        return next_.data();
    }
    /// After they were: what is kept of them. `stream`: past the caches, if kept lines are contiguous.
    void keep(std::byte* const* segments, Index count, bool stream) {
        if (kept_.extent > 0) {
            bytes_ == sizeof(T) ? copy_rows<T>(segments[0], count, stream)
                                : copy_rows<std::complex<T>>(segments[0], count, stream);
            return;
        }
        for (std::size_t i = 0; row_ != 0 && i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            copy(row(part), 1, row_, begins_[i], part.lines.step, part.lines.lane_step,
                 part.lines.extent, count);
        }
        join_even(segments, count);
    }

  private:
    enum class From { segment, nothing, half, other_half };
    /// A part of whole lines: a caller's segment from an element on, or own memory.
    struct Part {
        LineSegment lines;
        From from = From::segment;
        std::size_t segment = 0;
        Index offset = 0;  ///< in bytes after where the segment begins
    };
    static bool is_nothing(const Part& one) { return one.from == From::nothing; }
    static bool before(const Part& a, const Part& b) { return a.lines.first < b.lines.first; }

    [[nodiscard]] std::byte* row(const Part& part) {
        return rows_.data() + part.lines.first * bytes_;
    }
    /// Steps count elements.
    void copy(const std::byte* from, Index from_step, Index from_lane, std::byte* to, Index to_step,
              Index to_lane, Index extent, Index count) const {
        if (bytes_ == sizeof(T)) {
            copy_as<T>(from, from_step, from_lane, to, to_step, to_lane, extent, count);
        } else {
            copy_as<std::complex<T>>(from, from_step, from_lane, to, to_step, to_lane, extent,
                                     count);
        }
    }
    template <class E>
    static void copy_as(const std::byte* from, Index from_step, Index from_lane, std::byte* to,
                        Index to_step, Index to_lane, Index extent, Index count) {
        for (Index l = 0; l < count; ++l) {
            const E* source = reinterpret_cast<const E*>(from) + l * from_lane;
            E* target = reinterpret_cast<E*>(to) + l * to_lane;
            if (from_step == 1 && to_step == 1) {
                std::memcpy(target, source, usize(extent) * sizeof(E));
                continue;
            }
            for (Index e = 0; e < extent; ++e) target[e * to_step] = source[e * from_step];
        }
    }

    /// What is kept of each row, as one run if it goes past the caches: a cache line that is written
    /// in two parts goes there twice.
    template <class E>
    void copy_rows(std::byte* to, Index count, bool stream) {
        const auto& kernels = native::best_kernels<T>();
        const Index numbers = bytes_ / static_cast<Index>(sizeof(T));
        for (Index l = 0; l < count; ++l) {
            E* const row = reinterpret_cast<E*>(rows_.data()) + l * row_;
            E* const line = reinterpret_cast<E*>(to) + l * kept_.lane_step;
            E* const together = stream ? row : line;
            const E even = even_of(row);
            for (const Part& part : parts_) {
                if (part.from != From::segment) continue;
                std::memmove(together + part.offset / bytes_, row + part.lines.first,
                             usize(part.lines.extent) * sizeof(E));
            }
            if (places_.even) together[*places_.even] = even;
            if (!stream) continue;
            kernels.copy_streamed(reinterpret_cast<const T*>(row), reinterpret_cast<T*>(line),
                                  kept_.extent * numbers);
        }
    }
    /// The mode m/2 of a whole line, of the two that share its element.
    template <class E>
    [[nodiscard]] E even_of(const E* row) const {
        if (!halves_even()) return {};
        return joined(row[places_.of[usize(*places_.even)]],
                      places_.opposite ? row + *places_.opposite : nullptr);
    }
    /// Mode m/2 of its two halves, of which the other one is absent along an r2c axis: it is the
    /// conjugate.
    template <class E>
    static E joined(const E& half, const E* other) {
        return other != nullptr ? half + *other : E(2 * std::real(half));
    }

    /// For contiguous lines that are copied next.
    void ask_for(std::byte* const* segments, Index count) const {
        constexpr Index cache_line = 64;
        for (const Part& part : parts_) {
            if (part.from != From::segment || part.lines.step != 1) continue;
            const std::byte* begin = segments[part.segment] + part.offset;
            for (Index l = 0; l < count; ++l) {
                const std::byte* line = begin + l * part.lines.lane_step * bytes_;
                for (Index b = 0; b < part.lines.extent * bytes_; b += cache_line) {
                    __builtin_prefetch(line + b);
                }
            }
        }
    }

    static Buffer cleared(Index bytes) {
        Buffer buffer(bytes);
        std::memset(buffer.data(), 0, usize(bytes));
        return buffer;
    }
    [[nodiscard]] bool halves_even() const {
        return places_.even && places_.rule == EvenModes::split;
    }
    template <class Complex, class Byte>
    [[nodiscard]] Complex* even(Byte* const* segments) const {
        return reinterpret_cast<Complex*>(segments[even_segment_] + even_offset_);
    }

    /// Gives each of the two modes that share an element its half.
    void part_even(const std::byte* const* segments, Index count) {
        if (!halves_even()) return;
        const auto* at = even<const std::complex<T>>(segments);
        auto* half = reinterpret_cast<std::complex<T>*>(half_.data());
        auto* other = reinterpret_cast<std::complex<T>*>(other_half_.data());
        for (Index l = 0; l < count; ++l, at += even_.lane_step) {
            half[l] = places_.opposite ? *at * T(0.5) : T(0.5) * at->real();
            if (places_.opposite) other[l] = half[l];
        }
    }
    /// Adds up the two modes that share an element, or leaves both out.
    void join_even(std::byte* const* segments, Index count) {
        if (!places_.even) return;
        auto* at = even<std::complex<T>>(segments);
        const auto* half = reinterpret_cast<const std::complex<T>*>(half_.data());
        const auto* other = reinterpret_cast<const std::complex<T>*>(other_half_.data());
        for (Index l = 0; l < count; ++l, at += even_.lane_step) {
            *at = {};
            if (halves_even()) *at = joined(half[l], places_.opposite ? other + l : nullptr);
        }
    }

    void add(const LineSegment& segment, std::size_t number) {
        for (Index e = 0; e < segment.extent;) {
            const Index offset = e * segment.step * bytes_;
            if (places_.even == segment.first + e) {
                even_ = segment;
                even_segment_ = number;
                even_offset_ = offset;
                ++e;
                continue;
            }
            const Index place = places_.of[usize(segment.first + e)];
            Index end = e + 1;
            while (end < segment.extent && places_.even != segment.first + end &&
                   places_.of[usize(segment.first + end)] == place + end - e) {
                ++end;
            }
            parts_.push_back(
                {{place, end - e, segment.step, segment.lane_step}, From::segment, number, offset});
            e = end;
        }
    }
    /// All elements that there are not have the same memory.
    void add_own(Index first, Index extent, From from) {
        parts_.push_back({{first, extent, from == From::nothing ? 0 : 1, 1}, from});
    }

    void located(std::byte* const* segments, std::vector<std::byte*>& begins) {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            switch (part.from) {
                case From::segment:
                    begins[i] = segments[part.segment] + part.offset;
                    break;
                case From::nothing:
                    begins[i] = nothing_.data();
                    break;
                case From::half:
                    begins[i] = half_.data();
                    break;
                case From::other_half:
                    begins[i] = other_half_.data();
                    break;
            }
        }
    }

    KeptPlaces places_;
    Index bytes_;  ///< of an element
    std::vector<Part> parts_;
    Index whole_ = 0;     ///< elements of a whole line
    LineSegment kept_{};  ///< a target's kept lines that are contiguous, whose rows are copied
    LineSegment even_{};  ///< the segment with the element that two modes share
    std::size_t even_segment_ = 0;
    Index even_offset_ = 0;
    Index row_ = 0;  ///< elements from one line to the next in memory of its own; 0: in parts
    Buffer rows_{};
    Buffer nothing_{};
    Buffer half_{};
    Buffer other_half_{};
    std::vector<std::byte*> begins_;
    std::vector<std::byte*> next_;
};

}  // namespace weft::core
