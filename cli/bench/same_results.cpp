#include "bench/same_results.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "net/mpi_error.hpp"
#include "plan/problem.hpp"
#include "plan/wire.hpp"
#include "verify/checks.hpp"
#include "verify/signal.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

using core::Exact;

/// As programs of other libraries compute them too (measure/program.hpp).
constexpr Index signal_modulus = 1009;
constexpr Index weight_modulus = 997;

Exact number(Index modulus, Index linear, bool complex) {
    const auto part = [modulus](Index l) {
        const Index rest = l % modulus;
        return static_cast<long double>(rest * rest % modulus) / static_cast<long double>(modulus) -
               0.5L;
    };
    constexpr Index shift = 500;
    return {part(linear), complex ? part(linear + shift) : 0};
}

Projection all_ranks(const Exact& product, long double squares, MPI_Comm comm) {
    std::array<double, 3> sums = {static_cast<double>(product.real()),
                                  static_cast<double>(product.imag()),
                                  static_cast<double>(squares)};
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()),
                                  MPI_DOUBLE, MPI_SUM, comm),
                    "MPI_Allreduce");
    return {{sums[0], sums[1]}, std::sqrt(sums[2])};
}

/// The two sides of a transform: the signal, which is real for r2c and c2r, and its spectrum.
class Sides {
  public:
    Sides(const Problem& problem, Contender& contender, MPI_Comm comm)
        : problem_(problem), contender_(contender), comm_(comm) {}

    void fill_signal() {
        visit(false, [&](const LocalPiece& piece, Index linear, Index offset) {
            core::put(piece.data, piece.scalar, offset,
                      number(signal_modulus, linear, piece.scalar.complex));
        });
        contender_.put(array_of(false));
    }
    void analyse() { contender_.run(synthesis_is_forward()); }
    void synthesise() { contender_.run(!synthesis_is_forward()); }

    [[nodiscard]] Projection project(bool spectrum) const {
        Exact product = 0;
        long double squares = 0;
        contender_.fetch(array_of(spectrum));
        visit(spectrum, [&](const LocalPiece& piece, Index linear, Index offset) {
            const Exact value = core::get(piece.data, piece.scalar, offset);
            product += value * number(weight_modulus, linear, true);
            squares += std::norm(value);
        });
        return all_ranks(product, squares, comm_);
    }

  private:
    [[nodiscard]] bool synthesis_is_forward() const { return problem_.kind == Kind::c2r; }
    /// Whether it is the output's.
    [[nodiscard]] bool array_of(bool spectrum) const { return spectrum != synthesis_is_forward(); }

    template <class Visit>
    void visit(bool spectrum, const Visit& each) const {
        const auto shape = core::array_shape(problem_, spectrum);
        for (const LocalPiece& piece : contender_.pieces(array_of(spectrum))) {
            core::for_points(piece.stored, [&](const auto& point, Index offset) {
                each(piece, core::linear_index(shape, point), offset);
            });
        }
    }

    const Problem& problem_;
    Contender& contender_;
    MPI_Comm comm_;
};

/// Not a number is never the same.
bool same(const std::complex<double>& a, const std::complex<double>& b, double norm, double bound) {
    return std::abs(a - b) <= bound * norm;
}

/// What a signal is multiplied by on its way there and back.
double round_trip_factor(const Problem& problem) {
    return core::scale_factor(problem, false) * core::scale_factor(problem, true) *
           core::transform_length(problem);
}

}  // namespace

Results check_same_results(const Problem& problem, Wire wire, const Contenders& contenders,
                           MPI_Comm comm) {
    // There and back a number is sent in a few redistributions, each of which may round it.
    const double bound = 2 * core::error_bound(problem) + 16 * core::wire_error(wire);
    // Opaque elements have no sums; weft verify looks at every byte of them.
    if (problem.kind == Kind::redistribute) return {};
    const auto axes = core::all_below(problem.shape.size());
    const auto any = [&](auto part) {
        return std::any_of(axes.begin(), axes.end(), [&](int axis) {
            return part(problem, axis).what != core::KeptPart::What::all;
        });
    };
    const bool leaves_out_modes = any(core::modes_kept);
    const bool leaves_out_points = any(core::points_kept);
    // Of real fields mode -m/2 that is kept without m/2 comes back at half its value.
    const bool keeps_one_of_two =
        problem.even_modes == EvenModes::keep && core::r2c_axis_of(problem) != -1;
    const bool comes_back = !leaves_out_modes || (!leaves_out_points && !keeps_one_of_two);
    Results ours;
    ours.bound = bound;
    for (const auto& contender : contenders) {
        Sides sides(problem, *contender, comm);
        const std::string library = contender->description().library;
        sides.fill_signal();
        const Projection signal = sides.project(false);
        sides.analyse();
        const Projection spectrum = sides.project(true);
        if (contender == contenders.front()) {
            ours.signal = signal;
            ours.spectrum = spectrum;
        }
        sides.synthesise();
        Projection back = sides.project(false);
        Projection given = signal;
        if (leaves_out_modes) {  // What is left of a signal comes back, and so its spectrum.
            given = spectrum;
            sides.analyse();
            back = sides.project(true);
        }
        if (comes_back &&
            !same(back.product, given.product * round_trip_factor(problem), back.norm, bound)) {
            throw Error(ErrorCode::wrong_result,
                        fmt::format("{} does not return the input after forward and backward, so "
                                    "its times are not measured; run weft verify",
                                    library));
        }
        if (!same(spectrum.product, ours.spectrum.product, ours.spectrum.norm, bound)) {
            throw Error(ErrorCode::wrong_result,
                        fmt::format("weft and {} compute different spectra of the same signal; run "
                                    "weft verify to check those of weft",
                                    library));
        }
    }
    return ours;
}

void check_program(const Results& ours, const ProgramRun& run) {
    const auto require = [&](const char* what, const std::complex<double>& theirs,
                             const Projection& weft) {
        if (same(theirs, weft.product, weft.norm, ours.bound)) return;
        throw Error(ErrorCode::wrong_result,
                    fmt::format("{} {} is {} + {}i, and weft's {} + {}i: they compute different "
                                "transforms, or the program's numbers are not those of "
                                "bench/README.md; run weft verify to check weft",
                                run.how.library, what, theirs.real(), theirs.imag(),
                                weft.product.real(), weft.product.imag()));
    };
    require("\"spectrum\"", run.spectrum, ours.spectrum);
    require("\"back\"", run.back, ours.signal);
}

}  // namespace weft::cli
