// Tiles whose lines the caller keeps in pieces: loads, passes, stores.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "fft/native/engine.hpp"
#include "fft/native/lines.hpp"

namespace weft::core::native {

namespace {

/// Adjacent elements of a piece that are adjacent in the tile as well.
struct Segment {
    std::size_t piece = 0;
    Index offset = 0;  ///< of the first, in numbers after where the piece begins
    Runs run;
    Index position = 0;  ///< of the first in the tile, in elements
};

/// Where a forward transform reads the elements of the pieces: those of a backward one in reverse,
/// element 0 its own opposite.
std::vector<Segment> segments(const TileTask& task, const Rows& rows, Index number) {
    std::vector<Segment> result;
    const Index n = task.length;
    for (std::size_t i = 0; i < task.from.size(); ++i) {
        const LinePiece& piece = task.from[i];
        for (Index e = 0; e < piece.extent;) {
            const bool backward = task.sign > 0 && piece.first + e > 0;
            const Index j = backward ? n - piece.first - e : piece.first + e;
            Index length = backward ? j % rows.length + 1 : rows.length - j % rows.length;
            if (j == 0) length = task.sign > 0 ? 1 : length;
            length = std::min(length, piece.extent - e);
            result.push_back({i,
                              e * piece.step * number,
                              {1, length, 0, 0, backward ? -1 : 1},
                              rows.position(j)});
            e += length;
        }
    }
    return result;
}

/// What tiles of all kinds have: a transform between two tiles, and pieces on both sides.
template <class T>
class TileLines : public TilePlan {
  public:
    TileLines(const TileTask& task, const Kernels<T>& kernels)
        : task_(task),
          kernels_(kernels),
          dft_(make_tile_dft(kernels, task.length)),
          rows_(dft_->rows()),
          input_(kernels, rows_.room()),
          output_(kernels, task.length) {}

    [[nodiscard]] Index lines() const override {
        return task_.kind == Kind::c2c ? kernels_.lanes : 2 * kernels_.lanes;
    }

    using TilePlan::execute;
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* /*next*/) override {
        read(from, count);
        dft_->run(input_.data(), output_.data(), 1);
        write_all(to, count);
    }
    void complete() override {
        if (task_.stream) kernels_.fence();
    }

  protected:
    /// From output_, to all pieces.
    void write_all(std::byte* const* to, Index count) {
        for (std::size_t i = 0; i < task_.to.size(); ++i) {
            write(task_.to[i], reinterpret_cast<T*>(to[i]), count);
        }
    }
    /// Into input_, in rows.
    virtual void read(const std::byte* const* from, Index count) = 0;
    virtual void write(const LinePiece& piece, T* to, Index count) = 0;

    /// The lanes of a piece, from one of its lines on; `number` numbers an element.
    template <class Number>
    [[nodiscard]] Lanes<Number> lanes(const LinePiece& piece, Number* data, Index number,
                                      Index first_line, Index count) const {
        const Index lane_step = piece.lane_step * number;
        return {data + first_line * lane_step, piece.step * number, lane_step, count};
    }
    [[nodiscard]] Lanes<T> target(const LinePiece& piece, T* to, Index first_line,
                                  Index count) const {
        Lanes<T> result = lanes(piece, to, 2, first_line, count);
        result.stream = task_.stream && can_stream(kernels_, result);
        return result;
    }
    [[nodiscard]] T* input(Index element) const { return at(input_, element); }
    [[nodiscard]] T* output(Index element) const { return at(output_, element); }
    [[nodiscard]] T* at(const Tile<T>& tile, Index element) const {
        return tile.data() + element * 2 * kernels_.lanes;
    }
    /// Real lines go in pairs: so many are real parts.
    [[nodiscard]] Index real_parts(Index count) const {
        return std::min<Index>(count, kernels_.lanes);
    }

    TileTask task_;
    const Kernels<T>& kernels_;
    std::unique_ptr<MixedRadix<T>> dft_;
    Rows rows_;
    Tile<T> input_;
    Tile<T> output_;
};

template <class T>
class ComplexTiles : public TileLines<T> {
  public:
    ComplexTiles(const TileTask& task, const Kernels<T>& kernels)
        : TileLines<T>(task, kernels),
          segments_(segments(task, this->rows_, 2)),
          gathers_(this->dft_->begins() && lanes_are_adjacent(task.from)),
          scatters_(this->dft_->ends() && lanes_are_adjacent(task.to)),
          now_(gathers_ ? task.from.size() : 0, gathers_ ? task.length : 0),
          next_(now_),
          results_(static_cast<std::size_t>(scatters_ ? task.length : 0)),
          next_to_(task.to.size()) {
        const bool shifts = scatters_ && task.stream && kernels.write_waiting != nullptr;
        if (!shifts) return;
        over_.resize(results_.size());
        waiting_lanes_ = Tile<T>(kernels, task.length);
    }

    using TilePlan::execute;
    /// A whole tile of adjacent lanes goes straight from the pieces to the first pass, and from the
    /// last one straight to the pieces.
    void execute(const std::byte* const* from, std::byte* const* to, Index count,
                 const std::byte* const* next) override {
        const bool whole = count == this->kernels_.lanes;
        const bool scatters = scatters_ && (whole || this->task_.writes_beyond);
        const Way way = scatters ? locate_results(to) : Way::gathered;
        if (gathers_ && (whole || this->task_.reads_beyond)) {
            if (next_.is_at(from)) std::swap(now_, next_);
            if (!now_.is_at(from)) locate(from, now_);
            const bool asks = this->task_.far && next != nullptr;
            if (asks) locate(next, next_);
            this->dft_->begin_gathered(now_.elements.data(), asks ? next_.elements.data() : nullptr,
                                       way == Way::fetched ? results_.data() : nullptr,
                                       this->input_.data());
        } else {
            read(from, count);
            this->dft_->begin_in_tile(this->input_.data());
        }
        if (way == Way::shifted) {
            this->dft_->end_shifted(this->input_.data(), shifted(!waiting_));
            waiting_ = true;
        } else if (scatters) {
            this->dft_->end_scattered(this->input_.data(), results_.data(), way == Way::streamed);
        } else {
            this->dft_->end_in_tile(this->input_.data(), this->output_.data(), 1);
            this->write_all(to, count);
        }
    }

    void complete() override {
        write_waiting();
        TileLines<T>::complete();
    }

  protected:
    void read(const std::byte* const* from, Index count) override {
        for (const Segment& one : segments_) {
            const T* data = reinterpret_cast<const T*>(from[one.piece]) + one.offset;
            this->kernels_.read(this->lanes(this->task_.from[one.piece], data, 2, 0, count),
                                one.run, this->input(one.position));
        }
    }
    void write(const LinePiece& piece, T* to, Index count) override {
        this->kernels_.write(this->output(piece.first), one_run(piece.extent),
                             this->target(piece, to, 0, count));
    }

  private:
    /// Where the elements of a tile are, in the order in which a forward transform takes them.
    struct Elements {
        Elements(std::size_t count, Index length)
            : pieces(count), elements(static_cast<std::size_t>(length)) {}
        [[nodiscard]] bool is_at(const std::byte* const* from) const {
            return std::equal(pieces.begin(), pieces.end(), from);
        }
        std::vector<const std::byte*> pieces;
        std::vector<const T*> elements;
    };

    static bool lanes_are_adjacent(const std::vector<LinePiece>& pieces) {
        return std::all_of(pieces.begin(), pieces.end(),
                           [](const LinePiece& piece) { return piece.lane_step == 1; });
    }
    void locate(const std::byte* const* from, Elements& result) const {
        const Index n = this->task_.length;
        for (std::size_t i = 0; i < this->task_.from.size(); ++i) {
            const LinePiece& piece = this->task_.from[i];
            result.pieces[i] = from[i];
            const T* data = reinterpret_cast<const T*>(from[i]);
            const bool backward = this->task_.sign > 0;
            for (Index e = 0; e < piece.extent; ++e) {
                const Index j = piece.first + e;
                const Index place = !backward ? j : j == 0 ? 0 : n - j;
                result.elements[static_cast<std::size_t>(place)] = data + e * 2 * piece.step;
            }
        }
    }
    /// How results get to memory: in the tile, then piece by piece; straight, after their places
    /// were asked for if need be; or past the caches, as they are or shifted to whole lines.
    enum class Way { gathered, straight, fetched, streamed, shifted };

    Way locate_results(std::byte* const* to) {
        const bool goes_on = std::equal(next_to_.begin(), next_to_.end(), to);
        if (!goes_on) write_waiting();
        const auto element = static_cast<std::uintptr_t>(2 * this->kernels_.lanes) * sizeof(T);
        std::uintptr_t misaligned = element % cache_line;
        for (std::size_t i = 0; i < this->task_.to.size(); ++i) {
            const LinePiece& piece = this->task_.to[i];
            T* data = reinterpret_cast<T*>(to[i]);
            next_to_[i] = to[i] + element;
            const auto step = static_cast<std::uintptr_t>(2 * piece.step) * sizeof(T);
            misaligned |= reinterpret_cast<std::uintptr_t>(data) % cache_line;
            if (piece.extent > 1) misaligned |= step % cache_line;
            T** results = results_.data() + piece.first;
            for (Index e = 0; e < piece.extent; ++e) results[e] = data + e * 2 * piece.step;
        }
        if (!this->task_.stream) return Way::straight;
        if (misaligned == 0) return Way::streamed;
        const bool can_shift =
            this->kernels_.write_waiting != nullptr && misaligned % sizeof(T) == 0;
        if (!can_shift) return Way::fetched;
        if (!goes_on) find_lines();
        return Way::shifted;
    }

    // Where whole lines begin within results.
    void find_lines() {
        for (std::size_t i = 0; i < results_.size(); ++i) {
            const auto address = reinterpret_cast<std::uintptr_t>(results_[i]);
            over_[i] = static_cast<std::uint8_t>(address % cache_line / sizeof(T));
        }
    }
    [[nodiscard]] ShiftedResults<T> shifted(bool first) const {
        return {results_.data(), over_.data(), waiting_lanes_.data(), first};
    }
    void write_waiting() {
        if (!waiting_) return;
        for (T*& result : results_) result += 2 * this->kernels_.lanes;
        this->kernels_.write_waiting(this->task_.length, shifted(false));
        waiting_ = false;
    }

    static constexpr std::uintptr_t cache_line = 64;

    std::vector<Segment> segments_;
    bool gathers_;
    bool scatters_;
    Elements now_;
    Elements next_;
    std::vector<T*> results_;
    std::vector<std::byte*> next_to_;  ///< where the tile would go that continues the last one
    std::vector<std::uint8_t> over_;
    Tile<T> waiting_lanes_;
    bool waiting_ = false;
};

template <class T>
class RealToComplexTiles : public TileLines<T> {
  public:
    RealToComplexTiles(const TileTask& task, const Kernels<T>& kernels)
        : TileLines<T>(task, kernels), segments_(segments(task, this->rows_, 1)) {}

  protected:
    void read(const std::byte* const* from, Index count) override {
        const Index a = this->real_parts(count);
        for (const Segment& one : segments_) {
            const LinePiece& piece = this->task_.from[one.piece];
            const T* data = reinterpret_cast<const T*>(from[one.piece]) + one.offset;
            this->kernels_.read_real(this->lanes(piece, data, 1, 0, a),
                                     this->lanes(piece, data, 1, a, count - a), one.run,
                                     this->input(one.position));
        }
    }
    void write(const LinePiece& piece, T* to, Index count) override {
        const Index a = this->real_parts(count);
        this->kernels_.split(this->output(0), this->task_.length,
                             {piece.first, piece.first + piece.extent},
                             this->target(piece, to, 0, a), this->target(piece, to, a, count - a));
    }

  private:
    std::vector<Segment> segments_;
};

template <class T>
class ComplexToRealTiles : public TileLines<T> {
  public:
    ComplexToRealTiles(const TileTask& task, const Kernels<T>& kernels)
        : TileLines<T>(task, kernels),
          first_(kernels, task.length / 2 + 1),
          position_(backward_positions(this->rows_, task.length)) {}

  protected:
    void read(const std::byte* const* from, Index count) override {
        const Index a = this->real_parts(count);
        for (std::size_t i = 0; i < this->task_.from.size(); ++i) {
            const LinePiece& piece = this->task_.from[i];
            const T* data = reinterpret_cast<const T*>(from[i]);
            this->kernels_.read(this->lanes(piece, data, 2, 0, a), one_run(piece.extent),
                                this->at(first_, piece.first));
            this->kernels_.join(first_.data(), this->lanes(piece, data, 2, a, count - a),
                                this->task_.length, {piece.first, piece.first + piece.extent},
                                position_.data(), this->input_.data());
        }
    }
    void write(const LinePiece& piece, T* to, Index count) override {
        const Index a = this->real_parts(count);
        this->kernels_.write_real(this->output(piece.first), one_run(piece.extent),
                                  this->lanes(piece, to, 1, 0, a),
                                  this->lanes(piece, to, 1, a, count - a));
    }

  private:
    Tile<T> first_;  ///< spectra of the lines that are real parts
    std::vector<Index> position_;
};

}  // namespace

template <class T>
std::unique_ptr<TilePlan> make_tiles(const TileTask& task, const Kernels<T>& kernels) {
    if (task.kind == Kind::r2c) return std::make_unique<RealToComplexTiles<T>>(task, kernels);
    if (task.kind == Kind::c2r) return std::make_unique<ComplexToRealTiles<T>>(task, kernels);
    return std::make_unique<ComplexTiles<T>>(task, kernels);
}

template std::unique_ptr<TilePlan> make_tiles(const TileTask&, const Kernels<float>&);
template std::unique_ptr<TilePlan> make_tiles(const TileTask&, const Kernels<double>&);

}  // namespace weft::core::native
