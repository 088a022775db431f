// What the descriptions of serial transforms say.
#include "base/transforms.hpp"

#include <gtest/gtest.h>

namespace weft::core {

namespace {

TEST(LineTransform, HasHalfASpectrumWhereItIsReal) {
    for (const Index n : {1, 2, 5, 6}) {
        const LineTransform complex{Kind::c2c, 1, Precision::f32, n};
        EXPECT_EQ(complex.source(), (Scalar{Precision::f32, true}));
        EXPECT_EQ(complex.target(), (Scalar{Precision::f32, true}));
        EXPECT_EQ(complex.source_length(), n);
        EXPECT_EQ(complex.target_length(), n);
        const LineTransform there{Kind::r2c, -1, Precision::f64, n};
        EXPECT_EQ(there.source(), (Scalar{Precision::f64, false}));
        EXPECT_EQ(there.target(), (Scalar{Precision::f64, true}));
        EXPECT_EQ(there.source_length(), n);
        EXPECT_EQ(there.target_length(), n / 2 + 1);
    }
}

TEST(LineTransform, OfTheInverseKindGoesBack) {
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        const LineTransform there{kind, -1, Precision::f64, 7};
        const LineTransform back{inverse(kind), 1, Precision::f64, 7};
        EXPECT_EQ(back.source(), there.target());
        EXPECT_EQ(back.target(), there.source());
        EXPECT_EQ(back.source_length(), there.target_length());
        EXPECT_EQ(back.target_length(), there.source_length());
        EXPECT_EQ(inverse(back.kind), kind);
    }
    EXPECT_EQ(inverse(Kind::redistribute), Kind::redistribute);
}

// The planes of 8 x 6 x 4.
TEST(FftTask, KeepsTheLastOfItsAxesAsTheLine) {
    const std::vector<Loop> axes = {{6, 4, 3}, {4, 1, 1}};
    FftTask task{.line = {Kind::r2c, -1, Precision::f64}, .looped = {{8, 24, 18}}};
    task.set_axes(axes);
    EXPECT_EQ(task.axes(), axes);
    EXPECT_EQ(task.line, (LineTransform{Kind::r2c, -1, Precision::f64, 4}));
    EXPECT_EQ(task.complex_axes, (std::vector<Loop>{{6, 4, 3}}));
    task.set_axes({{5, 7, 9}});
    EXPECT_EQ(task, (FftTask{.line = {Kind::r2c, -1, Precision::f64, 5},
                             .from_step = 7,
                             .to_step = 9,
                             .looped = {{8, 24, 18}}}));
}

TEST(FftTask, HasAKindForEachAxisOfRealToReal) {
    FftTask task{.line = {.kind = Kind::r2r}};
    task.set_axes({{6, 4, 4}, {4, 1, 1}});
    task.set_axis_kinds({AxisKind::dct2, AxisKind::dst1});
    EXPECT_EQ(task.line_along(0).axis, AxisKind::dct2);
    EXPECT_EQ(task.line_along(0).length, 6);
    EXPECT_EQ(task.line_along(1), task.line);
    EXPECT_EQ(task.line.source(), (Scalar{Precision::f64, false}));
    EXPECT_EQ(task.line.target_length(), 4);
    const std::vector<AxisTask> passes = axis_by_axis(task);
    EXPECT_EQ(passes[0].task.line.axis, AxisKind::dst1);
    EXPECT_EQ(passes[1].task.line.axis, AxisKind::dct2);
    EXPECT_EQ(passes[1].side, FftSide::target);
}

TEST(FftTask, IsEmptyIfSomeExtentIs) {
    const auto empty = [](Index line, Index axis, Index loop) {
        FftTask task{.looped = {{2, 1, 1}, {loop, 1, 1}}};
        task.set_axes({{axis, 1, 1}, {line, 1, 1}});
        return is_empty(task);
    };
    EXPECT_FALSE(empty(1, 1, 1));
    EXPECT_TRUE(empty(0, 1, 1));
    EXPECT_TRUE(empty(1, 0, 1));
    EXPECT_TRUE(empty(1, 1, 0));
}

}  // namespace

}  // namespace weft::core
