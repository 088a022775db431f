// Real-to-real lines side by side, by one complex or real transform of an engine.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/index.hpp"
#include "fft/engine.hpp"
#include "fft/reduction.hpp"
#include "memory/buffer.hpp"

namespace weft::core {

/// Elements of lines side by side: element e of line l at e*step + l.
template <class T>
struct LaneRows {
    T* first;
    Index step;
    [[nodiscard]] T* at(Index element) const { return first + element * step; }
};

/// How many lines are transformed together, so that they stay in a core's second cache.
inline Index reduced_together(const Reduction& reduction, Index element_bytes, Index lines) {
    constexpr Index cache_bytes = Index{1} << 18;
    constexpr Index most = 64;
    constexpr Index vector = 16;  // elements of the widest vectors, or a multiple
    const auto numbers = static_cast<Index>(reduction.before.size() + 3 * reduction.after.size());
    Index result = std::clamp<Index>(cache_bytes / (numbers * element_bytes), 1, most);
    if (result > vector) result = result / vector * vector;
    return std::min(result, std::max<Index>(lines, 1));
}

/// `lanes` lines at a time: what the DFT reads is made of rows, then the DFT runs over all lanes,
/// then rows are made of what it wrote.
template <class T>
class ReducedLanes {
  public:
    ReducedLanes(const FftEngine& engine, const LineTransform& line, Index lines, Effort effort)
        : reduction_(reduction_of(line.axis, line.length, line.precision)),
          lanes_(reduced_together(reduction_, sizeof(T), lines)),
          source_(bytes(reduction_.dft.source_length(), reduction_.dft.source())),
          target_(bytes(reduction_.dft.target_length(), reduction_.dft.target())) {
        std::memset(source_.data(), 0, usize(source_.bytes()));
        LineTransform dft = reduction_.dft;
        dft.reproducible = line.reproducible;
        const FftTask task{.line = dft,
                           .from_step = lanes_,
                           .to_step = lanes_,
                           .looped = {{lanes_, 1, 1}},
                           .may_destroy_input = true};
        plan_ = engine.plan(task, effort, source_.data(), target_.data());
    }

    [[nodiscard]] Index lanes() const { return lanes_; }

    /// `count` lines, at most lanes(). Everything is read before anything is written.
    void run(const LaneRows<const T>& from, const LaneRows<T>& to, Index count) {
        const bool complex = reduction_.dft.source().complex;
        T* source = reinterpret_cast<T*>(source_.data());
        if (complex) {
            for (std::size_t i = 0; i < reduction_.before.size(); i += 2) {
                fill_complex(reduction_.before[i], reduction_.before[i + 1], from,
                             source + static_cast<Index>(i) * lanes_, count);
            }
        } else {
            for (std::size_t i = 0; i < reduction_.before.size(); ++i) {
                const TwoTerms& terms = reduction_.before[i];
                fill(from.at(terms.first), static_cast<T>(terms.a),
                     source + static_cast<Index>(i) * lanes_, count);
            }
        }
        plan_->execute(source_.data(), target_.data());
        const T* target = reinterpret_cast<const T*>(target_.data());
        const bool from_complex = reduction_.dft.target().complex;
        for (std::size_t k = 0; k < reduction_.after.size(); ++k) {
            const TwoTerms& terms = reduction_.after[k];
            T* row = to.at(static_cast<Index>(k));
            if (from_complex) {
                take_complex(terms, target, row, count);
            } else {
                fill(target + terms.first * lanes_, static_cast<T>(terms.a), row, count);
            }
        }
    }

  private:
    [[nodiscard]] Index bytes(Index length, const Scalar& scalar) const {
        return length * lanes_ * scalar.bytes();
    }

    static void fill(const T* row, T factor, T* result, Index count) {
        for (Index l = 0; l < count; ++l) result[l] = factor * row[l];
    }
    /// Both terms of the real part and of the imaginary part are of the same two rows.
    static void fill_complex(const TwoTerms& re, const TwoTerms& im, const LaneRows<const T>& from,
                             T* result, Index count) {
        const T* first = from.at(re.first);
        const T* second = from.at(re.second);
        const T re_a = static_cast<T>(re.a);
        const T re_b = static_cast<T>(re.b);
        const T im_a = static_cast<T>(im.a);
        const T im_b = static_cast<T>(im.b);
        for (Index l = 0; l < count; ++l) {
            const T x = first[l];
            const T y = second[l];
            result[2 * l] = re_a * x + re_b * y;
            result[2 * l + 1] = im_a * x + im_b * y;
        }
    }
    /// Both terms are of one complex number, or there is only one.
    void take_complex(const TwoTerms& terms, const T* target, T* row, Index count) const {
        const T* numbers = target + terms.first / 2 * 2 * lanes_;
        const bool imaginary = terms.first % 2 != 0;
        const T re = static_cast<T>(imaginary ? terms.b : terms.a);
        const T im = static_cast<T>(imaginary ? terms.a : terms.b);
        for (Index l = 0; l < count; ++l) row[l] = re * numbers[2 * l] + im * numbers[2 * l + 1];
    }

    Reduction reduction_;
    Index lanes_;
    Buffer source_;
    Buffer target_;
    std::unique_ptr<FftPlan> plan_;
};

}  // namespace weft::core
