// What an emulated cuFFT plan computes.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "fft/reference_line.hpp"
#include "testing/emulated/cufft/cufft_layout.hpp"

namespace weft::core::emulated {

class CufftTransform {
  public:
    explicit CufftTransform(const CufftLayout& layout);

    [[nodiscard]] const CufftLayout& layout() const { return layout_; }
    /// `layout`: this one's, or it padded. Allocates nothing unless elements of one end lie between
    /// those of the other.
    void run(const CufftLayout& layout, const std::byte* in, std::byte* out, std::byte* work,
             int direction);

  private:
    using Complex = ReferenceLine::Complex;
    template <class Real>
    struct Arrays {
        const Real* in;
        Real* out;
        Real* work;
    };

    template <class Real>
    void run_as(const CufftLayout& layout, const Arrays<Real>& arrays, int direction);
    template <class Real>
    void load(const CufftSide& side, Index b, const Real* in);
    template <class Real>
    void store(const CufftSide& side, Index b, Real* out);
    template <class Real>
    void pass_through(Real* work);
    /// Complex lines along an axis of values_.
    void transform(std::size_t axis, int direction);
    /// Rows of real elements, kept as complex ones in rows_, to values_ and back.
    void real_to_complex();
    void complex_to_real();
    ReferenceLine& line_of(std::size_t axis, int direction);

    CufftLayout layout_;
    std::mutex mutex_;             ///< of what follows
    std::vector<Complex> values_;  ///< of complex_extents()
    std::vector<Complex> reals_;   ///< of n, where one end is real
    std::array<std::vector<Complex>, 3> lines_;
    std::array<std::array<std::optional<ReferenceLine>, 2>, 3> transforms_;
};

}  // namespace weft::core::emulated
