// Real-to-real transforms of types II, III and IV and even length, by a complex DFT of half of it.
#include <vector>

#include "fft/native/real_to_real/dft.hpp"
#include "fft/native/real_to_real/tables.hpp"
#include "fft/reduction.hpp"

namespace weft::core::native {

namespace {

/// The line backwards.
template <class U>
RealArray<U> backwards(RealArray<U> array, Index n) {
    array.data += (n - 1) * array.step;
    array.step = -array.step;
    return array;
}

/// dct2 and dst2 of even n.
template <class T>
class EvenTwo : public ByComplexDft<T> {
    using Base = ByComplexDft<T>;
    using Base::dft_;
    using Base::kernels_;
    using Base::length_;
    using Base::source;
    using Base::target;

  public:
    EvenTwo(const Kernels<T>& kernels, AxisKind kind, Index n, Index tiles)
        : Base(kernels, n / 2, tiles), sine_(kind == AxisKind::dst2), turns_(halves_turns<T>(n)) {
        const Rows rows = dft_.rows();
        const auto number = [&](Index i) { return number_at(rows, i, kernels.lanes); };
        places_ = places_before<T>(reduction_of(kind, n, Precision::f64), number);
    }

    void read(const RealArray<const T>& from, Index tiles) override {
        kernels_.scatter(from, places_.data(), 2 * length_, source(tiles));
    }
    bool read_lines(const Lanes<const T>& from, Index tiles) override {
        kernels_.scatter_lines(from, places_.data(), 2 * length_, source(tiles));
        return true;
    }
    void write(const RealArray<T>& to, Index tiles) override {
        kernels_.part_halves(target(tiles), length_, turns_.data(),
                             sine_ ? backwards(to, 2 * length_) : to);
    }
    bool write_lines(const Lanes<T>& to, Index tiles) override {
        return kernels_.part_halves_to_lines(target(tiles), length_, turns_.data(), sine_, to);
    }

    [[nodiscard]] T* idle_after() const override { return this->source_.data(); }

  private:
    bool sine_;
    std::vector<HalvesTurn<T>> turns_;
    std::vector<RealPlace<T>> places_{};
};

/// dct3 and dst3 of even n.
template <class T>
class EvenThree : public ByComplexDft<T> {
    using Base = ByComplexDft<T>;
    using Base::dft_;
    using Base::kernels_;
    using Base::length_;
    using Base::source;
    using Base::target;

  public:
    EvenThree(const Kernels<T>& kernels, AxisKind kind, Index n, Index tiles)
        : Base(kernels, n / 2, tiles), sine_(kind == AxisKind::dst3), turns_(halves_turns<T>(n)) {
        // The backward transform is the forward one of Z[(h-k) mod h].
        for (Index k = 0; 2 * k <= length_; ++k) {
            HalvesTurn<T>& turn = turns_[static_cast<std::size_t>(k)];
            turn.position = dft_.rows().position((length_ - k) % length_);
            turn.opposite_position = dft_.rows().position(k);
        }
        const Rows pairs = {1, length_, length_};
        const auto number = [&](Index i) { return number_at(pairs, i, kernels.lanes); };
        places_ = places_after<T>(reduction_of(kind, n, Precision::f64), number);
    }

    void read(const RealArray<const T>& from, Index tiles) override {
        kernels_.join_halves(sine_ ? backwards(from, 2 * length_) : from, length_, turns_.data(),
                             source(tiles));
    }
    void write(const RealArray<T>& to, Index tiles) override {
        kernels_.gather(target(tiles), places_.data(), 2 * length_, to);
    }
    bool write_lines(const Lanes<T>& to, Index tiles) override {
        kernels_.gather_lines(target(tiles), places_.data(), 2 * length_, to);
        return true;
    }

    [[nodiscard]] T* idle_before() const override { return this->target_.data(); }

  private:
    bool sine_;
    std::vector<HalvesTurn<T>> turns_;
    std::vector<RealPlace<T>> places_{};
};

/// dct4 and dst4 of even n.
template <class T>
class EvenFour : public ByComplexDft<T> {
    using Base = ByComplexDft<T>;
    using Base::dft_;
    using Base::kernels_;
    using Base::length_;
    using Base::source;
    using Base::target;

  public:
    EvenFour(const Kernels<T>& kernels, AxisKind kind, Index n, Index tiles)
        : Base(kernels, n / 2, tiles),
          sine_(kind == AxisKind::dst4),
          turns_(opposites_turns<T>(n)) {
        for (Index j = 0; j < length_; ++j) {
            turns_[static_cast<std::size_t>(j)].position = dft_.rows().position(j);
        }
    }

    void read(const RealArray<const T>& from, Index tiles) override {
        kernels_.join_opposites(from, length_, turns_.data(), sine_, source(tiles));
    }
    bool read_lines(const Lanes<const T>& from, Index tiles) override {
        return kernels_.join_opposites_of_lines(from, length_, turns_.data(), sine_, source(tiles));
    }
    void write(const RealArray<T>& to, Index tiles) override {
        kernels_.part_opposites(target(tiles), length_, turns_.data(), sine_, to);
    }
    bool write_lines(const Lanes<T>& to, Index tiles) override {
        kernels_.part_opposites_to_lines(target(tiles), length_, turns_.data(), sine_, to);
        return true;
    }
    [[nodiscard]] T* idle_before() const override { return this->target_.data(); }
    [[nodiscard]] T* idle_after() const override { return this->source_.data(); }

  private:
    bool sine_;
    std::vector<OppositesTurn<T>> turns_;
};

}  // namespace

template <class T>
std::unique_ptr<RealToReal<T>> make_even_real_to_real(const Kernels<T>& kernels, AxisKind kind,
                                                      Index n, Index tiles) {
    if (kind == AxisKind::dct2 || kind == AxisKind::dst2) {
        return std::make_unique<EvenTwo<T>>(kernels, kind, n, tiles);
    }
    if (kind == AxisKind::dct3 || kind == AxisKind::dst3) {
        return std::make_unique<EvenThree<T>>(kernels, kind, n, tiles);
    }
    return std::make_unique<EvenFour<T>>(kernels, kind, n, tiles);
}

template std::unique_ptr<RealToReal<float>> make_even_real_to_real(const Kernels<float>&, AxisKind,
                                                                   Index, Index);
template std::unique_ptr<RealToReal<double>> make_even_real_to_real(const Kernels<double>&,
                                                                    AxisKind, Index, Index);

}  // namespace weft::core::native
