#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plan/fields.hpp"
#include "plan/problem.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::BadText;

/// A text and how it is printed.
struct GoodText {
    std::string text;
    std::string printed;
};

void PrintTo(const GoodText& good, std::ostream* stream) { *stream << good.text; }

class ProblemText : public ::testing::TestWithParam<GoodText> {};

TEST_P(ProblemText, IsPrintedCanonically) {
    const Problem problem = parse_problem(GetParam().text);
    EXPECT_EQ(to_string(problem), GetParam().printed);
    EXPECT_EQ(parse_problem(to_string(problem)), problem);
}

INSTANTIATE_TEST_SUITE_P(
    Good, ProblemText,
    ::testing::Values(
        GoodText{"c2c:f64:8", "c2c:f64:8 in=free out=free"},
        GoodText{"r2c:f32:8x1x7x2x3x4", "r2c:f32:8x1x7x2x3x4 in=free out=free"},
        GoodText{"c2c:f64:16x16*8 in=slab(0) out=free", "c2c:f64:16x16*8 in=slab(0) out=free"},
        GoodText{"c2c:f64:8*1", "c2c:f64:8 in=free out=free"},
        GoodText{"  c2c:f64:8x8\tout=pencil( 0 , 1 )\n in=single ",
                 "c2c:f64:8x8 in=single out=pencil(0,1)"},
        GoodText{"c2r:f64:8x8 axes=1,0 halved=0",
                 "c2r:f64:8x8 axes=1,0 r2c_axis=0 in=free out=free"},
        GoodText{"c2r:f64:8x8 axes=1,0 r2c_axis=0",
                 "c2r:f64:8x8 axes=1,0 r2c_axis=0 in=free out=free"},
        GoodText{"c2c:f64:8x8x8 in=grid(2x1x4)", "c2c:f64:8x8x8 in=grid(2x1x4) out=free"},
        GoodText{"c2c:f64:8x8x8 in=cut(2:4,0:2,1:3)@210",
                 "c2c:f64:8x8x8 in=cut(2:4,0:2,1:3)@210 out=free"},
        GoodText{"c2c:f64:8x8*3 in=slab(b)@b10 out=free@10",
                 "c2c:f64:8x8*3 in=slab(b)@b10 out=free@10"},
        GoodText{"c2c:f64:8x8*3 in=slab(2)@210", "c2c:f64:8x8*3 in=slab(b)@b10 out=free"},
        GoodText{"c2c:f64:4x8 in=boxes( [0:4,0:8] | [2:4, 8:8] |) out=brick@10+(0,2)",
                 "c2c:f64:4x8 in=boxes([0:4,0:8]|[2:4,8:8]|) out=pencil(0,1)@10+(0,2)"},
        GoodText{"c2c:f64:4x8*2 in=free/(9,1,40) may_destroy_input",
                 "c2c:f64:4x8*2 in=free/(9,1,40) out=free may_destroy_input"},
        GoodText{"redistribute:12:4x8 out=slab(1) in=single",
                 "redistribute:12:4x8 in=single out=slab(1)"},
        GoodText{"c2c:f64:8 cut=block in_place scale=none/n",
                 "c2c:f64:8 in=free out=free cut=block scale=none/n in_place"},
        GoodText{"c2c:f64:8 scale=symmetric",
                 "c2c:f64:8 in=free out=free scale=symmetric/symmetric"},
        GoodText{"c2c:f64:8 scale=none cut=balanced", "c2c:f64:8 in=free out=free"},
        GoodText{"c2c:f64:8 scale=0.1/-1e-300", "c2c:f64:8 in=free out=free scale=0.1/-1e-300"},
        GoodText{
            "r2c:f64:96x96x96 inside=48x96x96 modes=64x64x64 even_modes=zero",
            "r2c:f64:96x96x96 modes=64x64x64 even_modes=zero inside=48x96x96 in=free out=free"},
        GoodText{"c2c:f64:8x8 axes=1 modes=8x5 even_modes=split",
                 "c2c:f64:8x8 axes=1 modes=8x5 in=free out=free"},
        GoodText{"c2c:f64:8 scale=1/n", "c2c:f64:8 in=free out=free scale=1/n"},
        GoodText{"c2c:f64:536870912x536870912", "c2c:f64:536870912x536870912 in=free out=free"}));

/// A field is read, printed and in a refusal's list.
TEST(ProblemText, HasItsFields) {
    const std::string most =
        "r2c:f64:6x8*3 axes=1,0 kinds=c2c,r2c r2c_axis=0 in=slab(0) out=slab(1) cut=block "
        "scale=none/n";
    const std::string parts = " modes=4x6 even_modes=keep inside=5x8 may_destroy_input";
    const std::string texts = to_string(parse_problem(most + " in_place")) +
                              to_string(parse_problem(most + parts)) +
                              to_string(parse_problem("c2c:f64:8 in=boxes([0:1]) sparse"));
    for (const Field& field : problem_fields()) {
        const std::string said = fmt::format("{}{}", field.key, field.takes.empty() ? "" : "=");
        EXPECT_NE(texts.find(" " + said), std::string::npos) << said;
        test::expect_refused("fast", said, [] { parse_problem("c2c:f64:8x8 fast"); });
    }
}

TEST(ProblemText, ScalesReadBackExactly) {
    Problem problem = parse_problem("c2c:f64:4");
    for (const double value : {0.1, 1.0 / 3, 1e-308, 1.7976931348623157e308, -0.0, 5e-324}) {
        problem.forward_scale = {Scale::Rule::factor, value};
        EXPECT_EQ(parse_problem(to_string(problem)), problem) << value;
    }
    EXPECT_NO_THROW(parse_problem("c2c:f32:4 scale=3.4e38/1e-44"));
}

class BadProblemText : public ::testing::TestWithParam<BadText> {};

TEST_P(BadProblemText, IsRefused) {
    const BadText& bad = GetParam();
    test::expect_refused(bad.text, bad.quoted, [&] { parse_problem(bad.text); });
}

INSTANTIATE_TEST_SUITE_P(
    Head, BadProblemText,
    ::testing::Values(BadText{"", "empty"}, BadText{"   ", "empty"}, BadText{"c2c", "'c2c'"},
                      BadText{"c2c:f64", "'c2c:f64'"}, BadText{"c2c:f64:8:8", "'c2c:f64:8:8'"},
                      BadText{"in=free c2c:f64:8", "'in=free'"}, BadText{"dct:f64:8", "'dct'"},
                      BadText{"C2C:f64:8", "'C2C'"}, BadText{"c2c:f16:8", "'f16'"},
                      BadText{"c2c:f32:8 scale=1e39/1", "scale 1e+39: f32 holds"},
                      BadText{"c2c:f32:8 scale=1/-1e-46", "scale -1e-46: f32 holds"},
                      BadText{"c2c::8", "''"}, BadText{"c2c:f64:", "''"},
                      BadText{"c2c:f64:8x", "''"}, BadText{"c2c:f64:8xx8", "''"},
                      BadText{"c2c:f64:8y8", "'8y8'"}, BadText{"c2c:f64:8.5", "'8.5'"},
                      BadText{"c2c:f64:+8", "'+8'"}, BadText{"c2c:f64:0x8", "0x8"},
                      BadText{"c2c:f64:8x0", "8x0"}, BadText{"c2c:f64:8x-4", "-4"},
                      BadText{"c2c:f64:2x2x2x2x2x2x2", "7 dimensions"},
                      BadText{"c2c:f64:8*0", "batch 0"}, BadText{"c2c:f64:8*-3", "batch -3"},
                      BadText{"c2c:f64:8*", "''"}, BadText{"c2c:f64:8*2*3", "'8*2*3'"},
                      BadText{"c2c:f64:8*x", "'x'"},
                      BadText{"c2c:f64:99999999999999999999", "99999999999999999999"},
                      BadText{"c2c:f64:9223372036854775807", "9223372036854775807"},
                      BadText{"c2c:f64:4294967296x4294967296", "4294967296x4294967296"},
                      BadText{"c2c:f64:536870912x536870912x2", "536870912x536870912x2"},
                      BadText{"c2c:f64:536870912x536870912*2", "536870912x536870912*2"},
                      BadText{"c2c:f64:8*9223372036854775807", "9223372036854775807"}));

INSTANTIATE_TEST_SUITE_P(
    Axes, BadProblemText,
    ::testing::Values(
        BadText{"c2c:f64:8x8 axes=2", "axis 2"}, BadText{"c2c:f64:8x8 axes=-1", "-1"},
        BadText{"c2c:f64:8x8 axes=0,0", "axis 0 is named twice"},
        BadText{"c2c:f64:8x8 axes=", "''"}, BadText{"c2c:f64:8x8 axes=0,", "''"},
        BadText{"c2c:f64:8x8 axes=01", "01"}, BadText{"c2c:f64:8x8*2 axes=b", "'b'"},
        BadText{"c2c:f64:8x8*2 axes=2", "axis 2"}, BadText{"c2c:f64:8x8 axes", "'axes'"},
        BadText{"c2c:f64:8x8 r2c_axis=0", "r2c_axis=0"}, BadText{"c2c:f64:8x8 r2c_axis=-1", "-1"},
        BadText{"r2c:f64:8x8 r2c_axis=-1", "-1"}, BadText{"r2c:f64:8x8 r2c_axis=2", "r2c_axis=2"},
        BadText{"r2c:f64:8x8 axes=0 r2c_axis=1", "r2c_axis=1"},
        BadText{"r2c:f64:8x8 r2c_axis=a", "'a'"}));

INSTANTIATE_TEST_SUITE_P(
    Layouts, BadProblemText,
    ::testing::Values(
        BadText{"c2c:f64:8x8 in=", "''"}, BadText{"c2c:f64:8x8 in", "'in'"},
        BadText{"c2c:f64:8x8 in=blob", "'blob'"}, BadText{"c2c:f64:8x8 in=blob(0)", "'blob(0)'"},
        BadText{"c2c:f64:8x8 in=slab", "slab"}, BadText{"c2c:f64:8x8 in=slab()", "slab"},
        BadText{"c2c:f64:8x8 in=slab(2)", "axis 2"}, BadText{"c2c:f64:8x8 in=slab(-1)", "axis -1"},
        BadText{"c2c:f64:8x8 in=slab(b)", "b"}, BadText{"c2c:f64:8x8 in=slab(x)", "'x'"},
        BadText{"c2c:f64:8x8 in=slab(0,1)", "slab(0,1)"},
        BadText{"c2c:f64:8x8 in=slab(0", "slab(0"}, BadText{"c2c:f64:8x8 in=slab(0))", "0)"},
        BadText{"c2c:f64:8x8 in=slab(0:2:3)", "0:2:3"}, BadText{"c2c:f64:8x8 in=slab(0:)", "''"},
        BadText{"c2c:f64:8x8 in=slab(0:0)", "0 parts"},
        BadText{"c2c:f64:8x8 in=slab(0:-2)", "-2 parts"},
        BadText{"c2c:f64:8x8 in=slab(0:3000000000)", "3000000000"},
        BadText{"c2c:f64:8x8 in=pencil(0)", "pencil(0)"},
        BadText{"c2c:f64:8x8 in=pencil(0,1,0)", "pencil(0,1,0)"},
        BadText{"c2c:f64:8x8 in=pencil(0,0)", "axis 0 is named twice"},
        BadText{"c2c:f64:8x8 in=pencil(0:2,1)", "2 axes"},
        BadText{"c2c:f64:8x8 in=grid(2)", "grid(2)"}, BadText{"c2c:f64:8x8 in=grid", "grid"},
        BadText{"c2c:f64:8x8 in=grid(2x0)", "2x0"}, BadText{"c2c:f64:8x8 in=grid(2x-2)", "-2"},
        BadText{"c2c:f64:8x8 in=grid(2x2x2)", "grid(2x2x2)"},
        BadText{"c2c:f64:8x8 in=grid(2x3000000000)", "3000000000"},
        BadText{"c2c:f64:8x8 in=free(0)", "'free(0)'"},
        BadText{"c2c:f64:8x8 in=single(0)", "'single(0)'"},
        BadText{"c2c:f64:8x8 in=free@", "free@"}, BadText{"c2c:f64:8x8 in=free@0", "1 of the 2"},
        BadText{"c2c:f64:8x8 in=free@00", "axis 0 is named twice"},
        BadText{"c2c:f64:8x8 in=free@02", "axis 2"}, BadText{"c2c:f64:8x8 in=free@0x", "'0x'"},
        BadText{"c2c:f64:8x8 in=free@b01", "axis 2"}, BadText{"c2c:f64:8x8*2 in=free@b0", "batch"},
        BadText{"c2c:f64:8x8*2 in=free@b0b", "named twice"}));

INSTANTIATE_TEST_SUITE_P(
    Settings, BadProblemText,
    ::testing::Values(
        BadText{"c2c:f64:8 cut=", "''"}, BadText{"c2c:f64:8 cut=round", "'round'"},
        BadText{"c2c:f64:8 scale=2", "'2'"}, BadText{"c2c:f64:8 scale=x/none", "'x'"},
        BadText{"c2c:f64:8 scale=1/2/3", "'1/2/3'"}, BadText{"c2c:f64:8 scale=/n", "''"},
        BadText{"c2c:f64:8 scale=nan/none", "nan"}, BadText{"c2c:f64:8 scale=none/inf", "inf"},
        BadText{"c2c:f64:8 scale=1e999/n", "'1e999'"}, BadText{"c2c:f64:8 scale=", "''"},
        BadText{"c2c:f64:8 in_place may_destroy_input", "in_place and may_destroy_input"},
        BadText{"c2c:f64:8x8 modes=9x8", "modes=9x8: axis 0 has the length 8"},
        BadText{"c2c:f64:8x8 inside=8x0", "inside: 0"},
        BadText{"c2c:f64:8x8 modes=4", "1 numbers for the 2 dimensions"},
        BadText{"c2c:f64:8x8 axes=1 modes=4x4", "axis 0 is not transformed"},
        BadText{"c2c:f64:8x8*2 modes=4x4x1", "3 numbers for the 2 dimensions"},
        BadText{"c2c:f64:8x8 even_modes=zero", "even_modes=zero: without modes="},
        BadText{"c2c:f64:8x8 modes=4x4 even_modes=half", "'half'"},
        BadText{"c2c:f64:8x8 modes=4x4 in_place", "in_place: modes= and inside="},
        BadText{"redistribute:8:8x8 in=single out=slab(0) modes=4x4", "redistribute transforms"},
        BadText{"c2c:f64:8 in=boxes([0:8]|[2:1])", "[2:1]"},
        BadText{"c2c:f64:8 in=boxes(0:8)", "'0:8'"}, BadText{"c2c:f64:8 in=boxes([0-8])", "'0-8'"},
        BadText{"c2c:f64:8 in=boxes([0:8,0:1])", "2 lower"},
        BadText{"c2c:f64:8 in=slab(0)+(1,1)", "2 entries for 1"},
        BadText{"c2c:f64:8 in=slab(0)+(-1)", "-1"},
        BadText{"c2c:f64:8 in=slab(0)/(0)", "0 is not between 1"},
        BadText{"c2c:f64:8 in=slab(0)/1", "'1'"},
        BadText{"c2c:f64:8*2 in=slab(0)/(1)", "1 strides for 2"},
        BadText{"redistribute:0:8 in=slab(0) out=slab(0)", "0 bytes"},
        BadText{"redistribute:f64:8 in=slab(0) out=slab(0)", "'f64'"},
        BadText{"redistribute:8:8 in=slab(0)", "in= and out="},
        BadText{"redistribute:8:8 in=slab(0) out=slab(0) scale=n/none", "no scale"},
        BadText{"redistribute:8:8 in=slab(0) out=slab(0) r2c_axis=0", "redistribute"},
        BadText{"c2c:f64:8 in_place=1", "'in_place=1'"}, BadText{"c2c:f64:8 inplace", "'inplace'"},
        BadText{"c2c:f64:8 colour=red", "'colour=red'"},
        // A setting that is given twice has one value that would be ignored.
        BadText{"c2c:f64:8x8 in=slab(0) in=slab(1)", "in=slab(1)"},
        BadText{"c2c:f64:8x8 axes=0 axes=1", "axes=1"},
        BadText{"c2c:f64:8x8 scale=none/n scale=n/none", "scale=n/none"},
        BadText{"c2c:f64:8x8 cut=block cut=balanced", "cut=balanced"}));

/// Problems that no text can express but a program can.
TEST(Problem, IsRefusedIfItIsNotWellFormed) {
    const auto refused = [](const std::string& what, const std::string& quoted,
                            const std::function<void(Problem&)>& spoil) {
        Problem problem = parse_problem("c2c:f64:8x8");
        spoil(problem);
        test::expect_refused(what, quoted, [&] { validate(problem); });
    };
    refused("no shape", "0 dimensions", [](Problem& p) { p.shape.clear(); });
    refused("zero", "length 0", [](Problem& p) { p.shape[1] = 0; });
    refused("free but cut", "free", [](Problem& p) { p.in.axes = {0}; });
    refused("parts without axes", "0 axes", [](Problem& p) { p.out.parts = {2}; });
    refused("no such axis", "axis 5", [](Problem& p) { p.out = slab(5); });
    refused("no such kind", "not one of the values", [](Problem& p) {
        p.kind = Kind::r2r;
        p.kinds = {static_cast<AxisKind>(12)};
    });
    refused("not a number", "nan", [](Problem& p) {
        p.forward_scale = {Scale::Rule::factor, std::numeric_limits<double>::quiet_NaN()};
    });
}

TEST(Problem, NamesWhatFollowsFromIt) {
    const Problem problem = parse_problem("r2c:f64:8x9x10*3 axes=2,0 r2c_axis=0 scale=n/symmetric");
    EXPECT_EQ(array_axes(problem), 4);
    EXPECT_EQ(transformed_axes(problem), (std::vector<int>{0, 2}));
    EXPECT_EQ(r2c_axis_of(problem), 0);
    EXPECT_EQ(array_shape(problem, false), (std::vector<Index>{8, 9, 10, 3}));
    EXPECT_EQ(array_shape(problem, true), (std::vector<Index>{5, 9, 10, 3}));
    EXPECT_DOUBLE_EQ(scale_factor(problem, false), 1.0 / 80);
    EXPECT_DOUBLE_EQ(scale_factor(problem, true), 1.0 / std::sqrt(80.0));
    EXPECT_EQ(r2c_axis_of(parse_problem("r2c:f64:8x9x10 axes=1,0")), 0);
    EXPECT_EQ(r2c_axis_of(parse_problem("c2c:f64:8")), -1);
}

TEST(Problem, HasAKindForEachAxisOfRealToReal) {
    const Problem problem =
        parse_problem("r2r:f64:8x9x10*3 axes=2,0 kinds=dct1,dst1 scale=n/symmetric");
    EXPECT_EQ(axis_kind(problem, 0), AxisKind::dst1);
    EXPECT_EQ(axis_kind(problem, 1), AxisKind::none);
    EXPECT_EQ(axis_kind(problem, 2), AxisKind::dct1);
    EXPECT_EQ(array_shape(problem, true), array_shape(problem, false));
    EXPECT_FALSE(scalar_of(problem, true).complex || scalar_of(problem, false).complex);
    EXPECT_DOUBLE_EQ(scale_factor(problem, false), 1.0 / (18 * 18));
    EXPECT_DOUBLE_EQ(scale_factor(problem, true), 1.0 / 18);
    const Problem some = parse_problem("r2r:f64:8x9x10 kinds=dct2,none,dst3");
    EXPECT_EQ(transformed_axes(some), (std::vector<int>{0, 2}));
    EXPECT_EQ(axis_kind(parse_problem("r2r:f64:8x9 kinds=dct4"), 1), AxisKind::dct4);
    for (int kind = 0; kind <= 11; ++kind) {
        const auto one = static_cast<AxisKind>(kind);
        EXPECT_EQ(inverse(inverse(one)), one);
        EXPECT_EQ(logical_length(one, 7), logical_length(inverse(one), 7));
    }
}

TEST(Problem, HasKindsBesideThoseOfFourierTransforms) {
    const Problem problem = parse_problem("c2r:f64:8x9x10 axes=2,1,0 kinds=c2r,dst2,c2c scale=n/2");
    EXPECT_EQ(r2c_axis_of(problem), 2);
    EXPECT_EQ(array_shape(problem, true), (std::vector<Index>{8, 9, 6}));
    EXPECT_EQ(axis_kind(problem, 1), AxisKind::dst2);
    EXPECT_DOUBLE_EQ(scale_factor(problem, false), 1.0 / (8 * 18 * 10));
    EXPECT_EQ(mirrored(problem).kinds, (std::vector{AxisKind::r2c, AxisKind::dst3, AxisKind::c2c}));
    EXPECT_EQ(mirrored(mirrored(problem)), problem);
    EXPECT_EQ(parse_problem(to_string(problem)), problem);
    const Problem some = parse_problem("c2c:f64:8x9x10 kinds=c2c,dct2,none");
    EXPECT_EQ(transformed_axes(some), (std::vector<int>{0, 1}));
    EXPECT_TRUE(scalar_of(some, true).complex && scalar_of(some, false).complex);
    // Without kinds they follow from the problem.
    const Problem usual = parse_problem("r2c:f64:8x9x10 axes=2,0");
    EXPECT_EQ(axis_kind(usual, 0), AxisKind::r2c);
    EXPECT_EQ(axis_kind(usual, 1), AxisKind::none);
    EXPECT_EQ(axis_kind(usual, 2), AxisKind::c2c);
    EXPECT_FALSE(has_real_to_real(usual));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BadProblemText,
    ::testing::Values(
        BadText{"r2r:f64:8x8", "kinds=dct2,dst1"},
        BadText{"r2r:f64:8x8 kinds=dct2,dst1,dct2", "3 kinds for 2 transformed axes"},
        BadText{"r2r:f64:8x1 kinds=dct1", "axis 1 has the length 1"},
        BadText{"r2r:f64:8x8 kinds=dct5", "do you mean dct1, dct2, dct3 or dct4?"},
        BadText{"r2r:f64:8x8 kinds=dctt2", "do you mean dct2?"},
        BadText{"r2r:f64:8x8 kinds=hartley", "there are dct1, dct2"},
        BadText{"r2r:f64:8x8 kinds=none", "no axis is transformed"},
        BadText{"r2r:f64:8x8 kinds=dct2 r2c_axis=1", "r2c_axis=1"},
        BadText{"r2r:f64:8x8 kinds=dct2 kinds=dct3", "twice"},
        BadText{"r2r:f64:8x8 kinds=dct2,c2c", "axis 1 is c2c"},
        BadText{"c2c:f64:8x8 kinds=dct2,r2c", "axis 1 is r2c, but the problem is c2c"},
        BadText{"c2c:f64:8x8 kinds=none,none", "no axis is transformed"},
        BadText{"r2c:f64:8x8 kinds=c2c,dct2", "no axis is r2c"},
        BadText{"r2c:f64:8x8 kinds=r2c", "axes 0,1 are all r2c"},
        BadText{"r2c:f64:8x8 kinds=c2r,c2c", "axis 0 is c2r, but the problem is r2c"},
        BadText{"c2r:f64:8x8 kinds=dct2,r2c", "axis 1 is r2c, but the problem is c2r"},
        BadText{"r2c:f64:8x8 kinds=dct2,r2c r2c_axis=0", "has axis 1 for r2c"},
        BadText{"r2c:f64:1x8 kinds=dct1,r2c", "axis 0 has the length 1"},
        BadText{"redistribute:8:8 in=slab(0) out=single kinds=dct2", "kinds=dct2"}));

TEST(Problem, MirroredTwiceIsTheSame) {
    const Problem problem = parse_problem("r2c:f64:8x9 in=slab(0) out=slab(1)@10 scale=n/2");
    EXPECT_EQ(mirrored(problem).kind, Kind::c2r);
    EXPECT_EQ(mirrored(problem).in, problem.out);
    EXPECT_EQ(mirrored(mirrored(problem)), problem);
}

TEST(Problem, GridOfOnePartIsNotTheSameAsSingle) {
    // grid(1x1) asks for one rank; on four there is nothing that it could mean.
    const Problem problem = parse_problem("c2c:f64:8x8 in=grid(1x1)");
    test::expect_refused("grid(1x1) on 4 ranks", "4 ranks",
                         [&] { distribution_of(problem, problem.in, false, 4, {}); });
    EXPECT_TRUE(distribution_of(problem, problem.in, false, 1, {}).has_value());
}

}  // namespace

}  // namespace weft::core
