// Mixed radix, decimated in frequency: n = r_1 r_2 ... r_m. Pass p works on r_1 ... r_{p-1} blocks
// of r_p ... r_m elements in place; block (k_1, ..., k_{p-1}) then holds the frequencies that are
// k_1 + r_1 k_2 + ... + r_1...r_{p-2} k_{p-1} modulo r_1...r_{p-1}, so the last pass knows where
// its results belong and puts them there: no reordering pass.
#include <algorithm>

#include "fft/native/tables/numbers.hpp"
#include "fft/native/tables/tile_dft.hpp"

namespace weft::core::native {

namespace {

template <class T>
std::vector<T> twiddles(int radix, Index count, bool with_roots) {
    std::vector<T> table;
    table.reserve(static_cast<std::size_t>(2 * count * radix + 2 * radix));
    for (Index c = 0; c < count; ++c) {
        for (Index k = 1; k < radix; ++k) append(table, turn(c * k, radix * count));
    }
    if (with_roots) {
        for (Index j = 0; j < radix; ++j) append(table, turn(j, radix));
    }
    return table;
}

/// Rows of an even number of elements are a power of two of bytes apart now and then, and would all
/// meet in the same few sets of a cache.
Index row_stride(Index length) { return length % 2 == 0 ? length + 1 : length; }

/// base[b] at place[b], a permutation.
std::vector<Index> sorted_by(const std::vector<Index>& place, const std::vector<Index>& base) {
    std::vector<Index> result(base.size());
    for (std::size_t b = 0; b < base.size(); ++b) {
        result[static_cast<std::size_t>(place[b])] = base[b];
    }
    return result;
}

}  // namespace

template <class T>
bool MixedRadix<T>::has_butterfly(int radix) const {
    return radix <= largest_radix && kernels_.middle[static_cast<std::size_t>(radix)] != nullptr;
}

template <class T>
MixedRadix<T>::MixedRadix(const Kernels<T>& kernels, const Factors& factors, Index lines)
    : kernels_(kernels) {
    Index length = factors.rest;
    for (const int radix : factors.radices) length *= radix;
    const Index passes = static_cast<Index>(factors.radices.size()) + (factors.rest > 1 ? 1 : 0);
    rows_ = {1, length, length};
    if (passes > 1) {
        const Index first = factors.radices.front();
        rows_ = {first, length / first, row_stride(length / first)};
    }

    // Of the blocks before each pass, where they start and which frequency they hold first.
    std::vector<Index> base;
    std::vector<Index> out;
    base.reserve(static_cast<std::size_t>(lines));
    out.reserve(static_cast<std::size_t>(lines));
    for (Index line = 0; line < lines; ++line) {
        base.push_back(line * rows_.room());
        out.push_back(line);
    }
    Index blocks = lines;
    int widest = 0;
    for (const int radix : factors.radices) {
        Pass<T>& pass = passes_.emplace_back();
        length /= radix;
        pass.radix = radix;
        pass.blocks = blocks;
        pass.count = length;
        pass.stride = blocks == lines && passes > 1 ? rows_.stride : length;
        pass.base = sorted_by(out, base);
        pass.twiddles = twiddles<T>(radix, length, !has_butterfly(radix));
        if (!has_butterfly(radix)) widest = std::max(widest, radix);
        std::vector<Index> next_base;
        std::vector<Index> next_out;
        next_base.reserve(base.size() * static_cast<std::size_t>(radix));
        next_out.reserve(base.size() * static_cast<std::size_t>(radix));
        for (std::size_t b = 0; b < base.size(); ++b) {
            for (Index k = 0; k < radix; ++k) {
                next_base.push_back(base[b] + k * pass.stride);
                next_out.push_back(out[b] + k * blocks);
            }
        }
        base.swap(next_base);
        out.swap(next_out);
        blocks *= radix;
    }
    if (factors.rest > 1) {
        rest_ = make_convolution(kernels, factors.rest);
        rest_base_ = sorted_by(out, base);
    }
    if (widest > 0) work_ = Tile<T>(kernels, 4 * widest);
    single_ = passes == 1 && !passes_.empty() && has_butterfly(passes_.front().radix);
    begins_ = passes > 1 && has_butterfly(passes_.front().radix);
    ends_ = ends_with_butterfly(kernels.radices, factors);
}

template <class T>
void MixedRadix<T>::run(T* tile, T* to, Index step) {
    begin_in_tile(tile);
    end_in_tile(tile, to, step);
}

template <class T>
void MixedRadix<T>::run_single(const Line<T>& from, T* to, Index to_step) const {
    kernels_.single[static_cast<std::size_t>(passes_.front().radix)](from, to, to_step);
}

template <class T>
void MixedRadix<T>::begin(const Line<T>& from, T* tile) {
    const Pass<T>& pass = passes_.front();
    kernels_.first[static_cast<std::size_t>(pass.radix)](pass, from, tile);
    begin_rest(tile);
}

template <class T>
void MixedRadix<T>::begin_gathered(const Places<const T>& from, const Places<const T>& next,
                                   const Places<T>& results, const TileRow<T>& tiles) {
    const Pass<T>& pass = passes_.front();
    kernels_.first_gathered[static_cast<std::size_t>(pass.radix)](pass, from, next, results, tiles);
    for (Index t = 0; t < tiles.count; ++t) begin_rest(tiles.first + t * tiles.step);
}

template <class T>
void MixedRadix<T>::end_scattered(const TileRow<const T>& tiles, const Places<T>& to,
                                  bool stream) const {
    const Pass<T>& pass = passes_.back();
    const auto& kernels = stream ? kernels_.last_streamed : kernels_.last_scattered;
    kernels[static_cast<std::size_t>(pass.radix)](pass, tiles, to);
}

template <class T>
void MixedRadix<T>::end_kept(const TileRow<const T>& tiles, const Places<T>& to,
                             bool stream) const {
    const Pass<T>& pass = passes_.back();
    kernels_.last_kept[static_cast<std::size_t>(pass.radix)](pass, tiles, to, stream);
}

template <class T>
void MixedRadix<T>::end_shifted(const TileRow<const T>& tiles,
                                const ShiftedResults<T>& results) const {
    const Pass<T>& pass = passes_.back();
    kernels_.last_shifted[static_cast<std::size_t>(pass.radix)](pass, tiles, results);
}

template <class T>
void MixedRadix<T>::begin_some(Range butterflies, T* tile) {
    middle(0, butterflies, tile);
}

template <class T>
void MixedRadix<T>::begin_rest(T* tile, std::size_t first) {
    for (std::size_t p = first; p + (rest_ == nullptr ? 1 : 0) < passes_.size(); ++p) {
        middle(p, {0, passes_[p].count}, tile);
    }
}

template <class T>
void MixedRadix<T>::middle(std::size_t index, Range butterflies, T* tile) {
    const Pass<T>& pass = passes_[index];
    if (has_butterfly(pass.radix)) {
        kernels_.middle[static_cast<std::size_t>(pass.radix)](pass, butterflies, tile);
    } else {
        kernels_.middle_prime(pass, butterflies, tile, work_.data());
    }
}

template <class T>
void MixedRadix<T>::end(const T* tile, T* to, Index to_step, Index half_step) const {
    const Pass<T>& pass = passes_.back();
    kernels_.last[static_cast<std::size_t>(pass.radix)](pass, {0, pass.blocks}, tile, to, to_step,
                                                        pass.blocks * to_step, half_step);
}

template <class T>
void MixedRadix<T>::end_some(Range blocks, const T* tile, T* to, Index block_step,
                             Index result_step) {
    const Pass<T>& pass = passes_.back();
    if (has_butterfly(pass.radix)) {
        kernels_.last_in_tile[static_cast<std::size_t>(pass.radix)](pass, blocks, tile, to,
                                                                    block_step, result_step);
    } else {
        kernels_.last_prime(pass, blocks, tile, to, block_step, result_step, work_.data());
    }
}

template <class T>
void MixedRadix<T>::end_in_tile(T* tile, T* to, Index step) {
    const Index width = 2 * kernels_.lanes;
    if (rest_ != nullptr) {
        const auto blocks = static_cast<Index>(rest_base_.size());
        for (Index b = 0; b < blocks; ++b) {
            rest_->run(tile + rest_base_[static_cast<std::size_t>(b)] * width,
                       to + b * step * width, blocks * step);
        }
    } else if (passes_.empty()) {
        const Index zero = 0;
        kernels_.permute(tile, &zero, 1, to, &zero);
    } else {
        const Index blocks = last_blocks();
        end_some({0, blocks}, tile, to, step, blocks * step);
    }
}

template <class T>
std::unique_ptr<MixedRadix<T>> make_tile_dft(const Kernels<T>& kernels, Index n, Index lines) {
    return std::make_unique<MixedRadix<T>>(kernels, factorize(kernels.radices, n), lines);
}

template class MixedRadix<float>;
template class MixedRadix<double>;
template std::unique_ptr<MixedRadix<float>> make_tile_dft(const Kernels<float>&, Index, Index);
template std::unique_ptr<MixedRadix<double>> make_tile_dft(const Kernels<double>&, Index, Index);

}  // namespace weft::core::native
