#include "call.hpp"

#include <fftw3-mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "blocks.hpp"

namespace weft::fftw {

namespace {

constexpr int most_dims = 6;
constexpr ptrdiff_t most_element_bytes = ptrdiff_t{1} << 20;

/// One end of a call as FFTW means it.
struct CallEnd {
    int axis;   ///< that is cut: 1 in transposed order
    bool real;  ///< the end of an r2c or c2r transform that holds reals
    ptrdiff_t block;
};

/// The flags of a transpose speak of the order in memory only.
CallEnd in_end(const Call& call) {
    const bool is_transposed = (call.flags & FFTW_MPI_TRANSPOSED_IN) != 0;
    const int axis = is_transposed && call.family != Family::transpose ? 1 : 0;
    return {axis, call.family == Family::r2c, call.in_block};
}
CallEnd out_end(const Call& call) {
    const bool is_transposed = (call.flags & FFTW_MPI_TRANSPOSED_OUT) != 0;
    const int axis = is_transposed || call.family == Family::transpose ? 1 : 0;
    return {axis, call.family == Family::c2r, call.out_block};
}

bool is_halved(const Call& call) {
    return call.family == Family::r2c || call.family == Family::c2r;
}

/// The elements along each axis that FFTW cuts in blocks: n/2+1 along the last axis of r2c and c2r.
std::vector<Index> extents(const Call& call) {
    std::vector<Index> result(call.n, call.n + call.dims);
    if (is_halved(call)) result.back() = result.back() / 2 + 1;
    return result;
}

Index length_of(const Call& call, const CallEnd& end) {
    return extents(call)[static_cast<std::size_t>(end.axis)];
}

/// What weft calls a kind of FFTW's (fftw_r2r_kind or fftwf_r2r_kind); none for R2HC, HC2R and DHT.
AxisKind axis_kind_of(int kind) {
    switch (kind) {
#define WEFT_REAL_KIND(name, fftw) \
    case FFTW_##fftw:              \
        return AxisKind::name;
#include "weft/real_kinds.def"
        default:
            return AxisKind::none;
    }
}

std::vector<AxisKind> axis_kinds(const Call& call) {
    std::vector<AxisKind> result;
    std::transform(call.kinds.begin(), call.kinds.end(), std::back_inserter(result), axis_kind_of);
    return result;
}

std::string refusal_of_kinds(const Call& call) {
    const std::vector<AxisKind> kinds = axis_kinds(call);
    for (std::size_t axis = 0; axis < kinds.size(); ++axis) {
        const AxisKind kind = kinds[axis];
        if (kind == AxisKind::none) return "R2HC, HC2R and DHT are not accelerated";
        if (kind == AxisKind::dct1 && call.n[axis] < 2) return "an argument is out of range";
    }
    return "";
}

std::string refusal_of_arguments(const Call& call) {
    if (call.dims < 2) return "one-dimensional transforms are not accelerated";
    if (call.dims > most_dims) return "more than six dimensions are not accelerated";
    const auto invalid = [](ptrdiff_t n) { return n < 1; };
    if (std::any_of(call.n, call.n + call.dims, invalid) || call.in_block < 0 ||
        call.out_block < 0 || call.howmany < 0) {
        return "an argument is out of range";
    }
    if (call.howmany == 0) return "there is nothing to do for howmany = 0";
    if ((call.flags & (FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT)) != 0) {
        return "scrambled orders are not accelerated";
    }
    return refusal_of_kinds(call);
}

std::string refusal_of_end(const Call& call, const CallEnd& end, int ranks) {
    if (end.real && end.axis == 1 && call.dims == 2) {
        return "transposed real data in two dimensions is not accelerated";
    }
    const Index n = length_of(call, end);
    if (number_of_blocks(n, block_or_default(end.block, n, ranks)) > ranks) {
        return "there are more blocks than ranks";
    }
    return "";
}

std::vector<std::vector<Box>> boxes_of(const std::vector<Index>& shape, int axis, Index block,
                                       int ranks) {
    std::vector<std::vector<Box>> result(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        const Part part = part_of(shape[static_cast<std::size_t>(axis)], block, rank);
        if (part.count == 0) continue;
        Box box{std::vector<Index>(shape.size(), 0), shape};
        box.lo[static_cast<std::size_t>(axis)] = part.start;
        box.hi[static_cast<std::size_t>(axis)] = part.start + part.count;
        result[static_cast<std::size_t>(rank)] = {box};
    }
    return result;
}

/// An axis cut in blocks: named as a slab where they are FFTW's default, else as boxes.
LayoutRequest cut_in_blocks(const std::vector<Index>& shape, int axis, Index block, int ranks) {
    const Index n = shape[static_cast<std::size_t>(axis)];
    const Index length = block_or_default(block, n, ranks);
    if (length == default_block(n, ranks)) return slab(axis);
    return own_boxes(boxes_of(shape, axis, length, ranks));
}

std::vector<int> order_of(int axes, bool swapped) {
    std::vector<int> result(static_cast<std::size_t>(axes));
    std::iota(result.begin(), result.end(), 0);
    if (swapped) std::swap(result[0], result[1]);
    return result;
}

LayoutRequest layout_of(const Call& call, const CallEnd& end, int ranks, bool in_place) {
    std::vector<Index> shape = extents(call);
    const auto last = shape.size() - 1;
    const Index room = 2 * shape[last];
    if (end.real) shape[last] = call.n[last];
    LayoutRequest result = cut_in_blocks(shape, end.axis, end.block, ranks);
    result.order = order_of(call.dims + (call.howmany > 1 ? 1 : 0), end.axis == 1);
    // Real lines have the room of n/2+1 complex numbers. In place weft gives it to them itself, and
    // may use it as scratch, if they are contiguous, as those of a single field are.
    if (end.real && !(in_place && call.howmany == 1)) {
        result.padding.assign(shape.size(), 0);
        result.padding[last] = room - call.n[last];
    }
    return result;
}

/// A transpose of n0 x n1 elements: rows are cut at the input, columns at the output. A transposed
/// input has its columns slowest, a transposed output its rows.
Mapping map_transpose(const Call& call, int ranks, bool in_place) {
    Mapping result;
    Problem& problem = result.problem;
    problem.kind = Kind::redistribute;
    problem.shape.assign(call.n, call.n + call.dims);
    problem.element_bytes =
        call.howmany *
        (call.precision == Precision::f64 ? Index{sizeof(double)} : Index{sizeof(float)});
    if (problem.element_bytes > most_element_bytes) {
        result.refusal = "elements of more than 1 MiB are not accelerated";
        return result;
    }
    for (const CallEnd& end : {in_end(call), out_end(call)}) {
        result.refusal = refusal_of_end(call, end, ranks);
        if (!result.refusal.empty()) return result;
        LayoutRequest& layout = end.axis == 0 ? problem.in : problem.out;
        layout = cut_in_blocks(problem.shape, end.axis, end.block, ranks);
        const unsigned flag = end.axis == 0 ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
        layout.order = order_of(2, ((call.flags & flag) != 0) == (end.axis == 0));
    }
    problem.cut = CutRule::block;
    problem.in_place = in_place;
    problem.may_destroy_input = !in_place && (call.flags & FFTW_DESTROY_INPUT) != 0;
    return result;
}

Kind kind_of(Family family) {
    if (family == Family::r2c) return Kind::r2c;
    if (family == Family::r2r) return Kind::r2r;
    return family == Family::c2r ? Kind::c2r : Kind::c2c;
}

/// FFTW may overwrite the input of c2r unless it is told to keep it, and others only if told so.
bool destroys_input(const Call& call) {
    if ((call.flags & FFTW_DESTROY_INPUT) != 0) return true;
    return call.family == Family::c2r && (call.flags & FFTW_PRESERVE_INPUT) == 0;
}

Mapping map_transform(const Call& call, int ranks, bool in_place) {
    Mapping result;
    for (const CallEnd& end : {in_end(call), out_end(call)}) {
        result.refusal = refusal_of_end(call, end, ranks);
        if (!result.refusal.empty()) return result;
    }
    Problem& problem = result.problem;
    problem.kind = kind_of(call.family);
    problem.precision = call.precision;
    problem.shape.assign(call.n, call.n + call.dims);
    problem.kinds = axis_kinds(call);
    problem.batch = call.howmany;
    problem.in = layout_of(call, in_end(call), ranks, in_place);
    problem.out = layout_of(call, out_end(call), ranks, in_place);
    problem.cut = CutRule::block;
    problem.in_place = in_place;
    problem.may_destroy_input = !in_place && destroys_input(call);
    result.backward = is_backward(call);
    if (result.backward) std::swap(problem.in, problem.out);
    return result;
}

/// ` 8x6x4*3`
std::string sizes(const Call& call) {
    std::string result;
    for (int axis = 0; axis < call.dims; ++axis) {
        result += (axis == 0 ? ' ' : 'x') + std::to_string(call.n[axis]);
    }
    if (call.howmany != 1) result += fmt::format("*{}", call.howmany);
    return result;
}

}  // namespace

Mapping map(const Call& call, int ranks, bool in_place) {
    if (std::string refusal = refusal_of_arguments(call); !refusal.empty()) {
        return {.refusal = std::move(refusal)};
    }
    if (call.family == Family::transpose) return map_transpose(call, ranks, in_place);
    return map_transform(call, ranks, in_place);
}

bool is_backward(const Call& call) {
    return call.family == Family::dft && call.sign == FFTW_BACKWARD;
}

bool has_part(const Call& call, int rank, int ranks) {
    if (!refusal_of_arguments(call).empty()) return false;
    for (const CallEnd& end : {in_end(call), out_end(call)}) {
        if (part_of_rank(length_of(call, end), end.block, rank, ranks).count > 0) return true;
    }
    return false;
}

std::string to_string(const Call& call) { return call.name + sizes(call); }

std::string meaning(const Call& call, int ranks, bool in_place) {
    constexpr std::array<const char*, 5> families = {"c2c", "r2c", "c2r", "r2r", "transpose"};
    std::string result = families.at(static_cast<std::size_t>(call.family));
    result += call.precision == Precision::f64 ? ":f64" : ":f32";
    result += sizes(call) + ", blocks";
    const bool is_right = refusal_of_arguments(call).empty();
    for (const CallEnd& end : {in_end(call), out_end(call)}) {
        const Index block =
            is_right ? block_or_default(end.block, length_of(call, end), ranks) : end.block;
        result += fmt::format(" {}", block);
    }
    if (!call.kinds.empty()) result += fmt::format(", kinds {}", fmt::join(call.kinds, " "));
    if (call.family == Family::dft) result += is_backward(call) ? ", backward" : ", forward";
    constexpr std::array<std::pair<unsigned, const char*>, 4> orders = {
        {{FFTW_MPI_TRANSPOSED_IN, "FFTW_MPI_TRANSPOSED_IN"},
         {FFTW_MPI_TRANSPOSED_OUT, "FFTW_MPI_TRANSPOSED_OUT"},
         {FFTW_MPI_SCRAMBLED_IN, "FFTW_MPI_SCRAMBLED_IN"},
         {FFTW_MPI_SCRAMBLED_OUT, "FFTW_MPI_SCRAMBLED_OUT"}}};
    for (const auto& [flag, name] : orders) {
        if ((call.flags & flag) != 0) result += fmt::format(", {}", name);
    }
    if (!in_place && destroys_input(call)) result += ", the input may be overwritten";
    return result;
}

}  // namespace weft::fftw
