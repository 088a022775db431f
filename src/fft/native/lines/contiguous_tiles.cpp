// Tiles of lines that are contiguous on both sides: a batch of lines like any other.
#include <algorithm>

#include "fft/native/engine.hpp"
#include "fft/native/lines/lines.hpp"

namespace weft::core::native {

namespace {

template <class T>
class ContiguousTiles : public TilePlan {
  public:
    ContiguousTiles(const TileTask& task, const Kernels<T>& kernels)
        : kernels_(kernels), stream_(task.caches.stream) {
        const FftTask lines{
            .line = task.line,
            .looped = {{many, task.from.front().lane_step, task.to.front().lane_step}},
            .caches = task.caches};
        lines_ = make_lines<T>(lines, kernels);
    }

    /// As many as make it worth while to look where they lie.
    [[nodiscard]] Index lines() const override { return std::max(lines_->together(), Index{8}); }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* next) override {
        lines_->some(reinterpret_cast<const T*>(from[0]), reinterpret_cast<T*>(to[0]), count,
                     next != nullptr ? reinterpret_cast<const T*>(next[0]) : nullptr);
    }

    void complete() override {
        if (stream_) kernels_.fence();
    }

  private:
    /// Lines that there are, as far as planning is concerned: enough to fill tiles.
    static constexpr Index many = 64;

    const Kernels<T>& kernels_;
    bool stream_;
    std::unique_ptr<Lines<T>> lines_;
};

bool are_contiguous(const std::vector<LineSegment>& segments) {
    return segments.size() == 1 && segments.front().step == 1 && segments.front().lane_step != 1;
}

}  // namespace

template <class T>
std::unique_ptr<TilePlan> make_contiguous_tiles(const TileTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c || !are_contiguous(task.from) || !are_contiguous(task.to))
        return nullptr;
    return std::make_unique<ContiguousTiles<T>>(task, kernels);
}

template std::unique_ptr<TilePlan> make_contiguous_tiles(const TileTask&, const Kernels<float>&);
template std::unique_ptr<TilePlan> make_contiguous_tiles(const TileTask&, const Kernels<double>&);

}  // namespace weft::core::native
