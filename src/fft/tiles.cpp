#include "fft/tiles.hpp"

#include <cstring>

#include "fft/engine.hpp"
#include "memory/buffer.hpp"

namespace weft::core {

namespace {

/// Lines one after the other in two small arrays.
class GatheredTiles : public TilePlan {
  public:
    GatheredTiles(const FftEngine& engine, const TileTask& task)
        : task_(task),
          source_{task.line.source_length(), task.line.source().bytes()},
          target_{task.line.target_length(), task.line.target().bytes()},
          from_(most_lines * source_.length * source_.element_bytes),
          to_(most_lines * target_.length * target_.element_bytes) {
        const FftTask lines{.line = task.line,
                            .looped = {{most_lines, source_.length, target_.length}},
                            .may_destroy_input = true};
        plan_ = engine.plan(lines, Effort::estimate, from_.data(), to_.data());
    }

    [[nodiscard]] Index lines() const override { return most_lines; }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* /*next*/) override {
        // Lines that there are not are transformed, too.
        if (count < most_lines) {
            std::memset(from_.data(), 0, static_cast<std::size_t>(from_.bytes()));
        }
        for (std::size_t i = 0; i < task_.from.size(); ++i) {
            for_all(task_.from[i], source_, count, [&](Index place, Index line_place) {
                std::memcpy(from_.data() + line_place, from[i] + place, source_.bytes());
            });
        }
        plan_->execute(from_.data(), to_.data());
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            for_all(task_.to[i], target_, count, [&](Index place, Index line_place) {
                std::memcpy(to[i] + place, to_.data() + line_place, target_.bytes());
            });
        }
    }

  private:
    static constexpr Index most_lines = 16;

    /// How lines lie in the array of one side.
    struct Side {
        Index length;
        Index element_bytes;
        [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(element_bytes); }
    };
    /// visit(where in the segment, where in the lines' array), in bytes.
    template <class Visit>
    static void for_all(const LineSegment& segment, const Side& side, Index count,
                        const Visit& visit) {
        for (Index line = 0; line < count; ++line) {
            for (Index e = 0; e < segment.extent; ++e) {
                visit((e * segment.step + line * segment.lane_step) * side.element_bytes,
                      (line * side.length + segment.first + e) * side.element_bytes);
            }
        }
    }

    TileTask task_;
    Side source_;
    Side target_;
    Buffer from_;
    Buffer to_;
    std::unique_ptr<FftPlan> plan_;
};

}  // namespace

std::unique_ptr<TilePlan> gathered_tiles(const FftEngine& engine, const TileTask& task) {
    return std::make_unique<GatheredTiles>(engine, task);
}

}  // namespace weft::core
