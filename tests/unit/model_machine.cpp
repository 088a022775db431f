// Descriptions of machines: their figures, their files, and files that are wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/machine_file.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::BadText;
using test::expect_refused;

/// A machine of two figures for each thing, all easy to calculate with.
Machine small_machine() {
    Machine machine;
    machine.name = "small";
    machine.ranks_per_node = 2;
    machine.inside = {1e-6, 1e9};
    machine.between = {1e-5, 1e8};
    machine.memory = {1000, 1e9, 5e8};
    machine.engines["native"] = {1e9, 0.5, 2};
    machine.other_engines = "native";
    return machine;
}

std::string with(const std::string& from, const std::string& to) {
    std::string text = to_json(small_machine());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(Machine, TakesLatencyAndBytesOverBandwidthForAMessage) {
    const Machine machine = small_machine();
    EXPECT_DOUBLE_EQ(message_seconds(machine, true, 1000, 4, 2), 1e-6 + 1e-6);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 1000, 4, 2), 1e-5 + 1e-5);
}

TEST(Machine, SharesTheInjectionOfANode) {
    Machine machine = small_machine();
    machine.injection = 1.5e8;
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 1500, 4, 1), 1e-5 + 1.5e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 1500, 4, 2), 1e-5 + 2e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, true, 1000, 4, 2), 1e-6 + 1e-6);
}

TEST(Machine, ReadsTablesBetweenTheirPoints) {
    Machine machine = small_machine();
    machine.between.by_size = {{100, 2e-5}, {300, 4e-5}};
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 0, 4, 1), 2e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 200, 4, 1), 3e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 1300, 4, 1), 4e-5 + 1e-5);
    // Congestion is a power of the messages under way, and leaves the latency alone.
    machine.congestion = {4, 0.5};
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 300, 2, 1), 4e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 300, 16, 1), 1e-5 + 2 * 3e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 300, 36, 1), 1e-5 + 3 * 3e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, true, 300, 36, 1),
                     message_seconds(machine, true, 300, 1, 1));
}

TEST(Machine, TakesMoreOrLessForCollectiveCalls) {
    Machine machine = small_machine();
    machine.between.collective = {{10, 1}, {1000, 3}};
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 100, 4, 1, true), 2 * (1e-5 + 1e-6));
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 100, 4, 1), 1e-5 + 1e-6);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 0, 4, 1, true), 1e-5);
    EXPECT_DOUBLE_EQ(message_seconds(machine, false, 1e5, 4, 1, true), 3 * (1e-5 + 1e-3));
    EXPECT_DOUBLE_EQ(message_seconds(machine, true, 100, 4, 1, true), 1e-6 + 1e-7);
}

TEST(Machine, CutsATorusAsACube) {
    Machine machine = small_machine();
    EXPECT_FALSE(bisection(machine, 64));
    machine.network = {Network::Shape::torus, 1, 3, 1e9};
    EXPECT_DOUBLE_EQ(*bisection(machine, 64), 2 * 16 * 1e9);
    machine.injection = 1e8;
    machine.network = {Network::Shape::tree, 0.5};
    EXPECT_DOUBLE_EQ(*bisection(machine, 64), 32 * 0.5 * 1e8);
    // Halves of a torus whose extents are known are cut along the last one.
    machine.network = {Network::Shape::torus, 1, 3, 1e9};
    machine.network.extents = {2, 4, 8};
    EXPECT_DOUBLE_EQ(*bisection(machine, 64), 2 * 8 * 1e9);
}

TEST(Machine, SlowsRoughLengthsAndSpeedsSinglePrecision) {
    const Machine machine = small_machine();
    const EngineRates& rates = engine_rates(machine, "native");
    EXPECT_DOUBLE_EQ(flop_seconds(rates, 1000, 210, false), 1e-6);
    EXPECT_DOUBLE_EQ(flop_seconds(rates, 1000, 22, false), 2e-6);
    EXPECT_DOUBLE_EQ(flop_seconds(rates, 1000, 210, true), 0.5e-6);
    EXPECT_EQ(engine_rates(machine, "fftw"), rates);
}

TEST(Machine, TakesTimeForMemoryBeyondTheCacheAndForCopiesWithin) {
    Machine machine = small_machine();
    EXPECT_DOUBLE_EQ(pass_seconds(machine.memory, 1000), 0);
    EXPECT_DOUBLE_EQ(pass_seconds(machine.memory, 2000), 2e-6);
    EXPECT_DOUBLE_EQ(copy_seconds(machine.memory, 1000, 5e8), 0);
    EXPECT_DOUBLE_EQ(copy_seconds(machine.memory, 2000, 5e8), 4e-6);
    machine.memory.cache_rate = 2e9;
    EXPECT_DOUBLE_EQ(copy_seconds(machine.memory, 1000, 5e8), 5e-7);
    EXPECT_DOUBLE_EQ(pass_seconds(machine.memory, 1000), 0);
}

TEST(MachineFile, ReadsWhatItWrites) {
    Machine machine = small_machine();
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
    machine.summary = R"(of a "test")";
    machine.injection = 0.1;
    machine.memory.cache_rate = 3e9;
    machine.injection = 1.5e8 / 3;
    machine.between.by_size = {{8, 1e-5}, {1e6, 0.1}};
    machine.inside.collective = {{8, 0.9}, {1e6, 2}};
    machine.congestion = {32, 0.25};
    machine.network = {Network::Shape::torus, 1, 5, 1e9};
    machine.engines["fftw"] = {2e9, 0.25, 1.5, "AVX2"};
    machine.sources = {{"between.latency", "a page"},
                       {"between.by_size", "a table"},
                       {"network.shape", "a picture"},
                       {"engines.fftw.rate", "another page"}};
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
    machine.network = {Network::Shape::tree, 0.25};
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
    machine.between.overhead = 1e-6;
    machine.collective_batch = 32;
    machine.network.leaf = 16;
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
    machine.network = {Network::Shape::torus, 1, 3, 1e9};
    machine.network.extents = {8, 8, 4};
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
    machine.network = {Network::Shape::dragonfly};
    machine.network.blocks = {{2, 1e9}, {32, 4e9}};
    machine.sources["network.blocks"] = "a drawing";
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
}

TEST(MachineFile, KnowsTheFilesOfMachinesByName) {
    const std::vector<std::string> names = machine_names();
    EXPECT_GE(names.size(), 8U);
    std::size_t files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(WEFT_SOURCE_DIR) + "/machines")) {
        ++files;
        std::ifstream stream(entry.path());
        std::ostringstream text;
        text << stream.rdbuf();
        const Machine machine = parse_machine(text.str(), entry.path().string());
        EXPECT_EQ(machine.name, entry.path().stem().string());
        EXPECT_EQ(machine, named_machine(machine.name));
        EXPECT_EQ(parse_machine(to_json(machine), "written"), machine);
        // `machine    NAME: SUMMARY` fits a line.
        EXPECT_LE(machine.name.size() + machine.summary.size(), 67U) << machine.name;
        for (const char* figure : {"between.latency", "between.bandwidth", "memory.copy_rate"}) {
            EXPECT_TRUE(machine.sources.contains(figure)) << machine.name << " " << figure;
        }
    }
    EXPECT_EQ(names.size(), files);
    expect_refused("petaflop", "'petaflop'", [] { named_machine("petaflop"); });
    expect_refused("petaflop", "default, ", [] { named_machine("petaflop"); });
}

TEST(MachineFile, HasTheFiguresOfSummit) {
    const Machine summit = named_machine("summit");
    EXPECT_EQ(summit.ranks_per_node, 6);
    EXPECT_DOUBLE_EQ(summit.between.latency, 1e-6);
    EXPECT_DOUBLE_EQ(summit.between.bandwidth, 23.5e9);
    EXPECT_EQ(summit.sources.at("between.latency"), "[ayala] section IV-A");
}

TEST(MachineFile, RefusesWhatIsWrongWithTheKeyAndTheValue) {
    const std::string whole = to_json(small_machine());
    const std::vector<BadText> bad = {
        {"", "f.json: this is not JSON"},
        {whole.substr(0, whole.size() / 2), "f.json: this is not JSON, or a part of it is missing"},
        {whole + "}", "f.json: this is not JSON"},
        {"[1, 2]", "f.json: the whole text is [1,2]"},
        {"{}", "the key format is missing"},
        {with("weft machine", "weft wisdom"), "format is 'weft wisdom'"},
        {with(R"("version": 1)", R"("version": 2)"), "version is 2, but this weft reads version 1"},
        {with(R"("name": "small",)", ""), "the key name is missing"},
        {with(R"("name")", R"("nome")"), "the key name is missing"},
        {with(R"("summary")", R"("summery")"), "the key summery is unknown; there are "},
        {with(R"("latency": 1e-06)", R"("latency": 1e-06, "lag": 2)"), "inside.lag is unknown"},
        {with(R"("latency": 1e-06)", R"("latency": -1)"), "inside.latency is -1"},
        {with(R"("latency": 1e-06)", R"("latency": 1.5)"), "inside.latency is 1.5"},
        {with(R"("latency": 1e-06)", R"("latency": "short")"), R"(inside.latency is "short")"},
        {with(R"("latency": 1e-06)", R"("latency": {"value": 1})"),
         R"(inside.latency is {"value":1})"},
        {with(R"("latency": 1e-06)", R"("latency": 1e-6, "latency": 2e-6)"),
         "latency is there twice"},
        {with(R"("latency": 1e-06)", R"("latency": 1e999)"), "f.json: "},
        {with(R"("bandwidth": 100000000.0)", R"("bandwidth": 0)"), "between.bandwidth is 0"},
        {with(R"("ranks_per_node": 2)", R"("ranks_per_node": 0)"), "ranks_per_node is 0"},
        {with(R"("ranks_per_node": 2)", R"("ranks_per_node": 2.5)"), "ranks_per_node is 2.5"},
        {with(R"("ranks_per_node": 2)", R"("ranks_per_node": 1e12)"), "ranks_per_node is 1"},
        {with(R"("shape": "full")", R"("shape": "ring")"), R"(network.shape is "ring")"},
        {with(R"("shape": "full")", R"("shape": "full", "link": 1e9)"), "network.link is unknown"},
        {with(R"("shape": "full")", R"("shape": "tree", "taper": 0.5)"), "add injection"},
        {with(R"("shape": "full")", R"("shape": "torus", "dimensions": 9, "link": 1e9)"),
         "network.dimensions is 9"},
        {with(R"("shape": "full")",
              R"("shape": "torus", "dimensions": 3, "link": 1e9, "extents": [4, 4])"),
         "the number of network.extents is 2: give as many as network.dimensions, from 3 to 3"},
        {with(R"("shape": "full")",
              R"("shape": "torus", "dimensions": 1, "link": 1e9, "extents": [0])"),
         "network.extents is 0"},
        {with(R"("shape": "full")",
              R"("shape": "torus", "dimensions": 1, "link": 1e9, "extents": 4)"),
         "network.extents is 4: a list of whole numbers is needed"},
        {with(R"("shape": "full")", R"("shape": "dragonfly")"), "network.blocks is missing"},
        {with(R"("shape": "full")", R"("shape": "dragonfly", "blocks": [[8, 1e9], [2, 1e9]])"),
         "network.blocks is 2: it follows 8"},
        {with(R"("shape": "full")", R"("shape": "dragonfly", "blocks": [[8, 1]])"),
         "network.blocks is 1: give bytes a second"},
        {with(R"("latency": 1e-06)", R"("latency": 1e-06, "overhead": 2e-06)"),
         "inside.overhead is 2e-06: give seconds that are no more than the latency"},
        {with(R"("network")", R"("collective_batch": 0, "network")"), "collective_batch is 0"},
        {with(R"("network")", R"("collective_batch": 2.5, "network")"), "collective_batch is 2.5"},
        {with(R"("rate": 1000000000.0)", R"("rate": 0)"), "engines.native.rate is 0"},
        {with(R"("rough": 0.5)", R"("rough": 1.5)"), "engines.native.rough is 1.5"},
        {with(R"("other_engines": "native")", R"("other_engines": "fftw")"), "has no 'fftw'"},
        {with(R"("network")", R"("congestion": {"messages": 0, "exponent": 0.1}, "network")"),
         "congestion.messages is 0"},
        {with(R"("network")", R"("congestion": {"messages": 9, "exponent": 2}, "network")"),
         "congestion.exponent is 2"},
        {with(R"("network")", R"("congestion": {"messages": 9}, "network")"),
         "congestion.exponent"},
        {with(R"("bandwidth": 100000000.0)", R"("bandwidth": 1e8, "by_size": [[8, 1e-6]])"),
         "between.by_size is 1e-06: give seconds that are no less than the latency"},
        {with(R"("bandwidth": 100000000.0)",
              R"("bandwidth": 1e8, "by_size": [[8, 2e-5], [16, 1e-5]])"),
         "between.by_size is 1e-05: a larger message takes less time"},
    };
    for (const auto& [text, quoted] : bad) {
        expect_refused(text, quoted, [&, &text = text] { parse_machine(text, "f.json"); });
        expect_refused(text, "f.json", [&, &text = text] { parse_machine(text, "f.json"); });
    }
}

// Every prefix is refused, and none crashes.
TEST(MachineFile, RefusesEveryTruncation) {
    const std::string whole = to_json(named_machine("jaguar"));
    for (std::size_t length = 0; length + 2 < whole.size(); length += 7) {
        expect_refused("truncated", "f.json",
                       [&] { parse_machine(whole.substr(0, length), "f.json"); });
    }
}

}  // namespace

}  // namespace weft::core
