// What weft tune says of what it has found.
#include <gmock/gmock.h>

#include "tuned.hpp"

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two trials: the default, which was dropped, and the winner.
TunedPlan sample() {
    core::Outcome outcome;
    outcome.ended = "all were tried";
    outcome.interval = {1e-3, 2e-3};
    outcome.trials.resize(2);
    outcome.trials[0].seconds = {2e-3};
    outcome.trials[0].dropped = "slower";
    outcome.trials[1].open.via = "alltoallw";
    outcome.trials[1].seconds = {1e-3};
    outcome.winner = 1;
    TunedPlan found;
    found.outcome = outcome;
    return found;
}

TEST(TuneReport, NamesTheDefaultWhereAChoiceLeavesAllOpen) {
    const std::string text = tune_text(sample(), {{0, 2e-3, 1e-3, "", ""}});
    EXPECT_THAT(text, HasSubstr("dropped    the default: slower\n"));
    EXPECT_THAT(text, HasSubstr("1.000 ms  the default\n"));
    EXPECT_THAT(text, Not(HasSubstr("dropped    :")));
    TunedPlan tied = sample();
    tied.outcome->tied = {0};
    EXPECT_THAT(tune_text(tied, {}), HasSubstr("tied       2.000 ms the default\n"));
}

TEST(TuneReport, NamesWhatAChoiceSays) {
    TunedPlan found = sample();
    found.outcome->trials[0].open.pack = Pack::sender;
    EXPECT_THAT(tune_text(found, {}), HasSubstr("dropped    pack=sender: slower\n"));
}

}  // namespace
}  // namespace weft::cli
