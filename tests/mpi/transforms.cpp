// The public interface on uneven sizes, against the serial transform of the whole array.
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "expect.hpp"
#include "plan/plan.hpp"
#include "set_variable.hpp"
#include "verify/checks.hpp"

namespace weft::test {
namespace {

void expect_right_results(const std::string& text) {
    const core::PlanRequest request = core::parse_plan_request(text);
    const auto rig = core::mpi_rig(request.problem, request.choice, MPI_COMM_WORLD);
    for (const core::Finding& finding : core::verify(*rig, 11)) {
        EXPECT_TRUE(finding.right())
            << finding.check << " of " << text << ": error " << finding.error;
    }
}

class Transforms : public testing::TestWithParam<const char*> {};

TEST_P(Transforms, AreRight) { expect_right_results(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Uneven, Transforms,
    testing::Values("c2c:f64:7", "c2c:f64:7*5", "c2c:f32:12*3 in=slab(b)", "r2c:f64:9x2",
                    "r2c:f64:13x11x7", "r2c:f32:13x11x7 r2c_axis=0", "c2r:f64:13x11x7 r2c_axis=1",
                    "c2c:f64:13x11x7 in_place", "c2c:f64:13x11x7 in=slab(2)@201 out=slab(1)@120",
                    "c2c:f64:5x4x3x7 axes=1,3", "c2c:f64:3x2x5x2x3x4", "r2c:f64:1x1x8",
                    "c2c:f64:2x2x2 in=single out=single", "c2c:f64:16x9x10 cut=block out=slab(0)",
                    "r2c:f64:12x10x9*3 out=slab(1) scale=symmetric/symmetric; via=alltoallw",
                    "c2c:f64:13x11x7; decomposition=pencil; pack=receiver",
                    "r2c:f64:13x11x7 in=pencil(0,1) out=pencil(0,1); decomposition=pencil",
                    "c2c:f64:8x7x6x5; decomposition=cuts(3); engine=reference",
                    "c2c:f64:13x11x7 in_place out=slab(0); decomposition=pencil; via=alltoallw",
                    "c2c:f64:36x32x34; threads=2",
                    // What a rank keeps of these is large, and goes past the values between.
                    "c2c:f64:18x16x16 in=slab(1) out=slab(2); decomposition=slab",
                    "c2c:f64:18x16x16 in_place in=slab(2); pack=receiver; via=alltoall",
                    "redistribute:16:18x17x16 in=slab(0) out=slab(1)@120; via=alltoall",
                    "r2c:f32:24x20x30 out=slab(0) scale=n/none; engine=reference; threads=3"));

/// The spectra of a plan's fields, of this rank, fields in turn; in the second one `value` is.
std::vector<std::complex<double>> spectra(const Plan& plan, Index fields, double value) {
    auto in = allocate<std::complex<double>>(plan.in_size());
    auto out = allocate<std::complex<double>>(plan.out_size());
    Transform fft = plan.bind();
    for (Index i = 0; i < plan.in_size(); ++i) {
        in[i] = i % fields == 1 ? value : 0.1 * static_cast<double>(i + 1 + world_rank());
    }
    fft.forward(in.data(), out.data());
    return {out.data(), out.data() + plan.out_size()};
}

TEST(Transforms, FieldsOfHalvedNumbersAreIndependent) {
    const SetVariable usual_space("WEFT_SPACE", nullptr);
    constexpr Index fields = 3;
    for (const char* way : {"wire=f32", "wire=f32; carrier=messages", "wire=f32; via=alltoallw"}) {
        const std::string text = std::string("c2c:f64:6x5x4*3 in=slab(0)@012b out=slab(1)@012b; ");
        const Plan plan = Plan::parse(text + way, MPI_COMM_WORLD);
        const auto usual = spectra(plan, fields, 1);
        const auto strange = spectra(plan, fields, std::numeric_limits<double>::quiet_NaN());
        for (std::size_t i = 0; i < usual.size(); ++i) {
            if (i % fields == 1) {
                EXPECT_TRUE(std::isnan(strange[i].real())) << way;
            } else {
                EXPECT_EQ(strange[i], usual[i]) << way;
            }
        }
    }
}

TEST(Transforms, PlansOfEqualTextAreEqual) {
    Problem problem;
    problem.kind = Kind::r2c;
    problem.shape = {12, 10, 14};
    problem.out = slab(1);
    const Plan plan(problem, MPI_COMM_WORLD);
    EXPECT_EQ(Plan::parse(plan.text(), MPI_COMM_WORLD), plan);
    EXPECT_EQ(Plan::for_ranks(0, plan.text()), plan);
    problem.out = slab(0);
    EXPECT_FALSE(Plan(problem, MPI_COMM_WORLD) == plan && world_size() > 1);
}

TEST(Transforms, BoxesOfAllRanksCoverTheArray) {
    Problem problem;
    problem.kind = Kind::r2c;
    problem.shape = {5, 3, 8};
    problem.out = grid({1, world_size(), 1});
    const Plan plan(problem, MPI_COMM_WORLD);
    Index in = 0;
    Index out = 0;
    for (int rank = 0; rank < plan.ranks(); ++rank) {
        for (const Box& box : plan.in_boxes(rank)) in += box.volume();
        for (const Box& box : plan.out_boxes(rank)) out += box.volume();
    }
    EXPECT_EQ(in, 5 * 3 * 8);
    EXPECT_EQ(out, 5 * 3 * 5);
}

}  // namespace
}  // namespace weft::test
