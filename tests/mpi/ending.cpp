// The error of one rank becomes everybody's.
#include "expect.hpp"
#include "net/mpi_ending.hpp"
#include "outcome.hpp"

namespace weft::test {
namespace {

using core::MpiEnding;

std::exception_ptr error_of(const std::string& text) {
    return std::make_exception_ptr(Error(ErrorCode::not_available, text));
}

Outcome outcome_of_failure(const MpiEnding& ending) {
    return outcome_of([&] {
        if (const auto failure = ending.failure()) std::rethrow_exception(failure);
    });
}

TEST(Ending, OfRanksThatHaveNoErrorIsNone) {
    MpiEnding ending(MPI_COMM_WORLD);
    for (const bool block : {true, false, true}) {
        ending.begin(nullptr);
        while (!ending.reached(block)) continue;
        EXPECT_EQ(ending.failure(), nullptr);
    }
}

TEST(Ending, IsTheErrorOfTheLowestRankThatHasOne) {
    MpiEnding ending(MPI_COMM_WORLD);
    for (int first = 0; first < world_size(); ++first) {
        ending.begin(world_rank() < first ? nullptr : error_of("of " + std::to_string(first)));
        EXPECT_TRUE(ending.reached(true));
        const Outcome outcome = outcome_of_failure(ending);
        const std::string whose = first == 0 ? "" : "rank " + std::to_string(first) + ": ";
        EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::not_available));
        EXPECT_EQ(outcome.text, whose + "of " + std::to_string(first));
        expect_same(outcome, "a ending");
    }
}

// Who has only heard of an error says less than who has it, and than nobody.
TEST(Ending, IsWhatARankHasByItselfBeforeWhatOthersHaveHeard) {
    MpiEnding ending(MPI_COMM_WORLD);
    const int last = world_size() - 1;
    const auto heard =
        std::make_exception_ptr(core::PeerFailure(ErrorCode::system, "of another rank"));
    ending.begin(world_rank() == last ? error_of("by itself") : heard);
    EXPECT_TRUE(ending.reached(true));
    const std::string whose = last == 0 ? "" : "rank " + std::to_string(last) + ": ";
    expect_same(outcome_of_failure(ending), "one by itself");
    EXPECT_EQ(outcome_of_failure(ending).text, whose + "by itself");
    ending.begin(heard);
    EXPECT_TRUE(ending.reached(true));
    expect_same(outcome_of_failure(ending), "all have heard");
    EXPECT_EQ(outcome_of_failure(ending).text, "rank 0: of another rank");
}

TEST(Ending, CutsLongTextsAndTakesAnyException) {
    MpiEnding ending(MPI_COMM_WORLD);
    const bool last = world_rank() == world_size() - 1;
    ending.begin(last ? error_of(std::string(5000, 'x')) : nullptr);
    EXPECT_TRUE(ending.reached(true));
    const Outcome outcome = outcome_of_failure(ending);
    EXPECT_NE(outcome.text.find(std::string(400, 'x')), std::string::npos);
    expect_same(outcome, "a long text");
    ending.begin(last ? std::make_exception_ptr(7) : nullptr);
    EXPECT_TRUE(ending.reached(true));
    expect_same(outcome_of_failure(ending), "no exception of the library's");
    EXPECT_EQ(outcome_of_failure(ending).code, static_cast<int>(ErrorCode::system));
}

// A rank that failed does not wait for the others; the next time it does before it begins.
TEST(Ending, ThatNobodyWaitedForIsOutOfTheWayOfTheNext) {
    MpiEnding ending(MPI_COMM_WORLD);
    for (int time = 0; time < 3; ++time) {
        ending.begin(world_rank() == 0 ? error_of("at once") : nullptr);
        if (world_rank() == 0) continue;
        EXPECT_TRUE(ending.reached(true));
        EXPECT_EQ(outcome_of_failure(ending).text, "rank 0: at once");
    }
    ending.begin(nullptr);
    EXPECT_TRUE(ending.reached(true));
    EXPECT_EQ(ending.failure(), nullptr);
}

}  // namespace
}  // namespace weft::test
