// What plans take on machines, against formulas written out for every pair of ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "exchange/transfers.hpp"
#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "model/operation_seconds.hpp"
#include "model/price.hpp"
#include "plan/fuse.hpp"
#include "program/lower.hpp"
#include "verify/random_case.hpp"

namespace weft::core {

namespace {

/// Whose memory and engines take no time.
Machine messages_only(int ranks_per_node) {
    Machine machine;
    machine.name = "messages";
    machine.ranks_per_node = ranks_per_node;
    machine.inside = {2e-6, 3e9};
    machine.between = {5e-6, 1e9};
    machine.memory = {1e12, 1, 1};
    machine.engines["native"] = {1e16};
    machine.other_engines = "native";
    return machine;
}

Machine random_machine(Random& random) {
    Machine machine = messages_only(static_cast<int>(random.between(1, 5)));
    if (random.once_in(2)) machine.injection = 1e8 * static_cast<double>(random.between(1, 30));
    if (random.once_in(2)) machine.congestion = {4, 0.3};
    if (random.once_in(2)) machine.between.by_size = {{64, 7e-6}, {4096, 9e-6}};
    if (random.once_in(3)) machine.network = {Network::Shape::torus, 1, 2, 1e8};
    return machine;
}

/// Seconds of a rank's own messages, and of the network's narrowest cut by them.
struct BruteSide {
    double own = 0;
    double links = 0;
};

/// What `rank` takes to send (or receive), summed over all other ranks.
BruteSide brute_side(const Distribution& from, const Distribution& to, double element, int rank,
                     bool sends, const Machine& machine) {
    const int ranks = from.ranks();
    const int node = machine.ranks_per_node;
    const int nodes = (ranks + node - 1) / node;
    const auto common_with = [&](int other) {
        return sends ? common_elements(from, to, rank, other)
                     : common_elements(from, to, other, rank);
    };
    double under_way = 0;
    for (int other = 0; other < ranks; ++other) {
        if (rank / node != other / node && common_with(other) > 0) under_way += ranks;
    }
    double seconds = 0;
    double crossing = 0;
    for (int other = 0; other < ranks; ++other) {
        const Index common = common_with(other);
        if (other == rank || common == 0) continue;
        const double bytes = element * static_cast<double>(common);
        seconds += message_seconds(machine, rank / node == other / node, bytes, under_way,
                                   std::min(node, ranks));
        const int half = (nodes + 1) / 2;
        if ((rank / node < half) != (other / node < half)) crossing += bytes;
    }
    const auto across = bisection(machine, nodes);
    const double factor = congestion(machine, under_way);
    return {seconds, across ? factor * crossing * ranks / 2 / *across : 0};
}

double total(const std::vector<StagePrice>& stages) {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.seconds();
    return sum;
}

double sum_of_waits(const std::vector<StagePrice>& stages) {
    double sum = 0;
    for (const StagePrice& stage : stages) sum += stage.exchange;
    return sum;
}

Plan plan_of(const std::string& text, int ranks) {
    return make_plan(parse_plan_request(text), ranks);
}

std::vector<StagePrice> price_of(const Plan& plan, int rank, const Machine& machine) {
    const Topology nodes(plan.ranks, machine.ranks_per_node);
    const Environment environment = environment_of(plan, nodes);
    const Program program = lower(plan, rank, environment);
    const Plan fused = fuse(plan, environment);
    return price(program, fused, {machine, plan.ranks}, stage_bytes(program, fused)).stages;
}

TEST(Price, IsTheSumOfMessagesForRandomPlans) {
    Random random(11);
    int redistributions = 0;
    for (int i = 0; i < 150; ++i) {
        const int ranks = static_cast<int>(random.between(1, 12));
        const Problem problem = random_problem(random, ranks, 3000);
        Choice choice;
        choice.via = "alltoallv";
        const Plan plan = make_plan(problem, choice, ranks);
        const Machine machine = random_machine(random);
        for (int rank = 0; rank < ranks; ++rank) {
            const std::vector<StagePrice> stages = price_of(plan, rank, machine);
            ASSERT_EQ(stages.size(), plan.stages.size());
            for (std::size_t s = 0; s < stages.size(); ++s) {
                double expected = 0;
                if (redistribution_at(plan, s) != nullptr) {
                    ++redistributions;
                    const Distribution& from = plan.at[s].where;
                    const Distribution& to = plan.at[s + 1].where;
                    const auto element = static_cast<double>(plan.at[s].scalar.bytes());
                    const BruteSide sent = brute_side(from, to, element, rank, true, machine);
                    const BruteSide got = brute_side(from, to, element, rank, false, machine);
                    const bool one_way = sent.links == 0 || got.links == 0;
                    expected = std::max({sent.own, got.own,
                                         one_way ? std::max(sent.links, got.links)
                                                 : std::min(sent.links, got.links)});
                }
                EXPECT_NEAR(stages[s].exchange, expected, 1e-9 * expected + 1e-15)
                    << to_string(plan) << ", rank " << rank << ", stage " << s;
            }
        }
    }
    EXPECT_GT(redistributions, 500);
}

TEST(Price, CountsTheFlopsOfEveryAxis) {
    Machine machine = messages_only(64);
    machine.engines["native"] = {1e9};
    const Plan plan = plan_of("c2c:f64:16x12x10", 1);
    const double elements = 16 * 12 * 10;
    const double flops = 5 * elements * (std::log2(16) + std::log2(12) + std::log2(10));
    EXPECT_NEAR(price(plan, machine).seconds(), flops / 1e9, 1e-12);
    EXPECT_NEAR(price(plan_of("r2c:f64:16", 1), machine).seconds(), 2.5 * 16 * 4 / 1e9, 1e-15);
}

// The example of model/operation_seconds.hpp, and what becomes of it in a price.
TEST(Price, IsMadeOfTheSecondsOfOperations) {
    Machine machine = messages_only(1);
    machine.engines["native"] = {1e9};
    const Plan lines = plan_of("c2c:f64:64x16 axes=1", 1);
    const auto seconds_of = [&](const Plan& plan, int rank) {
        const Program program = lower(plan, rank);
        return operation_seconds(program, plan, machine, stage_bytes(program, plan));
    };
    EXPECT_NEAR(seconds_of(lines, 0).front(), 2.048e-5, 1e-12);
    machine.memory = {0, 1e9, 5e8};
    const Plan plan = plan_of("c2c:f64:16x12x10; decomposition=slab; via=alltoallv", 3);
    double seconds = 0;
    for (const double one : seconds_of(plan, 1)) seconds += one;
    double work = 0;
    for (const StagePrice& stage : price_of(plan, 1, machine)) work += stage.work;
    EXPECT_GT(work, 0);
    EXPECT_NEAR(work, seconds, 1e-12 * seconds);
}

// Threads share the arithmetic, not the memory.
TEST(Price, DividesTheFlopsAmongThreads) {
    Machine machine = messages_only(64);
    machine.engines["native"] = {1e9};
    const std::string problem = "c2c:f64:16x12x10; threads=";
    const double alone = price(plan_of(problem + "1", 1), machine).seconds();
    EXPECT_NEAR(price(plan_of(problem + "4", 1), machine).seconds(), alone / 4, 1e-12);
    machine.memory = {1, 1e3, 1e3};
    machine.engines["native"] = {1e16};
    const double passes = price(plan_of(problem + "1", 1), machine).seconds();
    EXPECT_NEAR(price(plan_of(problem + "4", 1), machine).seconds(), passes, 1e-9 * passes);
}

// One pass of 256 MB that is read and written at 1 GB/s takes half a second.
TEST(Price, CountsPassesOverMemoryBeyondTheCache) {
    Machine machine = messages_only(64);
    machine.memory = {1e6, 1e9, 5e8};
    const Plan plan = plan_of("c2c:f64:256x256x256 axes=2", 1);
    EXPECT_NEAR(price(plan, machine).seconds(), 2 * 16 * 16777216 / 1e9, 1e-6);
    machine.memory.cache = 1e12;
    EXPECT_LT(price(plan, machine).seconds(), 1e-6);
    // The same exchange within a node: two passes by regions, two more where messages are packed.
    machine.memory.cache = 0;
    const auto work = [&](const std::string& how) {
        return price(plan_of("c2c:f64:64x64x64; " + how, 4), machine).work();
    };
    const double pass = 2.0 * 16 * 64 * 64 * 64 / 4 / 1e9;
    EXPECT_NEAR(work("via=shared"), 2 * pass, 1e-3 * pass);
    EXPECT_GT(work("via=alltoallv; pack=sender"), 3.5 * pass);
}

// [ayala] eqs. 2 and 3 with 1 us and 23.5 GB/s: 256^3 on 256 ranks.
TEST(Price, IsEquationsTwoAndThreeWhereElementsAreSpreadEvenly) {
    const Machine summit = named_machine("summit");
    const double latency = 1e-6;
    const double bandwidth = 23.5e9;
    const double n = 256.0 * 256 * 256;
    const PlanPrice slab =
        price(plan_of("c2c:f64:256x256x256; decomposition=slab; via=alltoallv", 256), summit);
    const double by_slabs = 255 * (latency + 16 * n / (bandwidth * 256 * 256));
    EXPECT_NEAR(slab.exchange(), by_slabs, 1e-6 * by_slabs);
    EXPECT_NEAR(slab.exchange(), 0.299e-3, 0.001e-3);
    EXPECT_NEAR(even_exchange_seconds(slab, summit), by_slabs, 1e-6 * by_slabs);
    EXPECT_NEAR(*average_bandwidth(slab, summit), bandwidth, 1e-5 * bandwidth);
    const PlanPrice pencil = price(
        plan_of("c2c:f64:256x256x256; decomposition=pencil(16x16); via=alltoallv", 256), summit);
    const double by_pencils = 2 * 15 * (latency + 16 * n / (bandwidth * 16 * 256));
    EXPECT_NEAR(pencil.exchange(), by_pencils, 1e-6 * by_pencils);
    EXPECT_NEAR(pencil.exchange(), 0.114e-3, 0.001e-3);
    EXPECT_NEAR(*average_bandwidth(pencil, summit), bandwidth, 1e-5 * bandwidth);
}

// [ayala] table III: 512^3 in slabs up to 192 ranks, in pencils from 384.
TEST(Price, PutsSlabsBeforePencilsOnSummitWhereTheyAre) {
    const Machine summit = named_machine("summit");
    struct Row {
        int ranks;
        std::string grid;
        double slab;    ///< milliseconds of eq. 2, where known
        double pencil;  ///< of eq. 3
    };
    const std::vector<Row> rows = {{6, "2x3", 0, 0},
                                   {12, "3x4", 0, 0},
                                   {24, "4x6", 0, 0},
                                   {48, "6x8", 0, 0},
                                   {96, "8x12", 0, 0},
                                   {192, "12x16", 0.664, 0.908},
                                   {384, "16x24", 0.620, 0.489}};
    for (const Row& row : rows) {
        const PlanPrice slab = price(
            plan_of("c2c:f64:512x512x512; decomposition=slab; via=alltoallv", row.ranks), summit);
        const PlanPrice pencil = price(
            plan_of("c2c:f64:512x512x512; decomposition=pencil(" + row.grid + "); via=alltoallv",
                    row.ranks),
            summit);
        EXPECT_EQ(slab.seconds() < pencil.seconds(), row.ranks <= 192) << row.ranks;
        EXPECT_EQ(slab.exchange() < pencil.exchange(), row.ranks <= 192) << row.ranks;
        if (row.slab == 0) continue;
        EXPECT_NEAR(1e3 * even_exchange_seconds(slab, summit), row.slab, 0.001);
        EXPECT_NEAR(1e3 * even_exchange_seconds(pencil, summit), row.pencil, 0.001);
    }
}

TEST(Price, HasPencilsFasterOnTheDefaultMachineAtScale) {
    const Machine machine = named_machine(default_machine);
    const auto seconds = [&](const std::string& shape, const std::string& how, int ranks) {
        return price(plan_of(shape + "; decomposition=" + how, ranks), machine).seconds();
    };
    EXPECT_LT(seconds("c2c:f64:256x256x256", "pencil(16x16)", 256),
              seconds("c2c:f64:256x256x256", "slab", 256));
    EXPECT_LT(seconds("c2c:f64:4096x4096x4096", "pencil(64x64)", 4096),
              seconds("c2c:f64:4096x4096x4096", "slab", 4096));
}

// A rank of four looks at three counters, tells three ranks and looks whether three are done; what
// they have written comes from their caches, where these hold it.
TEST(Price, CountsTheCountersAndTheBytesOfRegions) {
    Machine machine = messages_only(4);
    const Plan plan = plan_of("c2c:f64:16x16x16; decomposition=slab; via=shared", 4);
    const double own = 16.0 * 16 * 16 * 16 / 4;
    const double counters = 2e-6 + 9 * 64 / 3e9;
    EXPECT_NEAR(price(plan, machine).exchange(), counters, 1e-12);
    EXPECT_NEAR(price(plan, machine).work(), own * 3 / 4 / 3e9, 1e-10);
    // Beyond the cache all comes from memory.
    machine.memory.cache = 0;
    machine.memory.copy_rate = 6e9;
    EXPECT_NEAR(price(plan, machine).work(), 4 * own / 6e9, 1e-2 * own / 6e9);
}

// k-way: log p / log k stages of k-1 messages, each of p/k blocks ([gholami] Alg. 4-5).
TEST(Price, CountsTheStagesOfAKWaySchedule) {
    const Machine machine = messages_only(1);
    const double block = 16.0 * 64 * 64 * 64 / (16 * 16);
    for (const int k : {2, 4, 16}) {
        const Plan plan = plan_of(
            "c2c:f64:64x64x64; decomposition=slab; via=kway(" + std::to_string(k) + ")", 16);
        const double stages = std::log(16.0) / std::log(k);
        const double expected = stages * (k - 1) * (5e-6 + 16.0 / k * block / 1e9);
        EXPECT_NEAR(price(plan, machine).exchange(), expected, 1e-6 * expected) << k;
    }
}

// MPI_Alltoall as [schulz] section 5 measured it, microseconds by bytes of a message and processors
// (2, 4, 8 and so on). Messages of 8192 bytes are no point of the machines' tables. Shorter ones
// than 1 KiB are not sent one by one there.
TEST(Price, GivesMeasuredExchangesBackWithinAThird) {
    struct Row {
        std::string machine;
        double bytes;
        std::vector<double> seconds;
    };
    const std::vector<Row> rows = {
        {"jaguar", 1024, {17.15, 62.89, 155.02, 358.16, 769.05, 1619.8, 3313.07}},
        {"jaguar", 4096, {23.42, 83.73, 210.89, 480.43, 1039.05, 2279.3, 5210.17}},
        {"jaguar", 8192, {27.79, 100.56, 274.76, 650.2, 1500.21, 3543.02, 9191.78}},
        {"jaguar", 65536, {97.52, 454.29, 1524.2, 4356.3, 10311.28, 24638.28, 61710.51}},
        {"helics", 1024, {3.55, 10.04, 61.57, 186.74, 438.36, 944.12}},
        {"helics", 4096, {6.61, 23.4, 178.6, 539.98, 1305.49, 2969.52}},
        {"helics", 8192, {11.17, 50.77, 192.05, 613.35, 1735.33, 3538.46}},
        {"helics", 65536, {40.38, 138.29, 1406.8, 4046.22, 9907.08, 24991.65}}};
    for (const Row& row : rows) {
        const Machine machine = named_machine(row.machine);
        int ranks = 1;
        for (const double measured : row.seconds) {
            ranks *= 2;
            std::vector<SizedMessage> messages;
            for (int peer = 1; peer < ranks; ++peer) messages.push_back({peer, row.bytes});
            const double predicted = 1e6 * exchange_seconds({machine, ranks}, 0, messages, true);
            EXPECT_LT(std::max(predicted / measured, measured / predicted), 1.36)
                << row.machine << ", " << row.bytes << " bytes, " << ranks
                << " ranks: " << predicted << " us";
        }
    }
}

// Ranks of a node read each other's memory, and send to the others only.
TEST(Price, SendsNothingWithinANode) {
    const Machine machine = messages_only(4);
    const double block = 16.0 * 64 * 64 * 64 / (16 * 16);
    const double counters = 2e-6 + 9 * 64 / 3e9;
    const PlanPrice shared =
        price(plan_of("c2c:f64:64x64x64; decomposition=slab; via=shared", 16), machine);
    EXPECT_NEAR(shared.exchange(), counters + 12 * (5e-6 + block / 1e9), 1e-9);
    const PlanPrice alone =
        price(plan_of("c2c:f64:64x64x64; decomposition=slab; via=shared", 4), machine);
    EXPECT_NEAR(alone.exchange(), counters, 1e-12);
}

// Padded messages are as large as the largest.
TEST(Price, CountsPadding) {
    const Machine machine = messages_only(1);
    const auto exchange = [&](const std::string& via) {
        return price(plan_of("c2c:f64:7x7 ; decomposition=slab; via=" + via, 3), machine)
            .exchange();
    };
    EXPECT_NEAR(exchange("alltoall"), 2 * (5e-6 + 16 * 9 / 1e9), 1e-12);
    EXPECT_LT(exchange("alltoallv"), exchange("alltoall"));
}

// [song]: tiles take the larger of computation and messages, and a head and a tail.
TEST(Price, OverlapsTilesInFlight) {
    Machine machine = messages_only(1);
    machine.engines["native"] = {1e9};
    machine.between = {0, 1e9};
    const std::string slab = "c2c:f64:64x64x64; decomposition=slab; via=isend-waitall";
    for (const double rate : {1e8, 1e9, 1e10}) {
        machine.between.bandwidth = rate;
        const PlanPrice whole = price(plan_of(slab, 4), machine);
        const PlanPrice tiled = price(plan_of(slab + "; tile=(axis:2,T:4,W:2)", 4), machine);
        const double messages = whole.exchange();
        EXPECT_NEAR(tiled.work(), whole.work(), 1e-9 * whole.work());
        EXPECT_GE(tiled.seconds(), std::max(messages, whole.work()) * (1 - 1e-9)) << rate;
        EXPECT_LT(tiled.seconds(), whole.seconds()) << rate;
        // The first tile's computation and the last one's, of 16, are not hidden.
        EXPECT_LT(tiled.seconds(), std::max(messages, whole.work()) + 3.0 / 16 * whole.seconds())
            << rate;
    }
}

TEST(Price, NeverHasTilesFasterThanTheirWorkOrTheirMessages) {
    Random random(5);
    int tiled = 0;
    for (int i = 0; i < 200; ++i) {
        const int ranks = static_cast<int>(random.between(2, 8));
        RandomCase one{random_problem(random, ranks, 3000), {}};
        one.choice.via = "isend-waitall";
        add_tiles(random, one, ranks);
        if (!one.choice.tile) continue;
        const Plan plan = default_plan(one.problem, one.choice, ranks);
        if (!plan.pipeline) continue;
        ++tiled;
        Machine machine = messages_only(static_cast<int>(random.between(1, 3)));
        machine.engines["native"] = {1e8};
        const std::vector<StagePrice> stages = price_of(plan, 0, machine);
        machine.engines["native"] = {1e16};
        const double messages = sum_of_waits(price_of(plan, 0, machine));
        EXPECT_GE(total(stages), messages * (1 - 1e-9)) << to_string(plan);
        EXPECT_LE(sum_of_waits(stages), messages * (1 + 1e-9)) << to_string(plan);
    }
    EXPECT_GT(tiled, 20);
}

// N / P^(2/3) on a torus of three dimensions ([gholami] section 2): with 8 times the ranks a
// quarter of the time.
TEST(Price, IsBoundByTheBisection) {
    Machine machine = messages_only(1);
    machine.between = {0, 1e15};
    machine.network = {Network::Shape::torus, 1, 3, 1e6};
    const auto exchange = [&](int ranks) {
        return price(plan_of("c2c:f64:512x512x64; decomposition=slab; via=alltoallv", ranks),
                     machine)
            .exchange();
    };
    EXPECT_NEAR(exchange(64) / exchange(8), 0.25, 1e-6);
    // Half of what each rank has crosses.
    EXPECT_NEAR(exchange(8), 16.0 * 512 * 512 * 64 / 2 / 2 / (2 * 4 * 1e6), 1e-6);
}

TEST(Price, OfOneRankOrOfNothingIsFinite) {
    const Machine machine = named_machine("helics");
    EXPECT_EQ(price(plan_of("c2c:f64:8x8x8", 1), machine).exchange(), 0);
    EXPECT_FALSE(average_bandwidth(price(plan_of("c2c:f64:8x8x8", 1), machine), machine));
    EXPECT_GE(price(plan_of("redistribute:8:8x8 in=slab(0) out=slab(1)", 5), machine).seconds(), 0);
    EXPECT_EQ(price(plan_of("redistribute:8:8x8 in=slab(0) out=slab(0)", 5), machine).seconds(), 0);
}

}  // namespace

}  // namespace weft::core
