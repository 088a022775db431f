// What tuning tries where a choice leaves open how messages of a device travel, or where a plan is
// computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "model/machine_file.hpp"
#include "plan/choice.hpp"
#include "tune/changes.hpp"
#include "tune/trials.hpp"

namespace weft::core {

namespace {

Means means_with(std::optional<bool> reached, bool described) {
    Means means;
    means.nodes = Topology(4, 2);
    means.vias = {"alltoallv", "isend-waitall"};
    means.engines = {"native"};
    means.mpi_reaches_device = reached;
    if (described) {
        means.described = named_machine("h100");
        means.described->devices->kind = "fake";
    }
    return means;
}

/// The spaces among the changes.
std::set<std::string> spaces(const std::string& constraint, const Means& means) {
    std::set<std::string> result;
    for (const std::string& items :
         changes(parse_problem("c2c:f64:16x16x16"), parse_choice(constraint), 4, means)) {
        if (items.starts_with("space=")) result.insert(items.substr(6));
    }
    return result;
}

TEST(TuneSpaces, AreThoseThatAreOpen) {
    const std::set<std::string> staged = {"fake(staged)", "fake(staged:65536)",
                                          "fake(staged:262144)", "fake(staged:1048576)",
                                          "fake(staged:4194304)"};
    std::set<std::string> reached = staged;
    reached.insert("fake(direct)");
    EXPECT_EQ(spaces("space=fake", means_with(false, false)), staged);
    EXPECT_EQ(spaces("space=fake", means_with({}, false)), staged);
    EXPECT_EQ(spaces("space=fake", means_with(true, false)), reached);
    reached.insert("host");
    EXPECT_EQ(spaces("space=auto", means_with(true, true)), reached);
    // Nothing leaves the host, or what a text says, unasked.
    EXPECT_EQ(spaces("space=auto", means_with({}, false)), std::set<std::string>{"host"});
    EXPECT_EQ(spaces("", means_with(true, true)), std::set<std::string>{});
    EXPECT_EQ(spaces("space=fake(staged)", means_with(true, true)), std::set<std::string>{});
}

// Ranks of one node read each other's regions on devices that MPI does not reach; what needs
// messages is not tried there.
TEST(TuneSpaces, AreDirectByRegionsWithoutMpi) {
    Means means = means_with(false, false);
    means.nodes = Topology(4, 4);
    EXPECT_EQ(spaces("space=fake", means).count("fake(direct)"), 0);
    means.vias.emplace_back("shared");
    EXPECT_EQ(spaces("space=fake", means).count("fake(direct)"), 1);
    Trials trials(parse_problem("c2c:f64:16x16x16"), parse_choice("space=fake"), 4, means,
                  named_machine("default"));
    EXPECT_TRUE(trials.add(parse_choice("space=fake(direct); via=shared")));
    EXPECT_FALSE(trials.add(parse_choice("space=fake(direct); via=alltoallv")));
    EXPECT_FALSE(trials.add(parse_choice("space=fake(direct); via=shared; carrier=messages")));
}

// Forecasts are of what binding makes of a travel that is open.
TEST(TuneSpaces, AreSaidWhereItIsKnownWhatMpiReaches) {
    const Machine machine = named_machine("default");
    for (const bool reached : {false, true}) {
        const Trials trials(parse_problem("c2c:f64:16x16x16"), parse_choice("space=fake"), 4,
                            means_with(reached, false), machine);
        EXPECT_EQ(weft::to_string(trials[0].plan.choice.space),
                  reached ? "fake(direct)" : "fake(staged)");
    }
}

// Slower copies than described are slower on devices, too, and so are messages between them.
TEST(TuneSpaces, HaveForecastsThatRunsCorrect) {
    Machine machine = named_machine("h100");
    machine.devices->kind = "fake";
    const Plan plan = make_plan(
        parse_problem("c2c:f64:32x32x32"),
        parse_choice("decomposition=slab; space=fake(direct); engine=native; via=alltoallv"), 16);
    const Forecast forecast(plan, Topology(16, 8), machine);
    const double described = forecast.seconds(machine);
    Correction correction({"native"});
    correction.fit(machine, {{&forecast, 8 * described}});
    const double corrected = forecast.seconds(correction.applied(machine));
    EXPECT_GT(corrected, 4 * described);
    EXPECT_LT(corrected, 16 * described);
}

}  // namespace

}  // namespace weft::core
