#include "verify/signal.hpp"

#include "base/random.hpp"

namespace weft::core {

namespace {

/// -1 .. 1 with 24 bits, so that single precision holds it exactly.
long double unit(std::uint64_t bits) {
    return static_cast<long double>(bits >> 40U) / static_cast<long double>(1U << 23U) - 1;
}

}  // namespace

Exact sample(std::uint64_t seed, Index linear, bool complex) {
    const std::uint64_t key = mix(seed) ^ mix(static_cast<std::uint64_t>(linear) + 1);
    return {unit(mix(key)), complex ? unit(mix(key + 1)) : 0};
}

Index linear_index(const std::vector<Index>& shape, const std::vector<Index>& point) {
    Index linear = 0;
    for (std::size_t a = 0; a < shape.size(); ++a) linear = linear * shape[a] + point[a];
    return linear;
}

namespace {

template <class Real>
Exact get_as(const std::byte* array, bool complex, Index offset) {
    const auto* values = reinterpret_cast<const Real*>(array);
    if (!complex) return values[offset];
    return {values[2 * offset], values[2 * offset + 1]};
}

template <class Real>
void put_as(std::byte* array, bool complex, Index offset, const Exact& value) {
    auto* values = reinterpret_cast<Real*>(array);
    if (!complex) {
        values[offset] = static_cast<Real>(value.real());
        return;
    }
    values[2 * offset] = static_cast<Real>(value.real());
    values[2 * offset + 1] = static_cast<Real>(value.imag());
}

}  // namespace

Exact get(const std::byte* array, const Scalar& scalar, Index offset) {
    return scalar.precision == Precision::f64 ? get_as<double>(array, scalar.complex, offset)
                                              : get_as<float>(array, scalar.complex, offset);
}

void put(std::byte* array, const Scalar& scalar, Index offset, const Exact& value) {
    if (scalar.precision == Precision::f64) {
        put_as<double>(array, scalar.complex, offset, value);
    } else {
        put_as<float>(array, scalar.complex, offset, value);
    }
}

}  // namespace weft::core
