// Forward DFTs of all lines of a tile, for one length: by mixed radix, or by a convolution.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "fft/native/kernels.hpp"
#include "memory/buffer.hpp"

namespace weft::core::native {

/// Tile elements in aligned memory.
template <class T>
class Tile {
  public:
    Tile() = default;
    Tile(const Kernels<T>& kernels, Index elements)
        : buffer_(elements * 2 * kernels.lanes * static_cast<Index>(sizeof(T))) {}
    [[nodiscard]] T* data() const { return reinterpret_cast<T*>(buffer_.data()); }

  private:
    Buffer buffer_;
};

/// Adjacent elements of a tile, one run.
inline Runs one_run(Index length) { return {1, length, 0, 0, 1}; }

/// X[k] = sum_j x[j] exp(-2 pi i jk/n) of every lane. Running allocates nothing, and one instance
/// serves one thread at a time.
template <class T>
class TileDft {
  public:
    TileDft() = default;
    TileDft(const TileDft&) = delete;
    TileDft& operator=(const TileDft&) = delete;
    virtual ~TileDft() = default;

    [[nodiscard]] virtual Rows rows() const = 0;
    /// Element j is read at rows().position(j), result k put at k*step. The input is overwritten.
    virtual void run(T* tile, T* to, Index step) = 0;
};

/// Those of an instruction set's butterflies, ascending.
using Radices = std::vector<int>;

/// n as a product of radices, `rest` being a factor that a convolution is used for (or 1).
struct Factors {
    std::vector<int> radices;
    Index rest = 1;
    double cost = 0;  ///< cycles of each tile element, roughly
};

/// Operations of a butterfly, for each of its elements.
double butterfly_cost(int radix);
/// What is left of n without the factors that are radices.
Index rough_part(const Radices& radices, Index n);
/// The cheapest way to n known, given the butterflies that there are.
Factors factorize(const Radices& radices, Index n);

/// Whether the last pass is a butterfly.
bool ends_with_butterfly(const Radices& radices, const Factors& factors);

/// The radix up to `largest` for which cost(radix) is least, the first of those; 0 if all are
/// infinite.
template <class Cost>
int cheapest_radix(Index largest, const Cost& cost) {
    int best = 0;
    double least = HUGE_VAL;
    for (int radix = 2; radix <= largest; ++radix) {
        const double one = cost(radix);
        if (one >= least) continue;
        best = radix;
        least = one;
    }
    return best;
}

/// n by passes of the given radices. Of several lines, all in one tile, line l begins at
/// l*rows().room(), and its result k is put where result l + lines*k of one line would be; `run`,
/// `begin_in_tile` and `end_in_tile` are for any number of lines, the others for one.
template <class T>
class MixedRadix : public TileDft<T> {
  public:
    MixedRadix(const Kernels<T>& kernels, const Factors& factors, Index lines = 1);

    [[nodiscard]] Rows rows() const override { return rows_; }
    void run(T* tile, T* to, Index step) override;

    /// Whether the whole transform is one pass, from array to array; `begin` is then all of it,
    /// from array to tile, and `end`, from tile to array.
    [[nodiscard]] bool single() const { return single_; }
    void run_single(const Line<T>& from, T* to, Index to_step) const;
    /// The passes up to the last, where there are several and the first has butterflies: the first
    /// one from adjacent lanes of an array or on what the tile has been filled with. Its
    /// butterflies can be done in portions, `begin_some` for each, as the tile is filled: butterfly
    /// c takes element c of each row. Then `begin_rest`.
    void begin(const Line<T>& from, T* tile);
    [[nodiscard]] bool begins() const { return begins_; }
    void begin_some(Range butterflies, T* tile);
    void begin_rest(T* tile) { begin_rest(tile, 1); }
    /// The passes up to the last, whatever they are, on what the tile has been filled with.
    void begin_in_tile(T* tile) { begin_rest(tile, 0); }
    /// The last pass, where it has butterflies: to adjacent lanes of an array; or to another tile
    /// for some of its blocks: result k of block b, which is element b + blocks*k of the line, at
    /// (b - first)*block_step + k*result_step.
    void end(const T* tile, T* to, Index to_step) const { end(tile, to, to_step, kernels_.lanes); }
    /// The last pass to adjacent lanes, where lanes 0 to L/2-1 of result k go to `to + k*to_step`
    /// and lanes L/2 to L-1 to `half_step` numbers after that.
    void end(const T* tile, T* to, Index to_step, Index half_step) const;
    [[nodiscard]] bool ends() const { return ends_; }
    /// Like `begin` and `end`, where the lanes of element j are at from[j], of result k at to[k].
    /// Asks meanwhile for what is at next[j] and results[k], unless these are null.
    void begin_gathered(const Places<const T>& from, const Places<const T>& next,
                        const Places<T>& results, const TileRow<T>& tiles);
    void end_scattered(const TileRow<const T>& tiles, const Places<T>& to, bool stream) const;
    /// The last pass, result k to the lanes at to[k]; results without a place are dropped.
    void end_kept(const TileRow<const T>& tiles, const Places<T>& to, bool stream) const;
    /// The last pass, with stores past the caches, where kernels can shift.
    void end_shifted(const TileRow<const T>& tiles, const ShiftedResults<T>& results) const;
    [[nodiscard]] Index last_blocks() const { return passes_.back().blocks; }
    [[nodiscard]] Index last_radix() const { return passes_.back().radix; }
    void end_some(Range blocks, const T* tile, T* to, Index block_step, Index result_step);
    /// The last pass to another tile.
    void end_in_tile(T* tile, T* to, Index step);

  private:
    /// The passes from `first` up to the last.
    void begin_rest(T* tile, std::size_t first);
    void middle(std::size_t pass, Range butterflies, T* tile);
    [[nodiscard]] bool has_butterfly(int radix) const;

    const Kernels<T>& kernels_;
    Rows rows_;
    std::vector<Pass<T>> passes_;
    bool single_ = false;
    bool begins_ = false;
    bool ends_ = false;
    std::unique_ptr<TileDft<T>> rest_;  ///< in place of the last pass
    std::vector<Index> rest_base_;
    Tile<T> work_;  ///< of passes without a butterfly
};

/// The transform for n: mixed radix where n is a product of small primes, by Rader or Bluestein
/// otherwise.
template <class T>
std::unique_ptr<MixedRadix<T>> make_tile_dft(const Kernels<T>& kernels, Index n, Index lines = 1);

/// n by a convolution: Rader's algorithm or Bluestein's, whichever is cheaper.
template <class T>
std::unique_ptr<TileDft<T>> make_convolution(const Kernels<T>& kernels, Index n);
/// Cycles of each tile element, roughly.
double convolution_cost(const Radices& radices, Index n);
/// The length of a padded convolution: the cheapest among those not much longer than needed.
Index smooth_length(const Radices& radices, Index shortest);
/// Cycles of each tile element, roughly, of a prime without a butterfly that is computed by its
/// formula.
double prime_cost(Index p);

}  // namespace weft::core::native
