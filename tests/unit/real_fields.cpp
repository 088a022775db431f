// Real lines of fields that lie in turn between their elements: on each instruction set against the
// DFT by its definition; and what one line holds changes no bit of another one.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "fft/native/engine.hpp"
#include "fft/native/lines/lines.hpp"
#include "memory/buffer.hpp"
#include "unit/fft_trial.hpp"

namespace weft::core::native {

namespace {

using test::Side;
using test::Trial;

/// An engine that knows one instruction set.
template <class T>
class KernelsEngine : public FftEngine {
  public:
    explicit KernelsEngine(const Kernels<T>& kernels) : kernels_(kernels) {}
    [[nodiscard]] std::string_view name() const override { return kernels_.target; }
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort /*effort*/,
                                                std::byte* /*from*/,
                                                std::byte* /*to*/) const override {
        return make_plan(task, kernels_);
    }

  private:
    const Kernels<T>& kernels_;
};

struct Shape {
    Index n = 1;
    Index rows = 1;
    Index fields = 1;
    Index gap = 0;          ///< elements between rows
    bool in_place = false;  ///< r2r
};

/// Axis 0 is the line, 1 rows, 2 fields.
template <class T>
Trial trial_of(Random& random, Kind kind, AxisKind axis, const Shape& shape) {
    Trial trial;
    FftTask& task = trial.task;
    task.line = {kind, kind == Kind::c2r ? 1 : -1, sizeof(T) == 8 ? Precision::f64 : Precision::f32,
                 shape.n, axis};
    task.in_place = shape.in_place && kind == Kind::r2r;
    task.set_axes({{shape.n, 1, 1}});
    task.looped = {{shape.rows, 1, 1}, {shape.fields, 1, 1}};
    test::draw_values(random, trial, {shape.n, shape.rows, shape.fields});
    for (Side* side : {&trial.from, &trial.to}) {
        const Index row = side->extents.front() * shape.fields + shape.gap;
        side->strides = {shape.fields, row, 1};
        side->elements = row * shape.rows;
    }
    test::set_loops(trial);
    return trial;
}

/// What a plan makes of an input, not in place.
std::vector<std::byte> transformed(FftPlan& plan, const Trial& trial, const test::Whole& input) {
    const Buffer source(trial.from.bytes());
    const Buffer target(trial.to.bytes());
    std::memset(target.data(), 0, static_cast<std::size_t>(trial.to.bytes()));
    trial.from.store(input, source.data());
    plan.execute(source.data(), target.data());
    return {target.data(), target.data() + trial.to.bytes()};
}

template <class T>
void check_independence(const Trial& trial, const Kernels<T>& kernels, Random& random) {
    const auto plan = make_plan(trial.task, kernels);
    const auto usual = transformed(*plan, trial, trial.input);
    test::Whole input = trial.input;
    const Index strange = random.between(0, trial.from.count() - 1);
    input.values[static_cast<std::size_t>(strange)] = std::numeric_limits<double>::quiet_NaN();
    const auto line = test::point_of(strange, trial.from.extents);
    const auto found = transformed(*plan, trial, input);
    const auto size =
        static_cast<std::size_t>(Scalar{trial.to.precision, trial.to.complex}.bytes());
    bool changed = false;
    for (Index i = 0; i < trial.to.count(); ++i) {
        const auto point = test::point_of(i, trial.to.extents);
        const auto at = static_cast<std::size_t>(trial.to.place(i)) * size;
        const bool same = std::memcmp(usual.data() + at, found.data() + at, size) == 0;
        if (point[1] == line[1] && point[2] == line[2]) {
            changed = changed || !same;
        } else {
            ASSERT_TRUE(same) << "row " << point[1] << ", field " << point[2];
        }
    }
    ASSERT_TRUE(changed);
}

template <class T>
void check_shape(Random& random, const Shape& shape, const std::vector<AxisKind>& cosines) {
    const auto check = [&](Kind kind, AxisKind axis) {
        if (axis == AxisKind::dct1 && shape.n == 1) return;
        const Trial trial = trial_of<T>(random, kind, axis, shape);
        for (const Kernels<T>* kernels : all_kernels<T>()) {
            if (kernels->lanes == 1) continue;
            // (Few or long lines are left to reduced_plan.)
            if (make_plan(trial.task, *kernels) == nullptr) continue;
            SCOPED_TRACE(std::string(kernels->target) + " " + test::text_of(trial.task));
            test::check(KernelsEngine<T>(*kernels), Effort::estimate, trial);
            if (::testing::Test::HasFatalFailure()) return;
            if (!trial.task.in_place) check_independence(trial, *kernels, random);
            if (::testing::Test::HasFatalFailure()) return;
        }
    };
    for (const Kind kind : {Kind::r2c, Kind::c2r}) {
        check(kind, AxisKind::none);
        if (::testing::Test::HasFatalFailure()) return;
    }
    for (const AxisKind kind : cosines) {
        check(Kind::r2r, kind);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

template <class T>
class RealFields : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(RealFields, Numbers, );

TYPED_TEST(RealFields, OfEveryNumber) {
    Random random(41);
    for (Index fields = 1; fields <= 70; ++fields) {
        const Shape shape = {random.pick<Index>({2, 3, 4, 5, 6, 8, 9, 11, 12, 15, 16, 17}),
                             random.pick<Index>({1, 3, 8, 16, 17, 21}), fields,
                             random.between(0, 2), random.once_in(3)};
        check_shape<TypeParam>(random, shape, {random.pick(test::real_kinds)});
        if (this->HasFatalFailure()) return;
    }
}

/// Smooth and not, even and odd, with primes that a butterfly, a formula and a convolution are for;
/// rows of fewer elements than a vector, or than two.
TYPED_TEST(RealFields, OfEveryLength) {
    Random random(42);
    for (const Index n :
         {1, 2, 3, 4, 5, 7, 10, 15, 24, 27, 31, 32, 45, 64, 73, 96, 105, 146, 167}) {
        for (const bool in_place : {false, true}) {
            const Shape shape = {n, 16 + random.between(0, 3), n % 2 == 0 ? 3 : 2,
                                 random.between(0, 2), in_place};
            check_shape<TypeParam>(random, shape, test::real_kinds);
            if (this->HasFatalFailure()) return;
        }
    }
}

TYPED_TEST(RealFields, AreRowsWhereTheyDoNotFillVectors) {
    for (const Kernels<TypeParam>* kernels : all_kernels<TypeParam>()) {
        const Index lanes = kernels->lanes;
        const auto rows = [&](Index n, Index fields, Index lines) {
            FftTask task{.from_step = fields,
                         .to_step = fields,
                         .looped = {{fields, 1, 1}, {lines, fields * n, fields * (n / 2 + 1)}}};
            task.line.kind = Kind::r2c;
            task.line.precision = sizeof(TypeParam) == 8 ? Precision::f64 : Precision::f32;
            task.line.length = n;
            return make_real_field_lines(task, *kernels) != nullptr;
        };
        EXPECT_EQ(rows(64, 3, 64), lanes >= 4 || lanes == 2) << lanes;
        EXPECT_FALSE(rows(64, lanes, 64)) << "they fill a vector";
        EXPECT_FALSE(rows(64, 3, lanes - 1)) << "rows do not";
        EXPECT_FALSE(rows(4096, 3, 64)) << "too long";
        EXPECT_FALSE(rows(64, 1, 64)) << "no fields";
    }
}

}  // namespace

}  // namespace weft::core::native
