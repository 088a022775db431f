#include "fft/native/real/dft.hpp"

#include <vector>

#include "fft/native/numbers.hpp"
#include "fft/native/real/pair_dft.hpp"

namespace weft::core::native {

namespace {

/// exp(sign 2 pi i k/n) scale for 0 <= k <= n/2, as cos and sin; sign 1 or -1.
template <class T>
std::vector<T> half_turn(Index n, int sign, long double scale) {
    std::vector<T> result;
    result.reserve(static_cast<std::size_t>(n + 2));
    for (Index k = 0; k <= n / 2; ++k) {
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
    EvenRealDft(const Kernels<T>& kernels, Index n, Index tiles)
        : joints_{n / 2, half_turn<T>(n, 1, 0.5L), {}},
          dft_(kernels, n / 2, tiles),
          pairs_(kernels, tiles * dft_.rows().room()),
          transformed_(kernels, tiles * (n / 2)) {}

    [[nodiscard]] T* reals() const override { return pairs_.data(); }
    [[nodiscard]] Rows pairs() const override { return dft_.rows(); }
    [[nodiscard]] T* spectrum() const override { return transformed_.data(); }
    [[nodiscard]] Index spectrum_room() const override { return joints_.half; }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return nullptr; }
    [[nodiscard]] const Joints<T>* joints() const override { return &joints_; }

    void run(Index tiles) override {
        dft_.run(pairs_.data(), transformed_.data(), tiles, joints_.half);
    }

  private:
    Joints<T> joints_;
    PairDft<T> dft_;
    Tile<T> pairs_;
    Tile<T> transformed_;
};

/// c2r of even length.
template <class T>
class InverseEvenRealDft : public RealDft<T> {
  public:
    InverseEvenRealDft(const Kernels<T>& kernels, Index n, Index tiles)
        : joints_{n / 2, half_turn<T>(n, -1, 1), {}},
          dft_(kernels, n / 2, tiles),
          joined_(kernels, tiles * dft_.rows().room()),
          pairs_(kernels, tiles * (n / 2)) {
        // The backward transform is the forward one of Z[(h-k) mod h].
        const Index half = n / 2;
        joints_.position.reserve(static_cast<std::size_t>(half));
        for (Index k = 0; k < half; ++k) {
            joints_.position.push_back(dft_.rows().position((half - k) % half));
        }
    }

    [[nodiscard]] T* reals() const override { return pairs_.data(); }
    [[nodiscard]] Rows pairs() const override { return {1, joints_.half, joints_.half}; }
    [[nodiscard]] T* spectrum() const override { return joined_.data(); }
    [[nodiscard]] Index spectrum_room() const override { return dft_.rows().room(); }
    [[nodiscard]] const SpectrumPlace<T>* places() const override { return nullptr; }
    [[nodiscard]] const Joints<T>* joints() const override { return &joints_; }

    void run(Index tiles) override { dft_.run(joined_.data(), pairs_.data(), tiles, joints_.half); }

  private:
    Joints<T> joints_;
    PairDft<T> dft_;
    Tile<T> joined_;
    Tile<T> pairs_;
};

}  // namespace

template <class T>
std::unique_ptr<RealDft<T>> make_real_dft(const Kernels<T>& kernels, Index n, Kind kind,
                                          Index tiles) {
    if (n % 2 == 1) return make_odd_real_dft(kernels, n, kind, tiles);
    if (kind == Kind::r2c) return std::make_unique<EvenRealDft<T>>(kernels, n, tiles);
    return std::make_unique<InverseEvenRealDft<T>>(kernels, n, tiles);
}

template std::unique_ptr<RealDft<float>> make_real_dft(const Kernels<float>&, Index, Kind, Index);
template std::unique_ptr<RealDft<double>> make_real_dft(const Kernels<double>&, Index, Kind, Index);

}  // namespace weft::core::native
