#include "fft/native/real_dft.hpp"

#include <algorithm>
#include <vector>

#include "fft/native/numbers.hpp"

namespace weft::core::native {

namespace {

/// exp(sign 2 pi i k/n) scale for 0 <= k <= n/4, as cos and sin; sign 1 or -1.
template <class T>
std::vector<T> quarter_turn(Index n, int sign, long double scale) {
    std::vector<T> result;
    result.reserve(static_cast<std::size_t>(n / 2 + 2));
    for (Index k = 0; k <= n / 4; ++k) {
        const Turn w = turn(k, n);
        result.push_back(static_cast<T>(scale * w.cos));
        result.push_back(static_cast<T>(scale * sign * w.sin));
    }
    return result;
}

/// r2c of even length.
template <class T>
class EvenRealDft : public RealDft<T> {
  public:
    EvenRealDft(const Kernels<T>& kernels, Index n)
        : kernels_(kernels),
          half_(n / 2),
          roots_(quarter_turn<T>(n, 1, 0.5L)),
          dft_(make_tile_dft(kernels, half_)),
          pairs_(kernels, dft_->rows().room()),
          spectrum_(kernels, half_ + 1) {}

    [[nodiscard]] T* reals() const override { return pairs_.data(); }
    [[nodiscard]] Rows pairs() const override { return dft_->rows(); }
    [[nodiscard]] T* spectrum() const override { return spectrum_.data(); }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return nullptr; }

    void run() override {
        dft_->run(pairs_.data(), spectrum_.data(), 1);
        kernels_.split(spectrum_.data(), half_, roots_.data());
    }

  private:
    const Kernels<T>& kernels_;
    Index half_;
    std::vector<T> roots_;
    std::unique_ptr<MixedRadix<T>> dft_;
    Tile<T> pairs_;
    Tile<T> spectrum_;
};

/// c2r of even length.
template <class T>
class InverseEvenRealDft : public RealDft<T> {
  public:
    InverseEvenRealDft(const Kernels<T>& kernels, Index n)
        : kernels_(kernels),
          half_(n / 2),
          roots_(quarter_turn<T>(n, -1, 1)),
          dft_(make_tile_dft(kernels, half_)),
          spectrum_(kernels, half_ + 1),
          joined_(kernels, dft_->rows().room()),
          pairs_(kernels, half_) {
        // The backward transform is the forward one of Z[(h-k) mod h].
        position_.reserve(static_cast<std::size_t>(half_));
        for (Index k = 0; k < half_; ++k) {
            position_.push_back(dft_->rows().position((half_ - k) % half_));
        }
    }

    [[nodiscard]] T* reals() const override { return pairs_.data(); }
    [[nodiscard]] Rows pairs() const override { return {1, half_, half_}; }
    [[nodiscard]] T* spectrum() const override { return spectrum_.data(); }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return nullptr; }

    void run() override {
        kernels_.join(spectrum_.data(), half_, roots_.data(), position_.data(), joined_.data());
        dft_->run(joined_.data(), pairs_.data(), 1);
    }

  private:
    const Kernels<T>& kernels_;
    Index half_;
    std::vector<T> roots_;
    std::unique_ptr<MixedRadix<T>> dft_;
    Tile<T> spectrum_;
    Tile<T> joined_;
    Tile<T> pairs_;
    std::vector<Index> position_;
};

/// The same lanes from so many numbers further, with another step between elements.
template <class T>
Lanes<T> lanes_at(const Lanes<T>& lanes, Index numbers, Index step) {
    return {lanes.data + numbers, step, lanes.lane_step, lanes.lanes, lanes.stream, lanes.ahead};
}

/// body(first, runs): all pairs of a range as runs, the first pair of each call at `first`.
template <class Body>
void for_runs(const Rows& rows, Range pairs, Index step, const Body& body) {
    for (Index first = pairs.first; first < pairs.end;) {
        const Index left = pairs.end - first;
        const Index within = first % rows.length;
        Runs runs = {1, std::min(rows.length - within, left), 0, 0, 1};
        if (within == 0 && left >= rows.length) {
            runs = {left / rows.length, rows.length, rows.stride, rows.length * step, 1};
        }
        body(first, runs);
        first += runs.count * runs.length;
    }
}

/// pairs(first, runs) and single(element): what a range of real elements consists of. One that
/// begins with an odd element or ends with an even one has a single one there.
template <class Pairs, class Single>
void for_pairs(const Rows& rows, Range some, Index step, const Pairs& pairs, const Single& single) {
    if (some.first >= some.end) return;
    if (some.first % 2 == 1) single(some.first);
    for_runs(rows, {(some.first + 1) / 2, some.end / 2}, step, pairs);
    if (some.end % 2 == 1 && some.end - 1 >= some.first) single(some.end - 1);
}

}  // namespace

template <class T>
void RealTile<T>::read_reals(const Lanes<const T>& from, Range some) const {
    const Rows rows = dft_->pairs();
    const Index step = 2 * from.step;
    const auto part = [&](Index j) {
        return dft_->reals() + (2 * rows.position(j / 2) + j % 2) * kernels_.lanes;
    };
    const auto pairs = [&](Index first, const Runs& runs) {
        const Index numbers = (2 * first - some.first) * from.step;
        // Contiguous pairs are complex numbers.
        if (from.step == 1) {
            kernels_.read(lanes_at(from, numbers, step), runs, part(2 * first));
            return;
        }
        kernels_.read_real(lanes_at(from, numbers, step), runs, part(2 * first));
        kernels_.read_real(lanes_at(from, numbers + from.step, step), runs, part(2 * first + 1));
    };
    for_pairs(rows, some, step, pairs, [&](Index j) {
        kernels_.read_real(lanes_at(from, (j - some.first) * from.step, from.step), one_run(1),
                           part(j));
    });
}

template <class T>
void RealTile<T>::write_reals(const Lanes<T>& to, Range some) const {
    const Rows rows = dft_->pairs();
    const Index step = 2 * to.step;
    const auto part = [&](Index j) {
        return dft_->reals() + (2 * rows.position(j / 2) + j % 2) * kernels_.lanes;
    };
    const auto pairs = [&](Index first, const Runs& runs) {
        const Index numbers = (2 * first - some.first) * to.step;
        if (to.step == 1) {
            kernels_.write(part(2 * first), runs, lanes_at(to, numbers, step));
            return;
        }
        kernels_.write_real(part(2 * first), runs, lanes_at(to, numbers, step));
        kernels_.write_real(part(2 * first + 1), runs, lanes_at(to, numbers + to.step, step));
    };
    for_pairs(rows, some, step, pairs, [&](Index j) {
        kernels_.write_real(part(j), one_run(1), lanes_at(to, (j - some.first) * to.step, to.step));
    });
}

template <class T>
void RealTile<T>::read_spectrum(const Lanes<const T>& from, Range some) const {
    const Index count = some.end - some.first;
    const SpectrumPlace<T>* places = dft_->places();
    if (places != nullptr) {
        kernels_.read_spectrum(from, count, places + some.first, dft_->spectrum());
    } else {
        kernels_.read(from, one_run(count), dft_->spectrum() + some.first * 2 * kernels_.lanes);
    }
}

template <class T>
void RealTile<T>::write_spectrum(const Lanes<T>& to, Range some) const {
    const Index count = some.end - some.first;
    const SpectrumPlace<T>* places = dft_->places();
    if (places != nullptr) {
        kernels_.write_spectrum(dft_->spectrum(), places + some.first, count, to);
    } else {
        kernels_.write(dft_->spectrum() + some.first * 2 * kernels_.lanes, one_run(count), to);
    }
}

template <class T>
std::unique_ptr<RealDft<T>> make_real_dft(const Kernels<T>& kernels, Index n, Kind kind) {
    if (n % 2 == 1) return make_odd_real_dft(kernels, n, kind);
    if (kind == Kind::r2c) return std::make_unique<EvenRealDft<T>>(kernels, n);
    return std::make_unique<InverseEvenRealDft<T>>(kernels, n);
}

template class RealTile<float>;
template class RealTile<double>;
template std::unique_ptr<RealDft<float>> make_real_dft(const Kernels<float>&, Index, Kind);
template std::unique_ptr<RealDft<double>> make_real_dft(const Kernels<double>&, Index, Kind);

}  // namespace weft::core::native
