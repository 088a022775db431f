#include "api/untyped.hpp"

namespace weft::core {

namespace {

template <class Real>
Transform bind_as(const weft::Plan& plan, void* in, void* out) {
    using Complex = std::complex<Real>;
    switch (plan.problem().kind) {
        case Kind::r2c:
            return plan.bind(static_cast<Real*>(in), static_cast<Complex*>(out));
        case Kind::c2r:
            return plan.bind(static_cast<Complex*>(in), static_cast<Real*>(out));
        case Kind::c2c:
            break;
    }
    return plan.bind(static_cast<Complex*>(in), static_cast<Complex*>(out));
}

}  // namespace

Transform bind_untyped(const weft::Plan& plan, void* in, void* out) {
    return plan.problem().precision == Precision::f64 ? bind_as<double>(plan, in, out)
                                                      : bind_as<float>(plan, in, out);
}

}  // namespace weft::core
