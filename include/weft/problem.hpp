// The description of a transform: a plan solves it.
//
// As text:  KIND:PRECISION:SHAPE[*BATCH] [axes=..] [r2c_axis=A] [in=LAYOUT] [out=LAYOUT] ...
//           c2c:f64:256x256x256*8 in=slab(0) out=free
//           r2r:f64:64x65x66 kinds=dct2,dst1,dct3
//           r2c:f64:64x65x64 kinds=c2c,dct1,r2c
//           r2c:f64:96x96x96 modes=64x64x64
//           c2c:f64:128x128x128 inside=64x64x64
//           c2c:f64:128x128x128 modes=65x65x65 out=sphere(32)
//           redistribute:BYTES:SHAPE[*BATCH] in=LAYOUT out=LAYOUT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/box.hpp"

#pragma GCC visibility push(default)

namespace weft {

/// c2c: complex to complex. r2c: real to complex, one axis keeps n/2+1 of its n values. c2r: the
/// reverse of r2c. redistribute: elements of any size go from the input's layout to the output's,
/// without a transform. r2r: real to real, with a kind for each axis. The kind is that of
/// `forward`; `backward` is its reverse.
enum class Kind { c2c, r2c, c2r, redistribute, r2r };

/// The transform of `forward` along an axis. dct1 to dst4: a discrete cosine or sine transform of
/// type I to IV as FFTW defines it, unnormalised (docs/kinds.md has the formulas), of complex
/// numbers for the real and the imaginary part alike. Types I and IV are their own inverses, II and
/// III are each other's, up to the factor 1/N of logical_length. c2c, r2c, c2r: the discrete
/// Fourier transform; of an r2c (c2r) problem one axis is r2c (c2r) and keeps n/2+1. none: no
/// transform.
enum class AxisKind { none, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4, c2c, r2c, c2r };

/// The kind that undoes a kind, up to the factor 1/N.
AxisKind inverse(AxisKind kind);

/// N of one axis of n elements: 2(n-1) for dct1, 2(n+1) for dst1, 2n for the other cosine and sine
/// transforms, n for c2c, r2c and c2r, 1 for none.
Index logical_length(AxisKind kind, Index n);

/// The rule for mode m/2 if a spectrum keeps an even number m of more modes. Its element stands for
/// the modes m/2 and -m/2, along the r2c axis for m/2 and its conjugate. split: backward gives one
/// half to each mode, forward adds both. zero: the element is 0, and read as 0. keep: the element
/// is mode -m/2, along the r2c axis mode m/2.
enum class EvenModes { split, zero, keep };

/// f32: float and complex<float>; f64: double and complex<double>.
enum class Precision { f32, f64 };

/// How an axis of n is cut in p parts. balanced: part r starts at floor(n*r/p).
/// block: every part but the last ones has ceil(n/p) (what FFTW's MPI interface does).
enum class CutRule { balanced, block };

/// Distribution and storage of an end of the transform (the input or the output).
///
/// A rank stores its boxes one after the other, each in the given order of axes. Boxes are dense
/// unless `padding` or `strides` say otherwise; elements between those of the boxes are neither
/// read nor written.
///
/// As text: `free` (the plan chooses, with the least communication), `slab(0)` (axis 0 cut by all
/// ranks), `pencil(0,1)` (two axes cut, the plan factors the ranks), `cut(0,1,2)` (any number;
/// three and more: the grid of least surface), `brick` (all axes cut), `grid(2x4x1)` (parts per
/// axis; their product is the rank count; ranks are numbered with the last axis fastest), `single`
/// (rank 0 owns everything), `boxes([0:4,0:8]|[4:8,0:3][4:8,3:8]|)` (the caller's boxes, any number
/// for each rank, ranks separated by bars; boxes without the batch axis hold all fields),
/// `sphere(16)` (of a spectrum, the columns of modes within that radius); then optionally `@102`:
/// the order of axes in memory, slowest first (`b` is the batch axis), then `+(0,0,2)`: padding by
/// axis, or `/(1024,32,1)`: strides by axis.
struct LayoutRequest {
    bool free = true;          ///< the plan chooses which axes are cut
    std::vector<int> axes{};   ///< the cut axes; the last varies fastest with the rank
    std::vector<int> parts{};  ///< parts per cut axis; empty: the plan chooses
    std::vector<int> order{};  ///< axes in memory, slowest first; empty: 0,1,2,.. or, if free, any
    OwnBoxes boxes{};          ///< together they cover the array once, or if sparse a part of it
    /// Elements left after each line, by axis; empty: none (in place, the real side of r2c and c2r
    /// has 2(n/2+1)-n along the r2c axis, if that is whole and fastest).
    std::vector<Index> padding{};
    /// Elements between neighbours, by axis, the same for all boxes; empty: from order and padding.
    std::vector<Index> strides{};
    std::optional<double> sphere{};  ///< the radius, in modes, of weft::sphere

    bool operator==(const LayoutRequest&) const = default;
};

/// Axis `axis` cut by all ranks.
LayoutRequest slab(int axis);
/// Axes a and b cut by a two-dimensional process grid that the plan chooses.
LayoutRequest pencil(int a, int b);
/// Parts per axis, one entry for each; their product must be the rank count.
LayoutRequest grid(const std::vector<int>& parts);
/// Rank 0 owns the whole array.
LayoutRequest single();
/// Each rank owns the given boxes, boxes[rank] (weft::collect gathers them from the ranks).
LayoutRequest own_boxes(std::vector<std::vector<Box>> boxes);
/// All of `dims` axes cut, by the grid of least surface.
LayoutRequest brick(int dims);
/// A spectrum of plane waves: each rank owns columns of modes that are whole along the first
/// transformed axis, which is not the r2c axis if there is another. A column exists if the sum of
/// squares of its modes along the other transformed axes is at most cutoff^2. Missing elements are
/// read as zeros and not written. Ranks have about equal numbers of consecutive columns. Unless
/// `order` is given, columns are contiguous and lie one after the other.
///
/// Example: cutoff 1 of 8x8x8 modes: the columns [0:8,k1,k2] with (k1,k2) = (0,0), (0,1), (0,7),
/// (1,0) and (7,0), where 7 stands for mode -1. Of two ranks, rank 0 has the first two.
LayoutRequest sphere(double cutoff);

/// The process grid, one factor for each axis, whose bricks have the least surface and so exchange
/// least with neighbours ([ayala] section III). Among equal grids it is the first one, in ascending
/// order of factors from the first axis on. Throws Error(bad_request) if there is no rank or no
/// axis.
std::vector<int> minimum_surface_grid(const std::vector<Index>& shape, int ranks);

/// A factor applied to every value after a transform. N is the product of the transformed axes'
/// logical lengths. As text: `none` (1), `n` (1/N), `symmetric` (1/sqrt
/// N), or a number.
struct Scale {
    enum class Rule { none, by_n, symmetric, factor };
    Rule rule = Rule::none;
    double value = 1.0;  ///< for Rule::factor

    bool operator==(const Scale&) const = default;
};

/// A transform of a global array, row-major in its shape, spread over the ranks, unscaled by
/// default. The exponent's sign follows FFTW: -1 in the forward direction of c2c and r2c, +1 in
/// their backward direction. c2r is the reverse of r2c: +1 forward, -1 backward. An axis of a
/// cosine or sine transform has the inverse kind in the backward direction.
///
/// Axes are numbered 0 .. d-1; with batch > 1 the fields are one more axis, number d (text: b),
/// the slowest in memory.
struct Problem {
    Kind kind = Kind::c2c;
    Precision precision = Precision::f64;
    std::vector<Index> shape{};  ///< 1 to 6 lengths of the real (or c2c) array, each at least 1
    Index batch = 1;             ///< fields transformed in one call
    std::vector<int> axes{};     ///< the transformed axes, in any order; empty: all, ascending
    int r2c_axis =
        -1;  ///< r2c, c2r: the axis that keeps n/2+1; -1: as in kinds, or the last in axes
    LayoutRequest in{};   ///< the input of forward
    LayoutRequest out{};  ///< the output of forward
    CutRule cut = CutRule::balanced;
    Scale forward_scale{};
    Scale backward_scale{};
    bool in_place = false;           ///< one array holds input and output
    bool may_destroy_input = false;  ///< the array a direction reads may serve as workspace
    Index element_bytes = 0;         ///< redistribute: the size of an element; otherwise 0
    /// The kind of each axis in the order of `axes`, or one for all of them. Empty: c2c along all
    /// transformed axes, r2c or c2r along the r2c axis; r2r needs them.
    std::vector<AxisKind> kinds{};
    /// The number of modes that the spectrum keeps of each dimension; empty: all. If it keeps m
    /// modes of an axis of n points, forward leaves out the others and backward takes them for
    /// zeros. The spectrum then has m values along the axis, of the modes 0, 1, .. -1 in FFT's
    /// order; along the r2c axis m/2+1, of 0 to m/2; of a cosine or sine transform the first m.
    ///
    /// Example: n = 8, m = 4: the values are those of the modes 0, 1, +-2 (even_modes) and -1.
    std::vector<Index> modes{};
    EvenModes even_modes = EvenModes::split;
    /// How many points the field has along each dimension, the first ones of n; empty: all. forward
    /// takes the other points for zeros, backward leaves them out.
    std::vector<Index> inside{};
    /// Whether boxes of the ends may leave elements out. Missing elements are read as zeros and not
    /// written.
    bool sparse = false;

    bool operator==(const Problem&) const = default;
};

/// Throws Error(bad_request) that quotes the offending value, if the problem is not well formed.
void validate(const Problem& problem);

/// The canonical text, without members that have their default value, except `in` and `out`.
std::string to_string(const Problem& problem);
/// `dims` is the number of the batch axis, which is printed b.
std::string to_string(const LayoutRequest& request, int dims);
std::string to_string(const Scale& scale);
std::string to_string(Kind kind);
std::string to_string(AxisKind kind);
std::string to_string(Precision precision);
std::string to_string(CutRule rule);
std::string to_string(EvenModes rule);

/// The inverse of to_string; the words after the shape come in any order.
/// Throws Error(bad_request) naming the word that is not understood.
Problem parse_problem(std::string_view text);

}  // namespace weft

#pragma GCC visibility pop
