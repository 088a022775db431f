// Real lines between whose elements those of a few others lie: fields of one array, in turn.
//
// As for complex lines (lines/field_lines.cpp), n elements of f fields are a row of n*f adjacent
// numbers, of a spectrum (n/2+1)*f, and rows are the lanes. They are read and written as contiguous
// lines are, and fall apart into f tiles of n elements.
//
// Example: c2r of 16 lines of 6 elements of 3 fields, vectors of 8 lanes: two tiles of 8 rows of 12
// complex numbers; each becomes 3 tiles of 6 real elements, and 8 rows of 18.
#include "base/index.hpp"
#include "fft/native/real/dft.hpp"
#include "fft/native/real/tile.hpp"
#include "fft/native/real_to_real/transform.hpp"

namespace weft::core::native {

namespace {

/// Lanes as contiguous complex numbers.
template <class T>
Lanes<T> as_complex(const Lanes<T>& rows) {
    return {rows.data, 2, rows.lane_step, rows.lanes, false, rows.ahead};
}

/// r2c and c2r.
template <class T>
class HalvedRows : public LineTile<T> {
  public:
    /// `line`: of each of the fields.
    HalvedRows(const Kernels<T>& kernels, const LineTransform& line, Index fields)
        : kernels_(kernels),
          fields_(fields),
          even_(line.length % 2 == 0),
          row_(line.length * fields),
          spectrum_row_((line.length / 2 + 1) * fields),
          dft_(make_real_dft(kernels, line.length, line.kind, fields)) {
        this->most_ = kernels.lanes;
        const auto for_row = [&](Index elements, Index numbers, const Tiles<T>& tiles, auto body) {
            for (Index e = 0; e < elements; ++e) {
                for (Index i = 0; i < fields; ++i) body(e, i * tiles.room / numbers);
            }
        };
        places_.reserve(usize(row_));
        for_row(line.length, kernels.lanes, dft_->reals(), [&](Index j, Index tile) {
            places_.push_back(tile + 2 * dft_->pairs().position(j / 2) + j % 2);
        });
        if (even_) {
            joints_ = make_joints(*dft_, line.length);
            spectrum_ = Tile<T>(kernels, spectrum_row_);
            return;
        }
        spectrum_places_.reserve(usize(spectrum_row_));
        for_row(line.length / 2 + 1, 2 * kernels.lanes, dft_->spectrum(), [&](Index k, Index tile) {
            const SpectrumPlace<T>& place = dft_->places()[usize(k)];
            spectrum_places_.push_back({tile + place.element, place.sign});
        });
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        if (dft_->forward()) {
            kernels_.real->read_row(as_complex(from), row_, places_.data(), dft_->reals().data);
            dft_->run(fields_);
            write_spectrum(as_complex(to));
        } else {
            read_spectrum(as_complex(from));
            dft_->run(fields_);
            dft_->finish();
            kernels_.real->write_row(dft_->reals().data, row_, places_.data(), as_complex(to));
        }
    }

  private:
    /// Element 0 of a field in a row of even n.
    [[nodiscard]] T* spectrum(Index field) const {
        return spectrum_.data() + field * 2 * kernels_.lanes;
    }

    void read_spectrum(const Lanes<const T>& from) const {
        const Tiles<T>& tiles = dft_->spectrum();
        if (!even_) {
            kernels_.read_spectrum(from, one_run(spectrum_row_), spectrum_places_.data(),
                                   tiles.data);
            return;
        }
        kernels_.read(from, one_run(spectrum_row_), spectrum_.data());
        for (Index i = 0; i < fields_; ++i) {
            kernels_.real->join_halves(spectrum(i), fields_, joints_, tiles.at(i));
        }
    }
    void write_spectrum(const Lanes<T>& to) const {
        const Tiles<T>& tiles = dft_->spectrum();
        if (!even_) {
            kernels_.write_spectrum(tiles.data, one_run(spectrum_row_), spectrum_places_.data(),
                                    to);
            return;
        }
        for (Index i = 0; i < fields_; ++i) {
            kernels_.real->split_halves(tiles.at(i), joints_, spectrum(i), fields_);
        }
        kernels_.write(spectrum_.data(), one_run(spectrum_row_), to);
    }

    const Kernels<T>& kernels_;
    Index fields_;
    bool even_;
    Index row_;           ///< numbers
    Index spectrum_row_;  ///< elements
    std::unique_ptr<RealDft<T>> dft_;
    std::vector<Index> places_;  ///< of the numbers of a row, in vectors
    // Of even n.
    Joints<T> joints_;
    Tile<T> spectrum_;  ///< a row
    // Of odd n.
    std::vector<SpectrumPlace<T>> spectrum_places_;  ///< of the elements of a row
};

/// r2r, which takes the elements of each field from where they are in a row, and puts them there.
template <class T>
class RealToRealRows : public LineTile<T> {
  public:
    RealToRealRows(const Kernels<T>& kernels, const LineTransform& line, Index fields)
        : kernels_(kernels),
          fields_(fields),
          row_(line.length * fields),
          transform_(make_real_to_real(kernels, line.axis, line.length, fields)),
          numbers_(kernels, (row_ + 1) / 2) {
        this->most_ = kernels.lanes;
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        const Index lanes = kernels_.lanes;
        const Index pairs = (row_ + 1) / 2;
        const Rows rows = {1, pairs, pairs};
        const Tiles<T> row = {numbers_.data(), pairs * 2 * lanes};
        read_reals(kernels_, lanes_at(from, 0, 1), {0, row_}, row, rows);
        transform_->read({row.data, fields_ * lanes, lanes}, fields_);
        transform_->run(fields_);
        transform_->write({row.data, fields_ * lanes, lanes}, fields_);
        write_reals(kernels_, row, rows, {0, row_}, lanes_at(to, 0, 1));
    }

  private:
    const Kernels<T>& kernels_;
    Index fields_;
    Index row_;  ///< numbers
    std::unique_ptr<RealToReal<T>> transform_;
    Tile<T> numbers_;  ///< a row
};

}  // namespace

template <class T>
std::unique_ptr<Lines<T>> make_real_field_lines(const FftTask& task, const Kernels<T>& kernels) {
    const auto [fields, first] = field_rows(task);
    const Index lanes = kernels.lanes;
    // Fields that nearly fill vectors are lanes as they lie.
    const bool fill = 8 * fields > 7 * ((fields + lanes - 1) / lanes) * lanes;
    const bool too_long = task.line.length * fields > longest_tile;
    if (fields == 1 || fill || too_long || most_lines(first) < lanes) return nullptr;
    if (task.line.kind == Kind::r2r) {
        return make_batch<T>(first, kernels,
                             std::make_unique<RealToRealRows<T>>(kernels, task.line, fields));
    }
    return make_batch<T>(first, kernels,
                         std::make_unique<HalvedRows<T>>(kernels, task.line, fields));
}

template std::unique_ptr<Lines<float>> make_real_field_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_real_field_lines(const FftTask&,
                                                              const Kernels<double>&);

}  // namespace weft::core::native
