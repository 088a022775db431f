// Lines of one array that become lines of another one: what every LineTile has around it.
#include <algorithm>

#include "fft/native/lines/lines.hpp"

namespace weft::core::native {

namespace {

/// Copies the numbers of some lines. `line` goes from number to number of a line, `lines` from line
/// to line; steps count reals.
///
/// Example: 2 lines of 3 numbers, contiguous, become adjacent lanes of a vector of 4:
///   copy_numbers(from, to, {3, 2, 8}, {2, 6, 2});
/// Number j of line i is read at 6 i + 2 j, and written at 2 i + 8 j.
template <class T>
void copy_numbers(const T* from, T* to, const Loop& line, const Loop& lines) {
    for (Index i = 0; i < lines.extent; ++i) {
        for (Index j = 0; j < line.extent; ++j) {
            std::copy_n(from + i * lines.from + j * line.from, 2, to + i * lines.to + j * line.to);
        }
    }
}

template <class T>
class StridedTiles final : public TilePlan {
  public:
    StridedTiles(const FftTask& task, const Kernels<T>& kernels, std::unique_ptr<LineTile<T>> tile)
        : kernels_(kernels),
          tile_(std::move(tile)),
          n_(task.line.length),
          line_(in_numbers(task.line_axis(), task.line)),
          lane_(in_numbers(lane_loop(task, kernels.lanes), task.line)),
          most_(std::min(tile_->most(), std::max<Index>(lane_.extent, 1))),
          numbers_(task.line.target_length() * task.line.target().numbers()),
          stream_(task.caches.stream),
          complex_(task.line.target().complex) {
        const auto room = [&](Index lines) {
            return Tile<T>(kernels, (lines * n_ - 1) / kernels.lanes + 1);
        };
        if (tile_->together() > 1) {
            rest_ = room(tile_->together());
            rest_results_ = room(tile_->together());
            std::fill_n(rest_.data(), tile_->together() * 2 * n_, T(0));
        }
        if (tile_->is_staged()) staged_ = room(most_);
    }

    /// As many as make it worth while to look where they lie.
    [[nodiscard]] Index lines() const override { return std::max(most_, Index{8}); }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* next) override {
        const T* source = reinterpret_cast<const T*>(from[0]);
        T* target = reinterpret_cast<T*>(to[0]);
        const Index together = tile_->together();
        const Index whole = together == 1 ? count : count - count % together;
        // They may be another process's.
        const Index ahead = next == nullptr ? 0
                                            : (address(next[0]) - address(from[0])) /
                                                  static_cast<std::intptr_t>(sizeof(T));
        for (Index i = 0; i < whole; i += most_) {
            const Index some = std::min(most_, whole - i);
            transform(source + i * lane_.from, target + i * lane_.to, some, ahead);
        }
        if (whole == count) return;
        if (whole > 0 && source != target) {
            // Lines that were transformed already fill the last vector, unless they replaced their
            // inputs.
            const Index first = count - together;
            transform(source + first * lane_.from, target + first * lane_.to, together, 0);
        } else {
            transform_rest(source + whole * lane_.from, target + whole * lane_.to, count - whole);
        }
    }

    void complete() override {
        if (stream_) kernels_.fence();
    }

  private:
    static std::intptr_t address(const void* data) { return reinterpret_cast<std::intptr_t>(data); }

    void transform(const T* from, T* to, Index count, Index ahead) {
        const Lanes<const T> source = {from, line_.from, lane_.from, count, false, ahead};
        Lanes<T> target = {to, line_.to, lane_.to, count};
        if (staged_.data() == nullptr) {
            target.stream = stream_ && complex_ && can_stream(kernels_, target);
            tile_->execute(source, target);
            return;
        }
        tile_->execute(source, {staged_.data(), line_.to, numbers_, count});
        // Lines that follow each other share cache lines, which are to be written whole.
        const Index runs = lane_.to == numbers_ ? 1 : count;
        for (Index run = 0; run < runs; ++run) {
            kernels_.copy_streamed(staged_.data() + run * numbers_, to + run * lane_.to,
                                   count / runs * numbers_);
        }
    }

    /// Lines that fill no vector, in a copy.
    void transform_rest(const T* from, T* to, Index count) {
        const Index together = tile_->together();
        // From element to element and from line to line of contiguous lines, or of adjacent lanes.
        const auto steps = [&](Index step) {
            return step == 2 ? Lanes<T>{nullptr, 2, 2 * n_} : Lanes<T>{nullptr, 2 * together, 2};
        };
        const Lanes<T> in = steps(line_.from);
        const Lanes<T> out = steps(line_.to);
        copy_numbers(from, rest_.data(), {n_, line_.from, in.step},
                     {count, lane_.from, in.lane_step});
        tile_->execute({rest_.data(), in.step, in.lane_step, together},
                       {rest_results_.data(), out.step, out.lane_step, together});
        copy_numbers(rest_results_.data(), to, {n_, out.step, line_.to},
                     {count, out.lane_step, lane_.to});
    }

    const Kernels<T>& kernels_;
    std::unique_ptr<LineTile<T>> tile_;
    Index n_;
    // In real numbers.
    Loop line_;
    Loop lane_;
    Index most_;     ///< lines of a call of the tile
    Index numbers_;  ///< of the result of a line
    bool stream_;
    bool complex_;  ///< the results
    Tile<T> staged_;
    Tile<T> rest_;
    Tile<T> rest_results_;
};

}  // namespace

template <class T>
std::unique_ptr<Lines<T>> make_batch(const FftTask& task, const Kernels<T>& kernels,
                                     std::unique_ptr<LineTile<T>> tile) {
    auto tiles = std::make_unique<StridedTiles<T>>(task, kernels, std::move(tile));
    return std::make_unique<Lines<T>>(task, kernels, std::move(tiles));
}

template std::unique_ptr<Lines<float>> make_batch(const FftTask&, const Kernels<float>&,
                                                  std::unique_ptr<LineTile<float>>);
template std::unique_ptr<Lines<double>> make_batch(const FftTask&, const Kernels<double>&,
                                                   std::unique_ptr<LineTile<double>>);

}  // namespace weft::core::native
