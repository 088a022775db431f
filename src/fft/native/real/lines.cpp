// Real lines, or their spectra, of callers' arrays, tile by tile.
#include "fft/native/lines.hpp"

#include "fft/native/real/dft.hpp"

namespace weft::core::native {

namespace {

template <class T>
class RealToComplex : public Lines<T> {
  public:
    RealToComplex(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          tile_(kernels, task.line.length, Kind::r2c, this->lane_.from == 1) {}

  protected:
    [[nodiscard]] Index tile_lines() const override { return tile_.lines(); }

    void tile(const T* from, T* to, Index count) override {
        tile_.read_reals(this->source(from, count), {0, this->n_});
        tile_.run(count);
        tile_.write_spectrum(this->target(to, count), {0, this->n_ / 2 + 1});
    }

  private:
    RealTile<T> tile_;
};

template <class T>
class ComplexToReal : public Lines<T> {
  public:
    ComplexToReal(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          tile_(kernels, task.line.length, Kind::c2r, this->lane_.to == 1) {
        this->stream_ = this->stream_ && this->line_.to == 1;
        if (this->stream_) lines_ = Tile<T>(kernels, tile_.lines() / kernels.lanes * this->n_);
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return tile_.lines(); }

    void tile(const T* from, T* to, Index count) override {
        tile_.read_spectrum(this->source(from, count), {0, this->n_ / 2 + 1});
        tile_.run(count);
        if (!this->stream_) {
            tile_.write_reals({to, this->line_.to, this->lane_.to, count}, {0, this->n_});
            return;
        }
        tile_.write_reals({lines_.data(), 1, this->n_, count}, {0, this->n_});
        this->stream_lines(lines_.data(), this->n_, to, count);
    }

  private:
    RealTile<T> tile_;
    Tile<T> lines_;  ///< of results that go past the caches a line at a time
};

}  // namespace

template <class T>
std::unique_ptr<Lines<T>> make_real_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (auto lines = make_long_real_lines<T>(task, kernels)) return lines;
    if (task.line.kind == Kind::r2c) return std::make_unique<RealToComplex<T>>(task, kernels);
    return std::make_unique<ComplexToReal<T>>(task, kernels);
}

template std::unique_ptr<Lines<float>> make_real_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_real_lines(const FftTask&, const Kernels<double>&);

}  // namespace weft::core::native
