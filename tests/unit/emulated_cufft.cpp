// The emulated cuFFT against the definition of the DFT, in all layouts that weft may ask for.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <vector>

#include "base/random.hpp"
#include "testing/emulated/cufft/cufft.hpp"
#include "unit/emulated_work.hpp"

namespace weft::core::emulated {

namespace {

using test::late;
using test::on_device;
using test::stream;
using Complex = std::complex<double>;
using Sizes = std::array<long long, 3>;

std::size_t at(long long index) { return static_cast<std::size_t>(index); }

/// One end of a transform, as cuFFT says it.
struct End {
    Sizes embed{1, 1, 1};
    long long stride = 1;
    long long distance = 0;
};

/// Where element (i, j, k) of transform b is, by cuFFT's manual; the first axes of fewer than three
/// are of one element.
long long place(const End& end, int rank, long long b, const Sizes& index) {
    const long long i = index[0];
    const long long j = index[1];
    const long long k = index[2];
    const long long row = rank == 1 ? 0 : rank == 2 ? j : i * end.embed[1] + j;
    return b * end.distance + (rank == 1 ? k : row * end.embed[2] + k) * end.stride;
}

template <class Visit>
void each(const Sizes& extents, const Visit& visit) {
    for (long long i = 0; i < extents[0]; ++i) {
        for (long long j = 0; j < extents[1]; ++j) {
            for (long long k = 0; k < extents[2]; ++k) visit(Sizes{i, j, k});
        }
    }
}

/// X[index] = sum x exp(direction 2 pi i ...), by the definition; x in rows.
Complex element_of_dft(const std::vector<Complex>& x, const Sizes& n, const Sizes& index,
                       int direction) {
    std::complex<long double> sum = 0;
    std::size_t next = 0;
    each(n, [&](const Sizes& from) {
        long double turns = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            turns += static_cast<long double>(from[axis] * index[axis] % n[axis]) /
                     static_cast<long double>(n[axis]);
        }
        const long double angle = direction * 2 * std::numbers::pi_v<long double> * turns;
        const std::complex<long double> value(x[next].real(), x[next].imag());
        sum += value * std::complex<long double>(std::cos(angle), std::sin(angle));
        ++next;
    });
    return {static_cast<double>(sum.real()), static_cast<double>(sum.imag())};
}

/// A problem, and its arrays of real numbers as the host sees them.
struct Problem {
    int rank = 1;
    Sizes n{1, 1, 1};
    long long batch = 1;
    cufftType type = CUFFT_Z2Z;
    End in;
    End out;
    bool dense = false;
    bool in_place = false;
    int direction = CUFFT_FORWARD;

    [[nodiscard]] bool real_in() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
    [[nodiscard]] bool real_out() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
    [[nodiscard]] bool is_double() const {
        return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
    }
    [[nodiscard]] Sizes half() const { return {n[0], n[1], n[2] / 2 + 1}; }
    [[nodiscard]] Sizes extents(bool input) const {
        const bool complex_half = input ? real_out() : real_in();
        return complex_half ? half() : n;
    }
    /// Numbers that the array of an end spans.
    [[nodiscard]] std::size_t numbers(bool input) const {
        const Sizes e = extents(input);
        const long long last =
            place(input ? in : out, rank, batch - 1, {e[0] - 1, e[1] - 1, e[2] - 1});
        const bool real = input ? real_in() : real_out();
        return at(real ? last + 1 : 2 * (last + 1));
    }
};

/// Values of the caller's domain of transform b, in rows: of a real one, real. What the input has
/// is made from them, so that both directions have an oracle.
std::vector<Complex> draw(const Problem& problem, Random& random) {
    std::vector<Complex> values;
    each(problem.n, [&](const Sizes& /*index*/) {
        const double re = static_cast<double>(random.between(-1000, 1000)) / 1000;
        const double im = static_cast<double>(random.between(-1000, 1000)) / 1000;
        values.emplace_back(re, problem.real_in() || problem.real_out() ? 0 : im);
    });
    return values;
}

/// Input and expected output of all transforms, as arrays of numbers; what has no element is `gap`.
struct Arrays {
    static constexpr double gap = 12345;
    std::vector<double> in;
    std::vector<double> out;
};

void put(std::vector<double>& array, bool real, long long where, Complex value) {
    if (real) {
        array[at(where)] = value.real();
    } else {
        array[at(2 * where)] = value.real();
        array[at(2 * where + 1)] = value.imag();
    }
}

Arrays make_arrays(const Problem& problem, Random& random) {
    Arrays arrays;
    arrays.in.assign(problem.numbers(true), Arrays::gap);
    arrays.out.assign(problem.numbers(false), Arrays::gap);
    const auto count = static_cast<double>(problem.n[0] * problem.n[1] * problem.n[2]);
    for (long long b = 0; b < problem.batch; ++b) {
        const auto values = draw(problem, random);
        std::size_t next = 0;
        if (problem.real_out()) {
            // The input is the spectrum of the values, so the output is they times their number.
            each(problem.half(), [&](const Sizes& index) {
                put(arrays.in, false, place(problem.in, problem.rank, b, index),
                    element_of_dft(values, problem.n, index, -1));
            });
            each(problem.n, [&](const Sizes& index) {
                put(arrays.out, true, place(problem.out, problem.rank, b, index),
                    count * values[next++]);
            });
            continue;
        }
        each(problem.n, [&](const Sizes& index) {
            put(arrays.in, problem.real_in(), place(problem.in, problem.rank, b, index),
                values[next++]);
        });
        each(problem.extents(false), [&](const Sizes& index) {
            put(arrays.out, false, place(problem.out, problem.rank, b, index),
                element_of_dft(values, problem.n, index, problem.direction));
        });
    }
    return arrays;
}

cufftResult make_plan(cufftHandle plan, Problem problem, std::size_t* work_bytes) {
    const int first = 3 - problem.rank;
    long long* n = &problem.n[at(first)];
    long long* inembed = problem.dense ? nullptr : &problem.in.embed[at(first)];
    long long* onembed = problem.dense ? nullptr : &problem.out.embed[at(first)];
    // Strides beside no embedding are not used.
    const long long stride = problem.dense ? 77 : problem.in.stride;
    return cufftMakePlanMany64(plan, problem.rank, n, inembed, stride, problem.in.distance, onembed,
                               problem.out.stride, problem.out.distance, problem.type,
                               problem.batch, work_bytes);
}

cufftResult execute(cufftHandle plan, const Problem& problem, void* in, void* out) {
    switch (problem.type) {
        case CUFFT_C2C:
            return cufftExecC2C(plan, static_cast<cufftComplex*>(in),
                                static_cast<cufftComplex*>(out), problem.direction);
        case CUFFT_R2C:
            return cufftExecR2C(plan, static_cast<cufftReal*>(in), static_cast<cufftComplex*>(out));
        case CUFFT_C2R:
            return cufftExecC2R(plan, static_cast<cufftComplex*>(in), static_cast<cufftReal*>(out));
        case CUFFT_Z2Z:
            return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(in),
                                static_cast<cufftDoubleComplex*>(out), problem.direction);
        case CUFFT_D2Z:
            return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(in),
                                static_cast<cufftDoubleComplex*>(out));
        default:
            return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(in),
                                static_cast<cufftDoubleReal*>(out));
    }
}

std::vector<std::byte> bytes_of(const std::vector<double>& numbers, bool is_double) {
    const std::size_t size = is_double ? 8 : 4;
    std::vector<std::byte> bytes(numbers.size() * size);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto single = static_cast<float>(numbers[i]);
        std::memcpy(&bytes[i * size], is_double ? static_cast<const void*>(&numbers[i]) : &single,
                    size);
    }
    return bytes;
}

std::vector<double> numbers_of(const std::vector<std::byte>& bytes, bool is_double) {
    const std::size_t size = is_double ? 8 : 4;
    std::vector<double> numbers(bytes.size() / size);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        float single = 0;
        std::memcpy(is_double ? static_cast<void*>(&numbers[i]) : &single, &bytes[i * size], size);
        if (!is_double) numbers[i] = single;
    }
    return numbers;
}

/// What the arrays hold after the transform has run on the device.
struct Outcome {
    std::vector<double> in;
    std::vector<double> out;
};

Outcome run(const Problem& problem, const Arrays& arrays) {
    const bool is_double = problem.is_double();
    auto in_bytes = bytes_of(arrays.in, is_double);
    std::vector<std::byte> out_bytes(arrays.out.size() * (is_double ? 8 : 4));
    const std::size_t size = std::max(in_bytes.size(), out_bytes.size());
    auto* in = on_device<std::byte>(problem.in_place ? size : in_bytes.size());
    auto* out = problem.in_place ? in : on_device<std::byte>(out_bytes.size());
    const auto gaps = bytes_of(std::vector<double>(arrays.out.size(), Arrays::gap), is_double);
    EXPECT_EQ(cudaMemcpy(out, gaps.data(), gaps.size(), cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(in, in_bytes.data(), in_bytes.size(), cudaMemcpyDefault), cudaSuccess);
    const cudaStream_t own = stream();
    cufftHandle plan = CUFFT_PLAN_NULL;
    std::size_t work_bytes = 0;
    EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    EXPECT_EQ(make_plan(plan, problem, &work_bytes), CUFFT_SUCCESS);
    EXPECT_EQ(cufftSetStream(plan, own), CUFFT_SUCCESS);
    EXPECT_EQ(execute(plan, problem, in, out), CUFFT_SUCCESS);
    EXPECT_EQ(cudaStreamSynchronize(own), cudaSuccess);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    EXPECT_EQ(cudaMemcpy(in_bytes.data(), in, in_bytes.size(), cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(out_bytes.data(), out, out_bytes.size(), cudaMemcpyDefault), cudaSuccess);
    return {numbers_of(in_bytes, is_double), numbers_of(out_bytes, is_double)};
}

/// The largest difference; in place, elements of the input stay where the output has gaps.
double difference(const Problem& problem, const std::vector<double>& seen,
                  const std::vector<double>& expected) {
    double largest = 0;
    EXPECT_EQ(seen.size(), expected.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (problem.in_place && expected[i] == Arrays::gap) continue;
        if (std::isnan(seen[i])) return seen[i];
        largest = std::max(largest, std::abs(seen[i] - expected[i]));
    }
    return largest;
}

void check(const Problem& problem, std::uint64_t seed) {
    Random random(seed);
    const Arrays arrays = make_arrays(problem, random);
    const Outcome outcome = run(problem, arrays);
    const double bound = problem.is_double() ? 1e-11 : 2e-4;
    EXPECT_LT(difference(problem, outcome.out, arrays.out), bound)
        << "seed " << seed << ", rank " << problem.rank << ", n " << problem.n[0] << ' '
        << problem.n[1] << ' ' << problem.n[2] << ", type " << problem.type;
    const bool spoilt = problem.real_out() && problem.rank > 1;
    if (problem.in_place || spoilt) return;
    EXPECT_EQ(outcome.in,
              numbers_of(bytes_of(arrays.in, problem.is_double()), problem.is_double()));
}

/// Transforms one after the other in memory, rows dense or with room behind them.
void lay_out_rows(End& end, const Sizes& extents, long long room, long long stride) {
    end.embed = {extents[0], extents[1] + (room > 1 ? 1 : 0), extents[2] + room};
    end.stride = stride;
    end.distance = end.embed[0] * end.embed[1] * end.embed[2] * stride;
}

Problem drawn(Random& random) {
    Problem problem;
    problem.type = std::array{
        CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}[at(random.between(0, 5))];
    problem.rank = static_cast<int>(random.between(1, 3));
    for (std::size_t axis = at(3 - problem.rank); axis < 3; ++axis) {
        problem.n[axis] = random.between(1, problem.rank == 1 ? 30 : 7);
    }
    problem.batch = random.between(1, 4);
    problem.direction = problem.real_out() || random.between(0, 1) == 1 ? 1 : -1;
    if (problem.real_in()) problem.direction = -1;
    for (const bool input : {true, false}) {
        End& end = input ? problem.in : problem.out;
        if (random.between(0, 1) == 0) {
            lay_out_rows(end, problem.extents(input), random.between(0, 2), random.between(1, 3));
        } else {
            // Lines side by side: the batch is the fastest.
            lay_out_rows(end, problem.extents(input), 0, problem.batch + random.between(0, 2));
            end.distance = 1;
        }
    }
    return problem;
}

TEST(EmulatedCufft, ComputesWhatIsDefined) {
    set_emulated_device("delay:0");
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        check(drawn(random), seed);
    }
}

TEST(EmulatedCufft, InPlace) {
    set_emulated_device("delay:0");
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Problem problem = drawn(random);
        problem.in_place = true;
        if (problem.real_in() || problem.real_out()) {
            End& real = problem.real_in() ? problem.in : problem.out;
            End& complex = problem.real_in() ? problem.out : problem.in;
            lay_out_rows(complex, problem.half(), 0, 1);
            lay_out_rows(real, {problem.n[0], problem.n[1], 2 * (problem.n[2] / 2 + 1)}, 0, 1);
        } else {
            problem.out = problem.in;
        }
        check(problem, seed);
    }
}

TEST(EmulatedCufft, DenseWhereNothingIsSaid) {
    set_emulated_device("delay:0");
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Problem problem = drawn(random);
        problem.dense = true;
        problem.in_place = seed % 2 == 0;
        lay_out_rows(problem.in, problem.extents(true), 0, 1);
        lay_out_rows(problem.out, problem.extents(false), 0, 1);
        if (problem.in_place && (problem.real_in() || problem.real_out())) {
            End& real = problem.real_in() ? problem.in : problem.out;
            lay_out_rows(real, {problem.n[0], problem.n[1], 2 * (problem.n[2] / 2 + 1)}, 0, 1);
        }
        check(problem, seed);
    }
}

/// n0 x n1 x n2, dense.
Problem dense_problem(cufftType type, int rank, const Sizes& n) {
    Problem problem;
    problem.type = type;
    problem.rank = rank;
    problem.n = n;
    problem.direction = problem.real_out() ? CUFFT_INVERSE : CUFFT_FORWARD;
    lay_out_rows(problem.in, problem.extents(true), 0, 1);
    lay_out_rows(problem.out, problem.extents(false), 0, 1);
    return problem;
}

TEST(EmulatedCufft, SpoilsTheInputOfRealOutputOfSeveralDimensions) {
    set_emulated_device("");
    Random random(1);
    for (int rank = 1; rank <= 3; ++rank) {
        const Problem problem =
            dense_problem(CUFFT_Z2D, rank, {rank > 2 ? 3 : 1, rank > 1 ? 4 : 1, 6});
        const Arrays arrays = make_arrays(problem, random);
        const Outcome outcome = run(problem, arrays);
        for (std::size_t i = 0; i < arrays.in.size(); ++i) {
            EXPECT_EQ(std::isnan(outcome.in[i]), rank > 1) << rank;
        }
    }
}

// The sides share memory, but not as cuFFT allows.
TEST(EmulatedCufft, OverlapsGiveNothing) {
    set_emulated_device("");
    auto* data = on_device<cufftDoubleComplex>(40);
    const std::vector<double> zeros(80);
    const auto nan_after = [&](const End& in, const End& out, long long to) {
        Problem problem = dense_problem(CUFFT_Z2Z, 1, {1, 1, 5});
        problem.batch = 2;
        problem.in = in;
        problem.out = out;
        cufftHandle plan = CUFFT_PLAN_NULL;
        std::size_t bytes = 0;
        std::vector<double> host(80);
        EXPECT_EQ(cudaMemcpy(data, zeros.data(), 640, cudaMemcpyDefault), cudaSuccess);
        EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
        EXPECT_EQ(make_plan(plan, problem, &bytes), CUFFT_SUCCESS);
        EXPECT_EQ(cufftExecZ2Z(plan, data, data + to, CUFFT_FORWARD), CUFFT_SUCCESS);
        EXPECT_EQ(cudaMemcpy(host.data(), data, 640, cudaMemcpyDefault), cudaSuccess);
        EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
        return std::isnan(host[at(2 * to)]);
    };
    const End rows{{1, 1, 5}, 1, 5};
    const End columns{{1, 1, 5}, 2, 1};
    const End apart{{1, 1, 5}, 4, 1};
    EXPECT_FALSE(nan_after(rows, rows, 0));
    EXPECT_TRUE(nan_after(rows, columns, 0));
    EXPECT_TRUE(nan_after(rows, rows, 9));
    EXPECT_FALSE(nan_after(rows, rows, 10));
    EXPECT_FALSE(nan_after(apart, apart, 2));
    EXPECT_TRUE(nan_after(apart, apart, 1));
}

/// Two plans of 64 elements with one work area, in two streams.
bool two_plans_agree() {
    const Problem problem = dense_problem(CUFFT_Z2Z, 1, {1, 1, 64});
    cufftDoubleComplex* work = nullptr;
    std::vector<cufftHandle> plans(2);
    std::vector<cudaStream_t> streams = {stream(), stream()};
    std::vector<cufftDoubleComplex*> data(2);
    const std::vector<double> ones(128, 1);
    for (std::size_t p = 0; p < 2; ++p) {
        std::size_t bytes = 0;
        EXPECT_EQ(cufftCreate(&plans[p]), CUFFT_SUCCESS);
        EXPECT_EQ(cufftSetAutoAllocation(plans[p], 0), CUFFT_SUCCESS);
        EXPECT_EQ(make_plan(plans[p], problem, &bytes), CUFFT_SUCCESS);
        EXPECT_GT(bytes, 0U);
        std::size_t same = 0;
        EXPECT_EQ(cufftGetSize(plans[p], &same), CUFFT_SUCCESS);
        EXPECT_EQ(same, bytes);
        if (work == nullptr) work = on_device<cufftDoubleComplex>(bytes / 16);
        EXPECT_EQ(cufftSetWorkArea(plans[p], work), CUFFT_SUCCESS);
        EXPECT_EQ(cufftSetStream(plans[p], streams[p]), CUFFT_SUCCESS);
        data[p] = on_device<cufftDoubleComplex>(64);
        EXPECT_EQ(cudaMemcpyAsync(data[p], ones.data(), 1024, cudaMemcpyDefault, streams[p]),
                  cudaSuccess);
    }
    EXPECT_EQ(cufftExecZ2Z(plans[0], data[0], data[0], CUFFT_FORWARD), CUFFT_SUCCESS);
    test::order(streams[0], streams[1]);
    EXPECT_EQ(cufftExecZ2Z(plans[1], data[1], data[1], CUFFT_FORWARD), CUFFT_SUCCESS);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    // It is left as nobody can use it.
    std::vector<double> left(2);
    EXPECT_EQ(cudaMemcpy(left.data(), work, 16, cudaMemcpyDefault), cudaSuccess);
    EXPECT_TRUE(std::isnan(left[0]) && std::isnan(left[1]));
    std::vector<double> first(128);
    std::vector<double> second(128);
    EXPECT_EQ(cudaMemcpy(first.data(), data[0], 1024, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(second.data(), data[1], 1024, cudaMemcpyDefault), cudaSuccess);
    for (const cufftHandle plan : plans) EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    return first == second && std::abs(first[0] - 64) < 1e-12;
}

TEST(EmulatedCufft, PlansShareAWorkArea) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        set_emulated_device(late(seed));
        EXPECT_TRUE(two_plans_agree()) << seed;
    }
}

TEST(EmulatedCufft, RunsInItsStream) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        for (const bool waits : {true, false}) {
            set_emulated_device(late(seed));
            const cudaStream_t copies = stream();
            const cudaStream_t compute = stream();
            const Problem problem = dense_problem(CUFFT_D2Z, 1, {1, 1, 4});
            std::vector<double> host = {1, 2, 3, 4};
            auto* in = on_device<double>(4);
            auto* out = on_device<cufftDoubleComplex>(3);
            cufftHandle plan = CUFFT_PLAN_NULL;
            std::size_t bytes = 0;
            EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
            EXPECT_EQ(make_plan(plan, problem, &bytes), CUFFT_SUCCESS);
            EXPECT_EQ(cufftSetStream(plan, compute), CUFFT_SUCCESS);
            test::write(host, in, copies);
            if (waits) test::order(copies, compute);
            EXPECT_EQ(cufftExecD2Z(plan, in, out), CUFFT_SUCCESS);
            EXPECT_EQ(cudaStreamSynchronize(compute), cudaSuccess);
            std::vector<double> result(6);
            EXPECT_EQ(cudaMemcpy(result.data(), out, 48, cudaMemcpyDefault), cudaSuccess);
            const bool right = std::abs(result[0] - 10) < 1e-12 && std::abs(result[4] + 2) < 1e-12;
            const bool copied_at_once = (seed & 1) != 0;
            EXPECT_EQ(right, waits || copied_at_once) << seed;
            EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
        }
    }
}

TEST(EmulatedCufft, PlansAreChecked) {
    set_emulated_device("memory:100000");
    std::size_t bytes = 0;
    const auto made = [&](const Problem& problem, std::size_t* size) {
        cufftHandle plan = CUFFT_PLAN_NULL;
        EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
        const cufftResult result = make_plan(plan, problem, size);
        EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
        EXPECT_EQ(cufftDestroy(plan), CUFFT_INVALID_PLAN);
        return result;
    };
    const Problem good = dense_problem(CUFFT_Z2Z, 2, {1, 4, 6});
    EXPECT_EQ(made(good, &bytes), CUFFT_SUCCESS);
    EXPECT_EQ(made(good, nullptr), CUFFT_INVALID_VALUE);
    Problem bad = good;
    bad.n[2] = 0;
    EXPECT_EQ(made(bad, &bytes), CUFFT_INVALID_SIZE);
    bad = good;
    bad.batch = 0;
    EXPECT_EQ(made(bad, &bytes), CUFFT_INVALID_SIZE);
    bad = good;
    bad.type = static_cast<cufftType>(7);
    EXPECT_EQ(made(bad, &bytes), CUFFT_INVALID_TYPE);
    bad = good;
    bad.out.stride = 0;
    EXPECT_EQ(made(bad, &bytes), CUFFT_INVALID_VALUE);
    bad = good;
    bad.in.embed[2] = 5;
    EXPECT_EQ(made(bad, &bytes), CUFFT_INVALID_VALUE);
    EXPECT_EQ(made(dense_problem(CUFFT_Z2Z, 1, {1, 1, 10000}), &bytes), CUFFT_ALLOC_FAILED);
    long long n[] = {2, 2, 2, 2};
    cufftHandle plan = CUFFT_PLAN_NULL;
    EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftMakePlanMany64(plan, 4, n, nullptr, 1, 1, nullptr, 1, 1, CUFFT_C2C, 1, &bytes),
              CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftExecC2C(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    EXPECT_EQ(make_plan(plan, good, &bytes), CUFFT_SUCCESS);
    EXPECT_EQ(make_plan(plan, good, &bytes), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftSetAutoAllocation(plan, 0), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftSetStream(CUFFT_PLAN_NULL, nullptr), CUFFT_INVALID_PLAN);
}

TEST(EmulatedCufft, ArraysAreChecked) {
    set_emulated_device("");
    std::size_t bytes = 0;
    cufftHandle plan = CUFFT_PLAN_NULL;
    EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftSetAutoAllocation(plan, 0), CUFFT_SUCCESS);
    EXPECT_EQ(make_plan(plan, dense_problem(CUFFT_D2Z, 1, {1, 1, 8}), &bytes), CUFFT_SUCCESS);
    auto* in = on_device<double>(9);
    auto* out = on_device<cufftDoubleComplex>(5);
    auto* work = on_device<std::byte>(bytes);
    std::vector<double> host(10);
    EXPECT_EQ(cufftExecD2Z(plan, in, out), CUFFT_NO_WORKSPACE);
    EXPECT_EQ(cufftSetWorkArea(plan, host.data()), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftSetWorkArea(plan, work + 16), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftSetWorkArea(plan, work), CUFFT_SUCCESS);
    EXPECT_EQ(cufftExecD2Z(plan, in, out), CUFFT_SUCCESS);
    EXPECT_EQ(cufftExecD2Z(plan, in + 1, out), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftExecD2Z(plan, in + 2, out), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftExecD2Z(plan, in, out + 1), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftExecD2Z(plan, host.data(), out), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftExecD2Z(plan, nullptr, out), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftExecZ2Z(plan, out, out, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

}  // namespace

}  // namespace weft::core::emulated
