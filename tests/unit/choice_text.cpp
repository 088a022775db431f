#include <fmt/format.h>
#include <gtest/gtest.h>

#include "exchange/via.hpp"
#include "plan/fields.hpp"
#include "unit/refusal.hpp"
#include "weft/choice.hpp"
#include "weft/methods.hpp"
#include "weft/weft.h"

namespace weft::core {

namespace {

using test::BadText;

class ChoiceText : public ::testing::TestWithParam<std::string> {};

TEST_P(ChoiceText, RoundTrips) {
    const Choice choice = parse_choice(GetParam());
    EXPECT_EQ(to_string(choice), GetParam());
    EXPECT_EQ(parse_choice(to_string(choice)), choice);
}

INSTANTIATE_TEST_SUITE_P(
    Good, ChoiceText,
    ::testing::Values(
        "", "decomposition=slab", "decomposition=pencil", "decomposition=single",
        "decomposition=cuts(3)", "decomposition=slab(8)", "decomposition=pencil(2x4)",
        "decomposition=grid(2x2x2)", "decomposition=pencil(2x4,01>02>12)",
        "decomposition=grid(1x2x3,012>013>023)", "decomposition=single(-)",
        "decomposition=single(->-)", "decomposition=single(none)", "decomposition=slab(4,none)",
        "decomposition=slab(4,b>0)", "decomposition=pencil(2x2,b0>1b)",
        "decomposition=pencil(2x2,00>11)", "decomposition=row-wise",
        "decomposition=row-wise(012>201>210)", "decomposition=row-wise(none)",
        "decomposition=row-wise(0)", "decomposition=least-volume", "shrink=4",
        "decomposition=pencil(2x2); shrink=4; via=alltoallw", "via=alltoallw", "via=auto",
        "via=send; via[1]=auto", "via=alltoallv; via[0]=alltoallw; via[12]=alltoallv",
        "pack=receiver", "pack=sender", "pack=datatype", "space=fake", "space=fake(direct)",
        "space=fake(staged)", "space=fake(staged:65536)", "space=fake(memory:1073741824)",
        "space=fake(memory:auto)", "space=fake(share:1of4)",
        "space=fake(staged:64,share:3of4,weight:1000)", "space=fake(share:1of4,weight:auto)",
        "space=fake(memory:4096,share:1of2,weight:2)",
        "pack=sender; space=fake(staged:1); engine=fftw", "engine=reference", "effort=patient",
        "effort=estimate", "effort=measure", "chunk=1000", "threads=16", "reproducible=yes",
        "engine=native; threads=2; reproducible=yes; chunk=7", "tile=default",
        "tile=(axis:2,T:16,W:2)", "tile=(W:0,Fy:0,Fp:0,Fu:0,Fx:0)", "tile=(axis:b,T:1)",
        "via=alltoallv; tile=(axis:0,T:4,W:3,Px:5,Pz:6,Uy:7,Uz:8,B:9)", "tile=(T:2,late)",
        "tile=(T:2,progress:thread)", "tile=(progress:none,late,strict)",
        "decomposition=slab(2,0>1); via=alltoallv; pack=sender; engine=fftw; "
        "effort=measure"));

TEST(ChoiceText, HasOneWayToSayAThing) {
    EXPECT_EQ(to_string(parse_choice(" engine=fftw ;; via=alltoallv;")),
              "via=alltoallv; engine=fftw");
    EXPECT_EQ(to_string(parse_choice("via=isend-waitall-block(32)")), "via=isend-waitall-block");
    EXPECT_EQ(to_string(parse_choice("via=p2p(some,window=8)")), "via=isend-waitsome-block(8)");
    EXPECT_EQ(to_string(parse_choice("via=p2p(some,rounds=8)")), "via=isend-waitsome-block(8)");
    EXPECT_EQ(to_string(parse_choice("via=p2p")), "via=isend-waitall");
    EXPECT_EQ(to_string(parse_choice("decomposition=auto; pack=auto; effort=auto")), "");
    EXPECT_EQ(to_string(parse_choice("space=host")), "");
    EXPECT_EQ(to_string(parse_choice("space=fake(auto)")), "space=fake");
    EXPECT_EQ(to_string(parse_choice("space=fake(staged:0)")), "space=fake(staged)");
    EXPECT_EQ(to_string(parse_choice("space=fake(weight:1, share:2of3)")),
              "space=fake(share:2of3)");
    EXPECT_EQ(to_string(parse_choice("tile=none")), "");
    EXPECT_EQ(to_string(parse_choice("reproducible=no")), "");
    EXPECT_EQ(to_string(parse_choice("tile=(T:2,progress:poll)")), "tile=(T:2)");
    EXPECT_EQ(to_string(parse_choice("tile=(F:3,W:1)")), "tile=(W:1,Fy:3,Fp:3,Fu:3,Fx:3)");
    EXPECT_EQ(to_string(parse_decomposition("cuts(1)")), "slab");
    EXPECT_EQ(to_string(parse_decomposition("cuts(0)")), "single");
    EXPECT_EQ(to_string(parse_decomposition("grid(2x4)")), "pencil(2x4)");
    EXPECT_EQ(to_string(parse_decomposition("grid(4, 0>1)")), "slab(4,0>1)");
}

TEST(ChoiceText, ReadsPathsAndBatch) {
    const Decomposition found = parse_decomposition("pencil(2x4,01>0b)");
    EXPECT_EQ(found.cuts, 2);
    EXPECT_EQ(found.grid, (std::vector<int>{2, 4}));
    ASSERT_TRUE(found.path.has_value());
    EXPECT_EQ(*found.path, (std::vector<std::vector<int>>{{0, 1}, {0, Decomposition::batch_axis}}));
    EXPECT_EQ(parse_decomposition("single(-)").path, (std::vector<std::vector<int>>{{}}));
    EXPECT_EQ(parse_decomposition("single(none)").path, (std::vector<std::vector<int>>{}));
    EXPECT_FALSE(parse_decomposition("single").path.has_value());
}

class BadChoiceText : public ::testing::TestWithParam<BadText> {};

TEST_P(BadChoiceText, IsRefused) {
    const BadText& bad = GetParam();
    test::expect_refused(bad.text, bad.quoted, [&] { parse_choice(bad.text); });
}

INSTANTIATE_TEST_SUITE_P(
    Bad, BadChoiceText,
    ::testing::Values(
        BadText{"fast", "'fast'"}, BadText{"colour=red", "'colour=red'"}, BadText{"via", "via"},
        BadText{"via=", "via"}, BadText{"via=pigeon", "'pigeon'"},
        BadText{"via=alltoallv(rounds=2)", "all messages at once"},
        BadText{"via=sendrecv(some)", "does not tell which message"},
        BadText{"via=isend-waitall(3)", "takes no number"}, BadText{"via=kway(1)", "at least 2"},
        BadText{"via=isend-waitall-block(0)", "at least 1"}, BadText{"via=p2p(rounds=x)", "'x'"},
        BadText{"via=p2p(slowly)", "'slowly'"},
        BadText{"via=sendrecv(rounds=2)", "1 round at a time"},
        BadText{"via[0]=pigeon", "'pigeon'"}, BadText{"via[x]=alltoallv", "'x'"},
        BadText{"via[]=alltoallv", "''"}, BadText{"via[99999999999]=alltoallv", "99999999999"},
        BadText{"pack=", "pack"}, BadText{"pack=both", "'both'"}, BadText{"effort=huge", "'huge'"},
        BadText{"chunk=0", "chunk=0"}, BadText{"chunk=-5", "-5"}, BadText{"chunk=x", "'x'"},
        BadText{"chunk=2147483648", "2147483648"}, BadText{"threads=0", "threads=0"},
        BadText{"reproducible=", "reproducible"}, BadText{"reproducible=1", "'1'"},
        BadText{"reproducible=yes; engine=fftw", "engine=fftw"},
        BadText{"reproducible=yes; engine=auto", "engine=auto"},
        BadText{"reproducible=yes; space=fake", "space=fake"}, BadText{"threads=1025", "1025"},
        BadText{"threads=all", "'all'"}, BadText{"engine=", "engine"},
        BadText{"decomposition=", "decomposition"}, BadText{"decomposition=blob", "'blob'"},
        BadText{"decomposition=auto(2)", "'auto(2)'"}, BadText{"decomposition=grid", "'grid'"},
        BadText{"decomposition=cuts", "''"}, BadText{"decomposition=cuts(-1)", "cuts(-1)"},
        BadText{"decomposition=cuts(x)", "'x'"}, BadText{"decomposition=slab(0)", "'0'"},
        BadText{"decomposition=slab(-2)", "-2"}, BadText{"decomposition=slab(2x2)", "'slab(2x2)'"},
        BadText{"decomposition=pencil(4)", "'pencil(4)'"},
        BadText{"decomposition=pencil(2x)", "''"},
        BadText{"decomposition=pencil(2x2147483648)", "2147483648"},
        BadText{"decomposition=pencil(2x2,01>0)", "'0' cuts 1 axes"},
        BadText{"decomposition=pencil(2x2,01>012)", "'012' cuts 3 axes"},
        BadText{"decomposition=pencil(2x2,-)", "'-'"}, BadText{"decomposition=slab(2,)", "''"},
        BadText{"decomposition=slab(2,x)", "'x'"}, BadText{"decomposition=slab(2,0>)", "''"},
        BadText{"decomposition=slab(2,0>1,2)", "'slab(2,0>1,2)'"},
        BadText{"decomposition=single(4)", "'4'"}, BadText{"decomposition=single(-,-)", "single"},
        BadText{"decomposition=single()", "single()"}, BadText{"decomposition=slab(2", "slab(2"},
        BadText{"decomposition=row-wise()", "row-wise(-)"},
        BadText{"decomposition=row-wise(012>01x)", "'01x'"},
        BadText{"decomposition=row-wise(012>011)", "'011'"},
        BadText{"decomposition=row-wise(013)", "'013'"},
        BadText{"decomposition=row-wise(01b)", "'01b'"},
        BadText{"decomposition=least-volume(2)", "'least-volume(2)'"}, BadText{"space=", "space"},
        BadText{"space=gpu", "there are host, cuda, hip"},
        BadText{"space=host(staged)", "messages of the host always travel directly"},
        BadText{"space=fake()", "''"}, BadText{"space=fake(quick)", "'quick'"},
        BadText{"space=fake(stagd)", "staged"}, BadText{"space=fake(staged", "fake(staged"},
        BadText{"space=fake(staged:x)", "'x'"}, BadText{"space=fake(staged:)", "''"},
        BadText{"space=fake(staged:-1)", "-1"}, BadText{"space=fake(staged:8:8)", "'8:8'"},
        BadText{"space=fake(memory)", "'memory' is not understood; there are auto, direct, staged"},
        BadText{"space=fake(memory:8:8)", "'8:8'"},
        BadText{"space=fake(staged,direct)", "given twice"},
        BadText{"space=fake(share:1of4,share:1of2)", "share is given twice"},
        BadText{"space=fake(share)", "'share'"}, BadText{"space=fake(share:4)", "is N of P ranks"},
        BadText{"space=fake(share:1of0)", "2 ranks or more"},
        BadText{"space=fake(share:0of4)", "at least 1 rank"},
        BadText{"space=fake(share:1of-4)", "at least 1 rank"},
        BadText{"space=fake(share:5of4)", "no 5 of 4 ranks"},
        BadText{"space=fake(share:4of4)", "leave out share"},
        BadText{"space=fake(share:1of4,weight:0)", "weights are 1 to 1000"},
        BadText{"space=fake(share:1of4,weight:1001)", "weights are 1 to 1000"},
        BadText{"space=fake(share:1of4,weight:x)", "'x'"},
        BadText{"space=fake(weight:auto)", "needs a share of the ranks"},
        BadText{"space=fake(weight:3)", "needs a share of the ranks"},
        BadText{"space=host(share:1of4)", "all ranks compute on the host"},
        BadText{"space=auto(share:1of4)", "name the device"},
        BadText{"space=fake(memory:0)", "at least 1 byte is needed"},
        BadText{"space=fake(memory:x)", "'x'"}, BadText{"space=fake(memory:-1)", "-1"},
        BadText{"space=auto(memory:64)", "name the device"},
        BadText{"space=host(memory:64)", "the host"},
        BadText{"space=host(memory:auto)", "the host"},
        BadText{"space=auto(memory:auto)", "name the device"},
        BadText{"space=fake(memory:automatic)", "'automatic'"},
        BadText{"space=fake(memory:auto,staged)", "neither direct nor staged applies"},
        BadText{"space=fake(direct:64)", "only staged messages are sent in pieces"},
        BadText{"space=fake(auto:64)", "only staged messages are sent in pieces"},
        BadText{"space=fake(staged:99999999999999999999)", "99999999999999999999"},
        BadText{"space=fake; space=host", "space=host"}, BadText{"shrink=-1", "shrink=-1"},
        BadText{"shrink=few", "'few'"}, BadText{"engine=a)b; via=alltoallv", "a)b"},
        BadText{"engine=a(b; via=alltoallv", "a(b"},
        // A setting that is given twice has one value that would be ignored.
        BadText{"via=alltoallw; via=alltoallv", "via=alltoallv"},
        BadText{"via[0]=alltoallw; via[0]=alltoallv", "via[0]=alltoallv"},
        BadText{"engine=fftw; engine=reference", "engine=reference"}));

/// A refusal lists the fields, and so does help: of each what it takes and what it means.
TEST(ChoiceText, ListsItsFields) {
    for (const Field& field : choice_fields()) {
        test::expect_refused("fast", fmt::format("{}=", field.key), [] { parse_choice("fast"); });
        EXPECT_NE(field.takes, "") << field.key;
        EXPECT_NE(field.summary, "") << field.key;
    }
}

TEST(NamedValues, AreWhatTextsSay) {
    EXPECT_EQ(to_string(parse_via(via::one_sided)), "one-sided");
    EXPECT_EQ(to_string(parse_via(via::isend_waitsome_block)), "isend-waitsome-block");
    EXPECT_EQ(via::fastest, measured_via);
    EXPECT_STREQ(weft_via_fftw_matrix, "fftw-matrix");
    EXPECT_STREQ(weft_via_fastest, via::fastest);
    EXPECT_EQ(to_string(decomposition::slab), "slab");
    EXPECT_EQ(to_string(decomposition::pencil), "pencil");
    EXPECT_EQ(to_string(decomposition::row_wise), "row-wise");
    EXPECT_EQ(to_string(decomposition::least_volume), "least-volume");
}

}  // namespace

}  // namespace weft::core
