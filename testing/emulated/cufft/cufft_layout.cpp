#include "testing/emulated/cufft/cufft_layout.hpp"

namespace weft::core::emulated {

namespace {

void make_dense(CufftSide& side, Index row) {
    side.strides = {side.extents[1] * row, row, 1};
    side.distance = side.extents[0] * side.extents[1] * row;
}

/// Rows at `stride` elements, in an array whose extents from the second are `embed`'s.
void make_embedded(CufftSide& side, int rank, const long long* embed, Index stride,
                   Index distance) {
    // A distance of 0 is refused of a single transform too, as cuFFT 12 does.
    if (stride < 1 || distance < 1) throw Thrown{CUFFT_INVALID_VALUE};
    Index place = stride;
    for (int axis = rank - 1; axis >= 0; --axis) {
        const auto at = static_cast<std::size_t>(3 - rank) + static_cast<std::size_t>(axis);
        side.strides[at] = place;
        if (axis == 0) break;
        if (embed[axis] < side.extents[at]) throw Thrown{CUFFT_INVALID_VALUE};
        place *= embed[axis];
    }
    side.distance = distance;
}

bool is_known(cufftType type) {
    switch (type) {
        case CUFFT_C2C:
        case CUFFT_R2C:
        case CUFFT_C2R:
        case CUFFT_Z2Z:
        case CUFFT_D2Z:
        case CUFFT_Z2D:
            return true;
        default:
            return false;
    }
}

}  // namespace

Index CufftSide::places(Index batch) const {
    Index last = (batch - 1) * distance;
    for (std::size_t axis = 0; axis < 3; ++axis) last += (extents[axis] - 1) * strides[axis];
    return last + 1;
}

Extents CufftLayout::complex_extents() const {
    const bool real = in.real || out.real;
    return {n[0], n[1], real ? n[2] / 2 + 1 : n[2]};
}

Index CufftLayout::work_bytes() const {
    return volume(n) == 1 ? 0 : volume(complex_extents()) * complex_bytes();
}

CufftLayout CufftLayout::padded() const {
    CufftLayout result = *this;
    for (CufftSide* side : {&result.in, &result.out}) {
        if (side->real) make_dense(*side, 2 * (n[2] / 2 + 1));
    }
    return result;
}

bool CufftLayout::works_in_place() const {
    if (!in.real && !out.real) {
        return in.strides == out.strides && in.distance == out.distance;
    }
    const CufftSide& real = in.real ? in : out;
    const CufftSide& complex = in.real ? out : in;
    bool fits = real.strides[2] == 1 && complex.strides[2] == 1;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        fits = fits && (n[axis] == 1 || real.strides[axis] == 2 * complex.strides[axis]);
    }
    return fits && (batch == 1 || real.distance == 2 * complex.distance);
}

CufftLayout cufft_layout(const CufftArguments& given) {
    if (given.rank < 1 || given.rank > 3 || given.n == nullptr) throw Thrown{CUFFT_INVALID_VALUE};
    if (!is_known(given.type)) throw Thrown{CUFFT_INVALID_TYPE};
    CufftLayout result;
    result.type = given.type;
    result.rank = given.rank;
    result.batch = given.batch;
    result.n = {1, 1, 1};
    for (int axis = 0; axis < given.rank; ++axis) {
        if (given.n[axis] < 1) throw Thrown{CUFFT_INVALID_SIZE};
        result.n[static_cast<std::size_t>(3 - given.rank) + static_cast<std::size_t>(axis)] =
            given.n[axis];
    }
    if (given.batch < 1) throw Thrown{CUFFT_INVALID_SIZE};
    result.in.real = given.type == CUFFT_R2C || given.type == CUFFT_D2Z;
    result.out.real = given.type == CUFFT_C2R || given.type == CUFFT_Z2D;
    for (CufftSide* side : {&result.in, &result.out}) {
        side->extents = side->real ? result.n : result.complex_extents();
    }
    result.dense = given.inembed == nullptr || given.onembed == nullptr;
    if (result.dense) {
        for (CufftSide* side : {&result.in, &result.out}) make_dense(*side, side->extents[2]);
    } else {
        make_embedded(result.in, given.rank, given.inembed, given.istride, given.idist);
        make_embedded(result.out, given.rank, given.onembed, given.ostride, given.odist);
    }
    return result;
}

}  // namespace weft::core::emulated
