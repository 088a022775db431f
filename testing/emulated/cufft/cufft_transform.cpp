#include "testing/emulated/cufft/cufft_transform.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace weft::core::emulated {

namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

/// Everything that the side has, real or complex.
template <class Real>
void fill_with_nan(const CufftSide& side, Index b, Real* data) {
    constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
    side.each(b, [&](Index place) {
        if (side.real) {
            data[place] = nan;
        } else {
            data[2 * place] = nan;
            data[2 * place + 1] = nan;
        }
    });
}

/// visit(begin, end) in bytes for each element.
template <class Visit>
void each_bytes(const CufftLayout& layout, const CufftSide& side, const void* data,
                const Visit& visit) {
    const auto first = reinterpret_cast<std::uintptr_t>(data);
    for (Index b = 0; b < layout.batch; ++b) {
        side.each(b, [&](Index place) {
            const std::uintptr_t begin = first + at(place * layout.bytes(side));
            visit(begin, begin + at(layout.bytes(side)));
        });
    }
}

/// Whether an element of the input and one of the output have a byte in common.
bool meet(const CufftLayout& layout, const void* in, const void* out) {
    const auto end = [&](const CufftSide& side, const void* data) {
        const auto begin = reinterpret_cast<std::uintptr_t>(data);
        return begin + at(side.places(layout.batch) * layout.bytes(side));
    };
    const auto begin =
        std::max(reinterpret_cast<std::uintptr_t>(in), reinterpret_cast<std::uintptr_t>(out));
    const std::uintptr_t common = std::min(end(layout.in, in), end(layout.out, out));
    if (common <= begin) return false;
    // Elements of one may lie between those of the other.
    std::vector<bool> read(common - begin);
    each_bytes(layout, layout.in, in, [&](std::uintptr_t from, std::uintptr_t to) {
        for (from = std::max(from, begin); from < std::min(to, common); ++from) {
            read[from - begin] = true;
        }
    });
    bool found = false;
    each_bytes(layout, layout.out, out, [&](std::uintptr_t from, std::uintptr_t to) {
        for (from = std::max(from, begin); from < std::min(to, common); ++from) {
            found = found || read[from - begin];
        }
    });
    return found;
}

}  // namespace

CufftTransform::CufftTransform(const CufftLayout& layout) : layout_(layout) {
    values_.resize(at(volume(layout.complex_extents())));
    if (layout.in.real || layout.out.real) reals_.resize(at(volume(layout.n)));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (layout.n[axis] == 1) continue;
        lines_[axis].resize(at(layout.n[axis]));
        if (!layout.out.real) transforms_[axis][0].emplace(layout.n[axis], -1);
        if (!layout.in.real) transforms_[axis][1].emplace(layout.n[axis], 1);
    }
}

ReferenceLine& CufftTransform::line_of(std::size_t axis, int direction) {
    return *transforms_[axis][direction > 0 ? 1 : 0];
}

void CufftTransform::transform(std::size_t axis, int direction) {
    if (layout_.n[axis] == 1) return;
    const Extents extents = layout_.complex_extents();
    const Extents strides = {extents[1] * extents[2], extents[2], 1};
    const std::size_t a = axis == 0 ? 1 : 0;
    const std::size_t b = axis == 2 ? 1 : 2;
    std::vector<Complex>& line = lines_[axis];
    for (Index i = 0; i < extents[a]; ++i) {
        for (Index j = 0; j < extents[b]; ++j) {
            Complex* first = &values_[at(i * strides[a] + j * strides[b])];
            for (Index k = 0; k < extents[axis]; ++k) line[at(k)] = first[k * strides[axis]];
            line_of(axis, direction).transform(line);
            for (Index k = 0; k < extents[axis]; ++k) first[k * strides[axis]] = line[at(k)];
        }
    }
}

void CufftTransform::real_to_complex() {
    const Index n = layout_.n[2];
    const Index half = n / 2 + 1;
    std::vector<Complex>& line = lines_[2];
    for (Index row = 0; row < layout_.n[0] * layout_.n[1]; ++row) {
        if (n == 1) {
            values_[at(row)] = reals_[at(row)];
            continue;
        }
        std::copy_n(&reals_[at(row * n)], n, line.begin());
        line_of(2, -1).transform(line);
        std::copy_n(line.begin(), half, &values_[at(row * half)]);
    }
}

// The imaginary parts of the first element, and of the middle one, are not used.
void CufftTransform::complex_to_real() {
    const Index n = layout_.n[2];
    const Index half = n / 2 + 1;
    std::vector<Complex>& line = lines_[2];
    for (Index row = 0; row < layout_.n[0] * layout_.n[1]; ++row) {
        if (n == 1) {
            reals_[at(row)] = values_[at(row)].real();
            continue;
        }
        for (Index k = 0; k < half; ++k) {
            const Complex value = values_[at(row * half + k)];
            line[at(k)] = k == 0 || 2 * k == n ? Complex(value.real()) : value;
            if (k != 0) line[at(n - k)] = std::conj(line[at(k)]);
        }
        line_of(2, 1).transform(line);
        std::copy_n(line.begin(), n, &reals_[at(row * n)]);
    }
}

template <class Real>
void CufftTransform::load(const CufftSide& side, Index b, const Real* in) {
    Complex* next = side.real ? reals_.data() : values_.data();
    side.each(b, [&](Index place) {
        *next++ = side.real ? Complex(in[place]) : Complex(in[2 * place], in[2 * place + 1]);
    });
}

template <class Real>
void CufftTransform::store(const CufftSide& side, Index b, Real* out) {
    const Complex* next = side.real ? reals_.data() : values_.data();
    side.each(b, [&](Index place) {
        const Complex value = *next++;
        if (side.real) {
            out[place] = static_cast<Real>(value.real());
        } else {
            out[2 * place] = static_cast<Real>(value.real());
            out[2 * place + 1] = static_cast<Real>(value.imag());
        }
    });
}

/// Into the work area and out of it, where somebody who uses it at the same time changes them.
template <class Real>
void CufftTransform::pass_through(Real* work) {
    if (layout_.work_bytes() == 0) return;
    const auto count = static_cast<Index>(values_.size());
    for (Index i = 0; i < count; ++i) {
        work[2 * i] = static_cast<Real>(values_[at(i)].real());
        work[2 * i + 1] = static_cast<Real>(values_[at(i)].imag());
    }
    for (Index i = 0; i < count; ++i) values_[at(i)] = {work[2 * i], work[2 * i + 1]};
    std::fill_n(work, 2 * count, std::numeric_limits<Real>::quiet_NaN());
}

template <class Real>
void CufftTransform::run_as(const CufftLayout& layout, const Arrays<Real>& arrays, int direction) {
    const bool in_place = static_cast<const void*>(arrays.in) == arrays.out;
    const bool defined = in_place ? layout.works_in_place() : !meet(layout, arrays.in, arrays.out);
    for (Index b = 0; b < layout.batch; ++b) {
        if (!defined) {
            fill_with_nan(layout.out, b, arrays.out);
            continue;
        }
        load(layout.in, b, arrays.in);
        if (layout.in.real) {
            real_to_complex();
        } else if (!layout.out.real) {
            transform(2, direction);
        }
        transform(1, direction);
        transform(0, direction);
        pass_through(arrays.work);
        if (layout.out.real) complex_to_real();
        if (layout.out.real && layout.rank > 1 && !in_place) {
            fill_with_nan(layout.in, b, const_cast<Real*>(arrays.in));
        }
        store(layout.out, b, arrays.out);
    }
}

void CufftTransform::run(const CufftLayout& layout, const std::byte* in, std::byte* out,
                         std::byte* work, int direction) {
    const std::scoped_lock lock(mutex_);
    if (layout.is_double()) {
        run_as<double>(layout,
                       {reinterpret_cast<const double*>(in), reinterpret_cast<double*>(out),
                        reinterpret_cast<double*>(work)},
                       direction);
    } else {
        run_as<float>(layout,
                      {reinterpret_cast<const float*>(in), reinterpret_cast<float*>(out),
                       reinterpret_cast<float*>(work)},
                      direction);
    }
}

}  // namespace weft::core::emulated
