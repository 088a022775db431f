// Complex lines between whose elements those of a few others lie: fields of one array, in turn.
//
// n elements of f fields in turn are a row of n*f adjacent numbers. Rows are read as contiguous
// lines are, a tile of them at a time, and fall apart into f tiles of n elements; the passes over
// these leave result k of field i at i + f*k, which is the order of a row again. So the lanes are
// full however few the fields are.
//
// Example: 16 lines of 4 elements of 3 fields, vectors of 8 lanes: two tiles of 8 rows of 12
// numbers, each 3 tiles of 4 elements while it is transformed.
#include <algorithm>

#include "base/index.hpp"
#include "fft/native/lines/rules.hpp"

namespace weft::core::native {

namespace {

template <class T>
class FieldLines : public LineTile<T> {
  public:
    /// `one`: the lines of the first field.
    FieldLines(const FftTask& one, Index fields, const Kernels<T>& kernels)
        : kernels_(kernels),
          row_(one.line.length * fields),
          dft_(make_tile_dft(kernels, one.line.length, fields)),
          input_(kernels, fields * dft_->rows().room()),
          output_(kernels, row_) {
        this->most_ = kernels.lanes;
        const Index n = one.line.length;
        places_.reserve(usize(row_));
        for (Index k = 0; k < n; ++k) {
            // A backward transform is a forward one of the line read backwards.
            const Index j = one.line.sign < 0 || k == 0 ? k : n - k;
            for (Index field = 0; field < fields; ++field) {
                places_.push_back({field * dft_->rows().room() + dft_->rows().position(j)});
            }
        }
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        kernels_.read_spectrum({from.data, 2, from.lane_step, from.lanes, false, from.ahead},
                               one_run(row_), places_.data(), input_.data());
        dft_->run(input_.data(), output_.data(), 1);
        kernels_.write(output_.data(), one_run(row_), {to.data, 2, to.lane_step, to.lanes});
    }

  private:
    const Kernels<T>& kernels_;
    Index row_;  ///< elements
    std::unique_ptr<MixedRadix<T>> dft_;
    Tile<T> input_;
    Tile<T> output_;
    std::vector<SpectrumPlace<T>> places_;  ///< of the elements of a row
};

}  // namespace

FieldRows field_rows(const FftTask& task) {
    const auto loop =
        std::find_if(task.looped.begin(), task.looped.end(), [&](const Loop& candidate) {
            const Index fields = candidate.extent;
            return fields > 1 && candidate == Loop{fields, 1, 1} &&
                   task.line_axis() == Loop{task.line.length, fields, fields};
        });
    FieldRows result{.first = task};
    if (loop == task.looped.end() || task.line.length == 1) return result;
    result.fields = loop->extent;
    result.first.looped.erase(result.first.looped.begin() + (loop - task.looped.begin()));
    return result;
}

template <class T>
LinesOffer<T> field_lines(const LineCase<T>& one) {
    if (one.task.line.reproducible) return {reasons::reproducible};
    const auto [fields, first] = field_rows(one.task);
    if (fields == 1) return {"no fields lie between the elements of lines, on both sides alike"};
    const Index row = one.length() * fields;
    const Index lanes = one.kernels.lanes;
    const Index tiles = (fields + lanes - 1) / lanes;
    // Fields that nearly fill vectors are lanes as they lie, in the caches also those that fill more
    // than half of them, unless a tile of rows stays in the nearest one.
    constexpr Index near_bytes = Index{1} << 14;
    const bool near = row * 2 * lanes * static_cast<Index>(sizeof(T)) <= near_bytes;
    const bool far = one.task.caches.far_from && fields < lanes;
    if (8 * fields > (near || far ? 7 : 4) * tiles * lanes)
        return {"fields fill vectors as they lie"};
    if (row > longest_tile) return {reasons::too_long};
    if (most_lines(first) < lanes) return {"rows fill no vector"};
    return {nullptr, [first = first, fields = fields, &kernels = one.kernels] {
                auto tile = std::make_unique<FieldLines<T>>(first, fields, kernels);
                return make_batch<T>(first, kernels, std::move(tile));
            }};
}

WEFT_LINES_RULE_FOR_ALL(field_lines)

}  // namespace weft::core::native
