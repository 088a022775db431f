// Transforms of 1 to 16 complex numbers in registers: X[k] = sum_j x[j] exp(-2 pi i jk/n).
#pragma once

#include "device/gpu/kernel.hpp"

namespace weft::core::WEFT_GPU_TARGET {

template <class Real>
struct alignas(2 * sizeof(Real)) Complex {
    Real re;
    Real im;
};

template <class Real>
WEFT_DEVICE_CODE Complex<Real> operator+(const Complex<Real>& a, const Complex<Real>& b) {
    return {a.re + b.re, a.im + b.im};
}
template <class Real>
WEFT_DEVICE_CODE Complex<Real> operator-(const Complex<Real>& a, const Complex<Real>& b) {
    return {a.re - b.re, a.im - b.im};
}
template <class Real>
WEFT_DEVICE_CODE Complex<Real> operator*(const Complex<Real>& a, const Complex<Real>& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// -i a
template <class Real>
WEFT_DEVICE_CODE Complex<Real> turned(const Complex<Real>& a) {
    return {a.im, -a.re};
}

/// cos(2 pi k/n) for n = 3, 5, 7 and k <= n/2.
WEFT_BOTH_CODE constexpr double first_cosine(int n, int k) {
    if (k == 0) return 1;
    if (n == 3) return -0.5;
    if (n == 5) return k == 1 ? 0.309016994374947424102 : -0.809016994374947424102;
    if (k == 1) return 0.623489801858733530525;
    return k == 2 ? -0.222520933956314404289 : -0.900968867902419126236;
}
/// sin(2 pi k/n) for n = 3, 5, 7 and k <= n/2.
WEFT_BOTH_CODE constexpr double first_sine(int n, int k) {
    if (k == 0) return 0;
    if (n == 3) return 0.866025403784438646764;
    if (n == 5) return k == 1 ? 0.951056516295153572116 : 0.587785252292473129169;
    if (k == 1) return 0.781831482468029808708;
    return k == 2 ? 0.974927912181823607018 : 0.433883739117558120475;
}
/// For n = 3, 5, 7 and k < n.
WEFT_BOTH_CODE constexpr double cosine(int n, int k) {
    return first_cosine(n, 2 * k > n ? n - k : k);
}
WEFT_BOTH_CODE constexpr double sine(int n, int k) {
    return 2 * k > n ? -first_sine(n, n - k) : first_sine(n, k);
}

/// Of an odd number N of values, from the sums and the differences of those that mirror each other.
template <int N>
struct Butterfly {
    template <class Real>
    WEFT_DEVICE_CODE static void transform(Complex<Real>* x) {
        constexpr int half = (N - 1) / 2;
        Complex<Real> sum[half];
        Complex<Real> difference[half];
        const Complex<Real> x0 = x[0];
        WEFT_UNROLL
        for (int j = 0; j < half; ++j) {
            sum[j] = x[j + 1] + x[N - 1 - j];
            difference[j] = x[j + 1] - x[N - 1 - j];
            x[0] = x[0] + sum[j];
        }
        WEFT_UNROLL
        for (int k = 1; k <= half; ++k) {
            Complex<Real> even = x0;
            Complex<Real> odd{0, 0};
            WEFT_UNROLL
            for (int j = 1; j <= half; ++j) {
                const Real c = static_cast<Real>(cosine(N, j * k % N));
                const Real s = static_cast<Real>(sine(N, j * k % N));
                even = {even.re + c * sum[j - 1].re, even.im + c * sum[j - 1].im};
                odd = {odd.re + s * difference[j - 1].re, odd.im + s * difference[j - 1].im};
            }
            x[k] = even + turned(odd);
            x[N - k] = even - turned(odd);
        }
    }
};

template <>
struct Butterfly<1> {
    template <class Real>
    WEFT_DEVICE_CODE static void transform(Complex<Real>* /*x*/) {}
};

template <>
struct Butterfly<2> {
    template <class Real>
    WEFT_DEVICE_CODE static void transform(Complex<Real>* x) {
        const Complex<Real> a = x[0];
        x[0] = a + x[1];
        x[1] = a - x[1];
    }
};

template <>
struct Butterfly<4> {
    template <class Real>
    WEFT_DEVICE_CODE static void transform(Complex<Real>* x) {
        const Complex<Real> a = x[0] + x[2];
        const Complex<Real> b = x[0] - x[2];
        const Complex<Real> c = x[1] + x[3];
        const Complex<Real> d = turned(x[1] - x[3]);
        x[0] = a + c;
        x[1] = b + d;
        x[2] = a - c;
        x[3] = b - d;
    }
};

template <>
struct Butterfly<8> {
    template <class Real>
    WEFT_DEVICE_CODE static void transform(Complex<Real>* x) {
        const auto root = static_cast<Real>(0.707106781186547524401);
        Complex<Real> even[4] = {x[0], x[2], x[4], x[6]};
        Complex<Real> odd[4] = {x[1], x[3], x[5], x[7]};
        Butterfly<4>::transform(even);
        Butterfly<4>::transform(odd);
        // Times exp(-2 pi i k/8).
        odd[1] = {root * (odd[1].re + odd[1].im), root * (odd[1].im - odd[1].re)};
        odd[2] = turned(odd[2]);
        odd[3] = {root * (odd[3].im - odd[3].re), root * (-odd[3].re - odd[3].im)};
        WEFT_UNROLL
        for (int k = 0; k < 4; ++k) {
            x[k] = even[k] + odd[k];
            x[k + 4] = even[k] - odd[k];
        }
    }
};

/// 4 x 4: x[i + 4j] -> y[i][k], times exp(-2 pi i ik/16), -> X[k + 4m].
template <>
struct Butterfly<16> {
    template <class Real>
    WEFT_DEVICE_CODE static void transform(Complex<Real>* x) {
        Complex<Real> y[4][4];
        WEFT_UNROLL
        for (int i = 0; i < 4; ++i) {
            WEFT_UNROLL
            for (int j = 0; j < 4; ++j) y[i][j] = x[i + 4 * j];
            Butterfly<4>::transform(y[i]);
        }
        turn(y);
        WEFT_UNROLL
        for (int k = 0; k < 4; ++k) {
            Complex<Real> z[4] = {y[0][k], y[1][k], y[2][k], y[3][k]};
            Butterfly<4>::transform(z);
            WEFT_UNROLL
            for (int m = 0; m < 4; ++m) x[k + 4 * m] = z[m];
        }
    }

  private:
    template <class Real>
    WEFT_DEVICE_CODE static void turn(Complex<Real> (&y)[4][4]) {
        const auto c = static_cast<Real>(0.923879532511286756128);  // cos(pi/8)
        const auto s = static_cast<Real>(0.382683432365089771728);  // sin(pi/8)
        const auto h = static_cast<Real>(0.707106781186547524401);
        y[1][1] = y[1][1] * Complex<Real>{c, -s};
        y[1][2] = y[1][2] * Complex<Real>{h, -h};
        y[1][3] = y[1][3] * Complex<Real>{s, -c};
        y[2][1] = y[2][1] * Complex<Real>{h, -h};
        y[2][2] = turned(y[2][2]);
        y[2][3] = y[2][3] * Complex<Real>{-h, -h};
        y[3][1] = y[3][1] * Complex<Real>{s, -c};
        y[3][2] = y[3][2] * Complex<Real>{-h, -h};
        y[3][3] = y[3][3] * Complex<Real>{-c, s};
    }
};

}  // namespace weft::core::WEFT_GPU_TARGET
