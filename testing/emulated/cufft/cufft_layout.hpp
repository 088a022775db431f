// Where the elements of an emulated cuFFT plan are.
#pragma once

#include <array>

#include "testing/emulated/cufft/cufft.hpp"
#include "weft/box.hpp"

namespace weft::core::emulated {

using Extents = std::array<Index, 3>;

inline Index volume(const Extents& extents) { return extents[0] * extents[1] * extents[2]; }

/// The places of an array's elements, counted in elements: of [b][i][j][k] at
/// b * distance + i * strides[0] + j * strides[1] + k * strides[2].
struct CufftSide {
    Extents extents{};
    Extents strides{};
    Index distance = 0;
    bool real = false;

    /// visit(place) for each element of transform b, in their order.
    template <class Visit>
    void each(Index b, const Visit& visit) const {
        for (Index i = 0; i < extents[0]; ++i) {
            for (Index j = 0; j < extents[1]; ++j) {
                const Index row = b * distance + i * strides[0] + j * strides[1];
                for (Index k = 0; k < extents[2]; ++k) visit(row + k * strides[2]);
            }
        }
    }
    /// One past the last place of so many transforms.
    [[nodiscard]] Index places(Index batch) const;
};

/// What a plan transforms.
struct CufftLayout {
    cufftType type = CUFFT_Z2Z;
    int rank = 1;
    Extents n{};  ///< of fewer dimensions than three, the first ones are 1
    Index batch = 1;
    bool dense = false;  ///< of no layout of the caller's
    CufftSide in;
    CufftSide out;

    [[nodiscard]] bool is_double() const { return type >= CUFFT_Z2Z; }
    [[nodiscard]] Index complex_bytes() const { return is_double() ? 16 : 8; }
    [[nodiscard]] Index bytes(const CufftSide& side) const {
        return side.real ? complex_bytes() / 2 : complex_bytes();
    }
    /// Complex elements that a transform goes through: of a real one, half of them.
    [[nodiscard]] Extents complex_extents() const;
    [[nodiscard]] Index work_bytes() const;

    /// With rows of real elements padded, as dense ones are in place.
    [[nodiscard]] CufftLayout padded() const;
    /// Whether input and output may begin at one address.
    [[nodiscard]] bool works_in_place() const;
};

/// The arguments of cufftMakePlanMany64.
struct CufftArguments {
    int rank;
    const long long* n;
    const long long* inembed;
    long long istride;
    long long idist;
    const long long* onembed;
    long long ostride;
    long long odist;
    cufftType type;
    long long batch;
};
/// Throws a cufftResult.
CufftLayout cufft_layout(const CufftArguments& given);

}  // namespace weft::core::emulated
