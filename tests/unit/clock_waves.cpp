// Collective calls send what the algorithms of MPI's libraries send.
#include <gtest/gtest.h>

#include <numeric>

#include "clock/calls.hpp"
#include "unit/easy_machine.hpp"

namespace weft::core::test {

namespace {

/// Each of so many ranks has a message of so many bytes for each other one.
ExchangeTask all_to_all(TransportId transport, int ranks, int rank, Index bytes) {
    ExchangeTask task;
    task.transport = transport;
    std::vector<int> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    task.group = {"all", all};
    task.element_bytes = 1;
    task.sends.reserve(all.size());
    task.receives.reserve(all.size());
    for (int i = 1; i < ranks; ++i) {
        task.sends.push_back({(rank + i) % ranks, {{0, {{bytes, 1}}}}});
        task.receives.push_back({(rank - i + ranks) % ranks, {{0, {{bytes, 1}}}}});
    }
    if (transport == TransportId::alltoall) task.slot = bytes;
    return task;
}

Waves waves(TransportId transport, int ranks, int rank, Index bytes, CallsOf calls) {
    return waves_of(all_to_all(transport, ranks, rank, bytes), rank, easy_machine(), calls);
}

std::vector<int> peers(const Waves& of) {
    std::vector<int> result;
    result.reserve(of.sends.size());
    for (const SentMessage& one : of.sends) result.push_back(one.peer);
    return result;
}

using Id = TransportId;

TEST(ClockWaves, MessagesOfRanksThemselvesAreOneWave) {
    const Waves one = waves(Id::p2p, 4, 0, 100, CallsOf::openmpi);
    EXPECT_EQ(one.waves, (std::vector<Wave>{{3, 3}}));
    EXPECT_EQ(one.sends.front(), (SentMessage{1, 100}));
}

TEST(ClockWaves, OpenMpiIsPairwiseOrLinearByRanks) {
    // coll/tuned: pairwise below 4 ranks, from 64 to 127 and from 256 to 1023.
    for (const auto& [ranks, pairwise] :
         {std::pair(3, true), {4, false}, {63, false}, {64, true}, {128, false}, {256, true}}) {
        const Waves one = waves(Id::alltoallv, ranks, 1, 100, CallsOf::openmpi);
        EXPECT_EQ(one.waves.size(), pairwise ? ranks : 1) << ranks;
    }
    const Waves three = waves(Id::alltoallv, 3, 1, 100, CallsOf::openmpi);
    // The first wave would be the rank's own message.
    EXPECT_EQ(three.waves, (std::vector<Wave>{{0, 0}, {1, 1}, {1, 1}}));
    EXPECT_EQ(peers(three), (std::vector<int>{2, 0}));
}

TEST(ClockWaves, MpichHasSoManyMessagesAtATime) {
    const Waves one = waves(Id::alltoallv, 100, 7, 100, CallsOf::mpich);
    EXPECT_EQ(one.waves, (std::vector<Wave>{{31, 31}, {32, 32}, {32, 32}, {4, 4}}));
    EXPECT_EQ(one.sends.front().peer, 8);
}

TEST(ClockWaves, SmallBlocksGoByBrucksAlgorithm) {
    for (const CallsOf calls : {CallsOf::openmpi, CallsOf::mpich}) {
        const Waves one = waves(Id::alltoall, 13, 2, 16, calls);
        EXPECT_EQ(peers(one), (std::vector<int>{3, 4, 6, 10}));
        // Distances 1 to 12 with that bit: 6, 6, 5, 5.
        EXPECT_EQ(one.sends[0].bytes, 6 * 16);
        EXPECT_EQ(one.sends[1].bytes, 6 * 16);
        EXPECT_EQ(one.sends[2].bytes, 5 * 16);
        EXPECT_EQ(one.sends[3].bytes, 5 * 16);
        EXPECT_EQ(waves(Id::alltoall, 13, 2, 100000, calls).waves.size(), 13);
    }
}

TEST(ClockWaves, MachinesSayTheirOwnNumber) {
    Machine machine = easy_machine();
    machine.collective_batch = 4;
    const Waves one = waves_of(all_to_all(Id::alltoallv, 8, 0, 100), 0, machine, CallsOf::machine);
    EXPECT_EQ(one.waves, (std::vector<Wave>{{3, 3}, {4, 4}}));
}

}  // namespace

}  // namespace weft::core::test
