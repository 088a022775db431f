// Contiguous lines by the kernels of turned.hpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fft/native/lines.hpp"
#include "fft/native/numbers.hpp"

namespace weft::core::native {

namespace {

/// What fills the vectors of the first step: adjacent columns of a line; or a column of each of
/// lanes/2 lines, which are adjacent lanes or contiguous.
enum class Vectors { columns, lanes, pairs };

/// How a length is cut: 4 Q, and the radices of the later passes.
struct Cut {
    int first = 0;  ///< 0: not at all
    Vectors vectors = Vectors::columns;
    std::vector<int> radices;
};

/// How vectors are filled in the first step if it leaves so many columns, if they can be.
template <class T>
std::optional<Vectors> first_vectors(const Kernels<T>& kernels, std::size_t first, Index columns,
                                     bool from_lanes) {
    if (kernels.columns[first] == nullptr) return std::nullopt;
    if (from_lanes) return Vectors::lanes;
    if (columns % (kernels.lanes / 2) == 0) return Vectors::columns;
    // Columns that fill no vector would be computed twice. Two lines to a vector pay where vectors
    // along lines (ContiguousLines) leave three passes: 20 elements to a column, and 12 do not
    // divide.
    if (first != 20 || columns % 3 == 0) return std::nullopt;
    if (kernels.columns_of_pairs[first] == nullptr) return std::nullopt;
    return Vectors::pairs;
}

/// The cheapest way.
template <class T>
Cut best_cut(const Kernels<T>& kernels, Index n, bool from_lanes) {
    Cut best;
    double least = 0;
    for (int first = 4; first <= largest_radix; ++first) {
        if (n % first != 0) continue;
        const Index columns = n / first;
        const auto vectors =
            first_vectors(kernels, static_cast<std::size_t>(first), columns, from_lanes);
        if (!vectors) continue;
        const Factors rest = factorize(kernels.radices, columns);
        const bool butterflies =
            rest.rest == 1 && std::all_of(rest.radices.begin(), rest.radices.end(), [&](int radix) {
                return radix <= largest_radix &&
                       kernels.turned[static_cast<std::size_t>(radix)] != nullptr;
            });
        if (!butterflies || rest.radices.empty()) continue;
        // The first step is two passes in one.
        const double cost =
            rest.cost - (first == 16 ? 4 : 0) + (*vectors == Vectors::pairs ? 2 : 0);
        if (best.first != 0 && cost >= least) continue;
        best = {first, *vectors, rest.radices};
        least = cost;
    }
    return best;
}

template <class T>
class TurnedLines : public Lines<T> {
  public:
    TurnedLines(const FftTask& task, const Kernels<T>& kernels, const Cut& cut)
        : Lines<T>(task, kernels),
          first_(static_cast<std::size_t>(cut.first)),
          vectors_(cut.vectors),
          in_vector_(cut.vectors == Vectors::columns ? 1 : kernels.lanes / 2) {
        const Index lanes = kernels.lanes;
        const Index groups = cut.first / lanes;
        columns_.columns = this->n_ / cut.first;
        // Tiles that are a power of two of bytes apart would meet in the same sets
        // of a cache.
        const Index group_room = columns_.columns + 1;
        columns_.tile_step = group_room * 2 * lanes;
        columns_.line_room = groups * group_room;
        std::vector<Index> base;
        base.reserve(static_cast<std::size_t>(groups));
        for (Index group = 0; group < groups; ++group) base.push_back(group * group_room);
        Index count = columns_.columns;
        for (const int radix : cut.radices) {
            count /= radix;
            base = add_pass(radix, count, base);
        }
        fill_tables(cut.first);
        together_ = lines_together(groups * columns_.columns);
        tiles_ = Tile<T>(kernels, together_ * columns_.line_room);
        if (vectors_ == Vectors::lanes) {
            rest_ = Tile<T>(kernels, (this->n_ + 1) / 2);
            std::fill_n(rest_.data(), (this->n_ + 1) / 2 * 2 * lanes, T(0));
        }
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return together_; }

    void tile(const T* from, T* to, Index count) override {
        const Index rest = count % in_vector_;
        const Index whole = count - rest;
        if (whole > 0) {
            begin(from, this->line_.from, this->lane_.from, whole);
            end(to, whole);
        }
        if (rest == 0) return;
        begin_rest(from + whole * this->lane_.from, rest);
        end(to + whole * this->lane_.to, rest);
    }

  private:
    /// Tile elements that are worked on together: enough that the latency of one
    /// line's steps is hidden by those of others.
    static constexpr Index several = 128;

    [[nodiscard]] Index lines_together(Index elements) const {
        const Index unit = vectors_ == Vectors::columns ? 1 : 4 * in_vector_;
        return std::max(several / elements / unit, Index{1}) * unit;
    }

    /// The first step of whole vectors of lines.
    void begin(const T* from, Index step, Index line_step, Index count) {
        const auto& kernels = this->kernels_;
        const bool backward = this->sign_ > 0;
        T* tiles = tiles_.data();
        if (vectors_ == Vectors::columns) {
            const auto& columns = backward ? kernels.columns_backward : kernels.columns;
            columns[first_](columns_, from, line_step, count, tiles);
        } else if (vectors_ == Vectors::lanes) {
            const auto& columns =
                backward ? kernels.columns_of_lanes_backward : kernels.columns_of_lanes;
            columns[first_](columns_, from, step, line_step, count, tiles);
        } else {
            const auto& columns =
                backward ? kernels.columns_of_pairs_backward : kernels.columns_of_pairs;
            columns[first_](columns_, from, step, line_step, count, tiles);
        }
    }

    /// Lines that fill no vector: adjacent lanes in a copy that others would share; or one line,
    /// which shares vectors with itself.
    void begin_rest(const T* from, Index count) {
        if (vectors_ == Vectors::pairs) {
            begin(from, this->line_.from, 0, in_vector_);
            return;
        }
        const Index step = 2 * in_vector_;
        for (Index j = 0; j < this->n_; ++j) {
            std::copy_n(from + j * this->line_.from, 2 * count, rest_.data() + j * step);
        }
        begin(rest_.data(), step, 2, in_vector_);
    }

    /// The other steps.
    void end(T* to, Index count) {
        const auto& kernels = this->kernels_;
        for (std::size_t p = 0; p + 1 < passes_.size(); ++p) {
            kernels.turned[radix(p)](passes_[p], count, tiles_.data());
        }
        const std::size_t last = passes_.size() - 1;
        kernels.turned_last[radix(last)](passes_[last], count, tiles_.data(), to, this->lane_.to);
    }

    [[nodiscard]] std::size_t radix(std::size_t pass) const {
        return static_cast<std::size_t>(passes_[pass].radix);
    }

    /// A pass on blocks that begin there; returns where its results' blocks do.
    std::vector<Index> add_pass(int radix, Index count, const std::vector<Index>& base) {
        TurnedPass<T>& pass = passes_.emplace_back();
        pass.radix = radix;
        pass.count = count;
        pass.backward = this->sign_ > 0;
        pass.base = base;
        pass.line_room = columns_.line_room;
        std::vector<Index> results;
        results.reserve(base.size() * static_cast<std::size_t>(radix));
        for (Index k = 0; k < radix; ++k) {
            for (const Index block : base) results.push_back(block + k * count);
        }
        return results;
    }

    void fill_tables(int first) {
        Index elements = first;
        for (const TurnedPass<T>& pass : passes_) {
            elements += static_cast<Index>(pass.base.size()) * (pass.radix - 1);
        }
        tables_ = Tile<T>(this->kernels_, elements);
        T* table = tables_.data();
        const Index lanes = this->kernels_.lanes;
        columns_.twiddles = table;
        // In single precision, two columns take turns. (Backward, parts are
        // exchanged.)
        put(first / 4, first, table,
            [&](Index lane) { return lanes == 4 ? line(lane) : lane / 2; });
        for (TurnedPass<T>& pass : passes_) {
            pass.twiddles = table;
            const Index frequencies = static_cast<Index>(pass.base.size()) * lanes;
            for (Index k = 0; k < frequencies; k += lanes)
                put_butterfly(pass, k, frequencies, table);
        }
    }
    /// The twiddles of a butterfly for adjacent frequencies from `first` on (see TurnedDft). Those
    /// of a backward transform are forward ones of opposite frequencies.
    void put_butterfly(const TurnedPass<T>& pass, Index first, Index frequencies, T*& table) const {
        const auto shifted = [&](Index shift) {
            return [this, &pass, first, shift](Index lane) {
                const Index k = first + line(lane);
                return (pass.backward ? -k : k) + shift;
            };
        };
        const Index length = frequencies * pass.radix;
        if (pass.radix != 16) {
            put(pass.radix, length, table, shifted(0));
            return;
        }
        put(4, length / 4, table, shifted(0));
        for (Index k = 0; k < 4; ++k) put(4, length, table, shifted(k * frequencies));
    }
    /// exp(-2 pi i j k/length) for 0 < j < radix, k = frequency(lane), to `table`, which moves on.
    template <class Frequency>
    void put(int radix, Index length, T*& table, const Frequency& frequency) const {
        const Index lanes = this->kernels_.lanes;
        for (Index j = 1; j < radix; ++j, table += 2 * lanes) {
            for (Index lane = 0; lane < lanes; ++lane) {
                const Index turns = j * frequency(lane) % length;
                Turn w = turn(turns < 0 ? turns + length : turns, length);
                if (radix == 4 && j > 1) w = sheared(w);
                table[lane] = static_cast<T>(w.cos);
                table[lanes + lane] = static_cast<T>(w.sin);
            }
        }
    }
    /// The cosine and the tangent; for the one angle that has none, of a cosine
    /// that is too small to matter.
    static Turn sheared(const Turn& w) {
        const auto none = std::numeric_limits<T>::epsilon() / 64;
        const auto cos = std::abs(w.cos) < none ? none : w.cos;
        return {cos, w.sin / cos};
    }
    [[nodiscard]] Index line(Index lane) const {
        return this->kernels_.order[static_cast<std::size_t>(lane)];
    }
    std::size_t first_;
    Vectors vectors_;
    Index in_vector_;     ///< lines that share a vector in the first step
    Index together_ = 1;  ///< lines that are worked on together
    ColumnsPass<T> columns_;
    std::vector<TurnedPass<T>> passes_;
    Tile<T> tables_;
    Tile<T> tiles_;
    Tile<T> rest_;  ///< of adjacent lanes those that fill no vector
};

}  // namespace

template <class T>
std::unique_ptr<Lines<T>> make_turned_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c || task.to_step != 1) return nullptr;
    const bool from_lanes = task.from_step != 1;
    if (from_lanes) {
        const Loop lanes = lane_loop(task, kernels.lanes);
        if (lanes.from != 1 || lanes.extent < kernels.lanes / 2) return nullptr;
    }
    // Lines that are far away come and go by the loads and stores of ContiguousLines, which ask for
    // a little memory with each butterfly: 64x64x64 on two ranks takes two thirds of the time so.
    if (task.caches.far_from || task.caches.far_to || task.caches.stream) return nullptr;
    // Tiles stay in the nearest cache; those of longer lines would pass through it several times.
    constexpr Index most_bytes = Index{1} << 16;
    if (task.line.length * 2 * static_cast<Index>(sizeof(T)) > most_bytes) return nullptr;
    const Cut cut = best_cut(kernels, task.line.length, from_lanes);
    if (cut.first == 0) return nullptr;
    return std::make_unique<TurnedLines<T>>(task, kernels, cut);
}

template std::unique_ptr<Lines<float>> make_turned_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_turned_lines(const FftTask&, const Kernels<double>&);

}  // namespace weft::core::native
