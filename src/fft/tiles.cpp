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
          source_{task.precision, task.kind != Kind::r2c},
          target_{task.precision, task.kind != Kind::c2r},
          from_(most_lines * stored(source_) * source_.bytes()),
          to_(most_lines * stored(target_) * target_.bytes()) {
        FftTask lines{task.kind, task.sign, task.precision, {{task.length, 1, 1}}, {}};
        lines.may_destroy_input = true;
        lines.looped = {{most_lines, stored(source_), stored(target_)}};
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
                std::memcpy(from_.data() + line_place, from[i] + place, bytes(source_));
            });
        }
        plan_->execute(from_.data(), to_.data());
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            for_all(task_.to[i], target_, count, [&](Index place, Index line_place) {
                std::memcpy(to[i] + place, to_.data() + line_place, bytes(target_));
            });
        }
    }

  private:
    static constexpr Index most_lines = 16;

    static std::size_t bytes(const Scalar& scalar) {
        return static_cast<std::size_t>(scalar.bytes());
    }
    /// Elements of a line on the side of that scalar.
    [[nodiscard]] Index stored(const Scalar& scalar) const {
        const bool halved = task_.kind != Kind::c2c && scalar.complex;
        return halved ? task_.length / 2 + 1 : task_.length;
    }
    /// visit(where in the piece, where in the line's array), in bytes.
    template <class Visit>
    void for_all(const LinePiece& piece, const Scalar& scalar, Index count,
                 const Visit& visit) const {
        for (Index line = 0; line < count; ++line) {
            for (Index e = 0; e < piece.extent; ++e) {
                visit((e * piece.step + line * piece.lane_step) * scalar.bytes(),
                      (line * stored(scalar) + piece.first + e) * scalar.bytes());
            }
        }
    }

    TileTask task_;
    Scalar source_;
    Scalar target_;
    Buffer from_;
    Buffer to_;
    std::unique_ptr<FftPlan> plan_;
};

}  // namespace

std::unique_ptr<TilePlan> gathered_tiles(const FftEngine& engine, const TileTask& task) {
    return std::make_unique<GatheredTiles>(engine, task);
}

}  // namespace weft::core
