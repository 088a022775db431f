// The serial transforms that programs name and engines carry out: what becomes of a line, and where
// the lines of a batch lie. Offsets, steps and strides count elements of the side concerned.
#pragma once

#include <vector>

#include "base/scalar.hpp"
#include "base/work.hpp"

namespace weft::core {

/// The kind that undoes a kind.
constexpr Kind inverse(Kind kind) {
    if (kind == Kind::r2c) return Kind::c2r;
    return kind == Kind::c2r ? Kind::r2c : kind;
}

/// Whether one axis keeps n/2+1 complex numbers of n real ones.
constexpr bool halves(Kind kind) { return kind == Kind::r2c || kind == Kind::c2r; }
/// Whether the numbers that it reads (writes) are real.
constexpr bool is_real_before(Kind kind) { return kind == Kind::r2c || kind == Kind::r2r; }
constexpr bool is_real_after(Kind kind) { return kind == Kind::c2r || kind == Kind::r2r; }

constexpr bool halves(AxisKind kind) { return kind == AxisKind::r2c || kind == AxisKind::c2r; }

/// Whether it is a cosine or sine transform, which takes real numbers to real ones.
constexpr bool is_real_to_real(AxisKind kind) {
    return kind >= AxisKind::dct1 && kind <= AxisKind::dst4;
}

/// Which elements of a line of n there are in memory on one side of its transform. all: each one.
/// first: the first `count`, `count` < n. modes: of a spectrum `count` of its modes in FFT's order,
/// of an r2c axis count/2+1; see Problem::modes. The others are zeros where they are read, and
/// left out where they are written.
struct KeptPart {
    enum class What { all, first, modes };
    What what = What::all;
    EvenModes even = EvenModes::split;
    Index count = 0;
    bool operator==(const KeptPart&) const = default;
};

/// The transform of one line: n complex numbers to n complex ones (c2c), n real ones to n/2+1
/// complex ones (r2c), n/2+1 complex ones to n real ones (c2r), or n real ones to n real ones
/// (r2r). Nothing is scaled.
struct LineTransform {
    Kind kind = Kind::c2c;
    int sign = -1;  ///< of the exponent; r2c is always -1, c2r always +1
    Precision precision = Precision::f64;
    Index length = 1;                ///< n
    AxisKind axis = AxisKind::none;  ///< r2r: which one; otherwise none
    /// The arithmetic depends on nothing but these members and the instruction set: not on where
    /// lines lie, nor on how many there are. Of several axes the line comes first, then the others,
    /// the last one first; the line of c2r comes last.
    bool reproducible = false;
    KeptPart from{};  ///< what there is of the line in the source
    KeptPart to{};    ///< what there is of the line in the target

    [[nodiscard]] Scalar source() const { return {precision, !is_real_before(kind)}; }
    [[nodiscard]] Scalar target() const { return {precision, !is_real_after(kind)}; }
    /// Elements of a line on the side that keeps n/2+1, if there is one.
    [[nodiscard]] Index complex_length() const { return halves(kind) ? length / 2 + 1 : length; }
    /// Elements of a line in the source and in the target.
    [[nodiscard]] Index source_length() const {
        return kept(from, source().complex ? complex_length() : length);
    }
    [[nodiscard]] Index target_length() const {
        return kept(to, target().complex ? complex_length() : length);
    }
    /// Whether all elements of lines are in memory on both sides.
    [[nodiscard]] bool is_whole() const {
        return from.what == KeptPart::What::all && to.what == KeptPart::What::all;
    }
    /// The same line, whole.
    [[nodiscard]] LineTransform whole() const {
        LineTransform result = *this;
        result.from = result.to = {};
        return result;
    }
    bool operator==(const LineTransform&) const = default;

  private:
    [[nodiscard]] Index kept(const KeptPart& what, Index all) const {
        if (what.what == KeptPart::What::all) return all;
        return what.what == KeptPart::What::modes && halves(kind) ? what.count / 2 + 1 : what.count;
    }
};

/// What is known about the caches of the core that transforms. Hints change speed only.
struct CacheHints {
    bool far_from = false;  ///< the source is not in them, however small it is
    bool far_to = false;    ///< nor is what the result takes the place of
    bool stream = false;    ///< the result is not read soon by this core: write it past its caches
    bool operator==(const CacheHints&) const = default;
};

/// A batch of transforms along one axis or several of an array, as FFTW's guru interface has them.
///
/// One axis has a LineTransform, whose kind and element types are those of the whole task. The
/// other transformed axes are loops: their lines are complex, of the same sign and precision,
/// transformed after the line of r2c and before that of c2r; those of r2r are real, with a kind for
/// each. So a task cannot ask for a mixture of kinds that no engine has. A line of which a part is
/// kept is the only axis. Extents are logical: those of the real side of r2c and c2r, and of whole
/// lines.
///
/// Example: every plane of 8 x 6 x 4 reals, to 8 x 6 x 3 complex numbers, is line {r2c, -1, f64, 4}
/// with steps 1 and 1, complex_axes {{6, 4, 3}} and looped {{8, 24, 18}}.
struct FftTask {
    LineTransform line{};
    Index from_step = 1;  ///< from one element of a line to the next
    Index to_step = 1;
    std::vector<Loop> complex_axes{};  ///< the other transformed axes; of r2r they are real
    std::vector<Loop> looped{};        ///< the axes that are not transformed
    Index from_offset = 0;             ///< of the first element
    Index to_offset = 0;
    CacheHints caches{};
    bool in_place = false;           ///< source and destination are the same array
    bool may_destroy_input = false;  ///< the source may be overwritten
    bool any_alignment = false;      ///< also run on arrays that are aligned otherwise
    std::vector<AxisKind> kinds{};   ///< r2r: those of complex_axes

    /// The loop along a line.
    [[nodiscard]] Loop line_axis() const { return {line.length, from_step, to_step}; }
    /// The loops along all transformed axes, that of the line last.
    [[nodiscard]] std::vector<Loop> axes() const;
    /// Transforms along these axes, at least one; the last one is that of the line.
    void set_axes(std::vector<Loop> axes);
    /// r2r: what is done along axes(), that of the line last.
    [[nodiscard]] std::vector<AxisKind> axis_kinds() const;
    void set_axis_kinds(std::vector<AxisKind> all);
    /// The transform of a line along axes()[axis], where the array is complex if it ever is.
    [[nodiscard]] LineTransform line_along(std::size_t axis) const;
    bool operator==(const FftTask&) const = default;
};
inline std::vector<Loop>& loops_of(FftTask& task) { return task.looped; }
inline const std::vector<Loop>& loops_of(const FftTask& task) { return task.looped; }

/// Whether a task goes from the source to the target, or is in place in one of them.
enum class FftSide { across, source, target };

/// A task along one axis of a task.
struct AxisTask {
    FftTask task;
    FftSide side = FftSide::across;
};
/// The same axis by axis. c2r ends with the axis of the line, from the source to the target; others
/// begin with it.
std::vector<AxisTask> axis_by_axis(const FftTask& task);

/// Whether some extent is 0, so that there is nothing to transform.
bool is_empty(const FftTask& task);

/// Some elements of every line of a tile, in one array: element e >= first of line l is
/// (e - first)*step + l*lane_step elements after where the segment begins.
struct LineSegment {
    Index first = 0;
    Index extent = 0;
    Index step = 1;
    Index lane_step = 1;
    bool operator==(const LineSegment&) const = default;
};

/// The most bytes that an element of a tile's complex lines takes, over all instruction sets.
inline constexpr Index tile_bytes = 128;

/// The longest axis that makes no rows by itself: where lines are adjacent along a fastest axis of
/// at most so many elements, rows go along the axis above it as well.
inline constexpr Index few_lines = 32;

/// Transforms of lines that are read from segments and written to segments, which may be in strided
/// memory, in several arrays or in another process's. Together the segments of a side hold every
/// element of a line once that there is. Engines' tiles of whole lines drop results that no segment
/// holds.
///
/// Example: along axis 1 of 8 x 6 x 4, cut by 2 ranks, rank r holds elements 3r to 3r+2 of each
/// line; lines lie side by side along axis 2. The segments are {0, 3, 4, 1} and {3, 3, 4, 1}.
struct TileTask {
    LineTransform line{};
    std::vector<LineSegment> from{};
    std::vector<LineSegment> to{};
    CacheHints caches{};
    /// Beyond the lines that there are, up to a multiple of tile_bytes of adjacent lanes that mean
    /// nothing may be read (written).
    bool reads_beyond = false;
    bool writes_beyond = false;
    bool operator==(const TileTask&) const = default;
};

}  // namespace weft::core
