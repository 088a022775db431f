// NCCL made of software, with threads as its ranks: right bytes, and an error for what NCCL would
// wait for without end.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "mpi/allocations.hpp"
#include "testing/emulated/nccl/nccl.hpp"
#include "unit/emulated_work.hpp"

namespace weft::core::emulated {

namespace {

using test::late;
using test::on_device;
using test::read;
using test::stream;
using test::write;

/// Nobody waits for so many milliseconds: a test that does runs into its time limit.
constexpr const char* patient = "delay:0,patience:1000000";

struct Rank {
    int rank = 0;
    int ranks = 0;
    ncclComm_t comm = nullptr;
    cudaStream_t stream = nullptr;

    /// What the communicator has failed with, once all of the stream has run; empty: nothing.
    [[nodiscard]] std::string failure() const {
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        ncclResult_t error = ncclSuccess;
        EXPECT_EQ(ncclCommGetAsyncError(comm, &error), ncclSuccess);
        return error == ncclSuccess ? "" : ncclGetLastError(comm);
    }
};

/// Each rank of a new communicator does it, in a thread of its own.
void on_ranks(int ranks, const std::function<void(const Rank&)>& work) {
    ncclUniqueId id;
    ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
    // One by one: the seed of `late` counts streams.
    std::vector<cudaStream_t> streams;
    streams.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) streams.push_back(stream());
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            Rank here{rank, ranks, nullptr, streams[static_cast<std::size_t>(rank)]};
            ASSERT_EQ(ncclCommInitRank(&here.comm, ranks, id, rank), ncclSuccess);
            work(here);
            EXPECT_EQ(ncclCommDestroy(here.comm), ncclSuccess);
        });
    }
    for (std::thread& one : threads) one.join();
}

ncclResult_t send(const Rank& here, const double* from, std::size_t count, int peer) {
    return ncclSend(from, count, ncclFloat64, peer, here.comm, here.stream);
}
ncclResult_t receive(const Rank& here, double* to, std::size_t count, int peer) {
    return ncclRecv(to, count, ncclFloat64, peer, here.comm, here.stream);
}

/// How many numbers the n-th message of a round has, from rank to rank: some have none, some more
/// than a socket holds.
std::size_t count_of(int round, int from, int to, int n) {
    Random random(static_cast<std::uint64_t>(((round * 8 + from) * 8 + to) * 8 + n));
    if (random.once_in(4)) return 0;
    return static_cast<std::size_t>(random.between(1, random.once_in(3) ? 60000 : 50));
}
double number_of(int round, int from, int to, int n, std::size_t i) {
    return 1e8 * round + 1e7 * from + 1e6 * to + 1e5 * n + static_cast<double>(i);
}

/// A message on the device, and room for its numbers.
struct OnDevice {
    double* data;
    std::vector<double> host;

    explicit OnDevice(std::size_t count) : data(on_device<double>(count + 1)), host(count) {}
};

/// In one group two messages to each rank, itself too, and two from each.
void exchange_with_all(const Rank& here, int round) {
    constexpr int messages = 2;
    std::vector<OnDevice> sent;
    std::vector<OnDevice> received;
    for (int peer = 0; peer < here.ranks; ++peer) {
        for (int n = 0; n < messages; ++n) {
            OnDevice& out = sent.emplace_back(count_of(round, here.rank, peer, n));
            for (std::size_t i = 0; i < out.host.size(); ++i) {
                out.host[i] = number_of(round, here.rank, peer, n, i);
            }
            write(out.host, out.data, here.stream);
            received.emplace_back(count_of(round, peer, here.rank, n));
        }
    }
    ncclGroupStart();
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const int peer = static_cast<int>(i) / messages;
        EXPECT_EQ(send(here, sent[i].data, sent[i].host.size(), peer), ncclSuccess);
        EXPECT_EQ(receive(here, received[i].data, received[i].host.size(), peer), ncclSuccess);
    }
    EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
    for (OnDevice& one : received) read(one.host, one.data, here.stream);
    EXPECT_EQ(here.failure(), "");
    for (std::size_t i = 0; i < received.size(); ++i) {
        const int peer = static_cast<int>(i) / messages;
        const int n = static_cast<int>(i) % messages;
        for (std::size_t k = 0; k < received[i].host.size(); ++k) {
            ASSERT_EQ(received[i].host[k], number_of(round, peer, here.rank, n, k))
                << "round " << round << ": message " << n << " from " << peer << ", number " << k;
        }
    }
    for (const auto* all : {&sent, &received}) {
        for (const OnDevice& one : *all) EXPECT_EQ(cudaFree(one.data), cudaSuccess);
    }
}

TEST(EmulatedNccl, GroupsBringWhatWasSent) {
    for (const std::string& options :
         {late(0), late(5), late(15), std::string("delay:30,seed:2")}) {
        set_emulated_device(options);
        for (int ranks = 1; ranks <= 4; ++ranks) {
            on_ranks(ranks, [](const Rank& here) {
                for (int round = 0; round < 3; ++round) exchange_with_all(here, round);
            });
        }
    }
}

/// Each of two ranks sends a number to the other and receives one.
void swap_numbers(const Rank& here, double* data, bool sends_first) {
    const int other = 1 - here.rank;
    if (sends_first) {
        EXPECT_EQ(send(here, data, 1, other), ncclSuccess);
    }
    EXPECT_EQ(receive(here, data + 1, 1, other), ncclSuccess);
    if (!sends_first) {
        EXPECT_EQ(send(here, data, 1, other), ncclSuccess);
    }
}

TEST(EmulatedNccl, ASendWaitsForItsReceive) {
    set_emulated_device(patient);
    on_ranks(2, [](const Rank& here) {
        auto* data = on_device<double>(2);
        std::vector<double> numbers = {10.0 + here.rank, 0};
        write(numbers, data, here.stream);
        swap_numbers(here, data, here.rank == 0);
        read(numbers, data, here.stream);
        EXPECT_EQ(here.failure(), "");
        EXPECT_EQ(numbers[1], 11.0 - here.rank);
    });
}

// Both send first, each in a group of its own: NCCL would wait for ever.
TEST(EmulatedNccl, SendsThatWaitForEachOtherAreAnError) {
    set_emulated_device("delay:0,patience:3000");
    on_ranks(2, [](const Rank& here) {
        auto* data = on_device<double>(2);
        swap_numbers(here, data, true);
        const std::string failure = here.failure();
        EXPECT_TRUE(failure.find("ncclGroupStart") != std::string::npos ||
                    failure.find("has failed") != std::string::npos)
            << failure;
    });
    // The stream, and the device, go on.
    on_ranks(2, [](const Rank& here) { exchange_with_all(here, 1); });
}

TEST(EmulatedNccl, SizesThatDifferAreAnErrorOnBothEnds) {
    set_emulated_device(patient);
    on_ranks(2, [](const Rank& here) {
        auto* data = on_device<double>(100);
        if (here.rank == 0) {
            EXPECT_EQ(send(here, data, 10, 1), ncclSuccess);
        }
        if (here.rank == 1) {
            EXPECT_EQ(receive(here, data, 9, 0), ncclSuccess);
        }
        EXPECT_EQ(here.failure(), "rank 0 sends 80 bytes to rank 1, which receives 72");
    });
}

TEST(EmulatedNccl, WhoWaitsForARankThatIsGoneIsToldAtOnce) {
    set_emulated_device(patient);
    on_ranks(3, [](const Rank& here) {
        auto* data = on_device<double>(10);
        if (here.rank == 1) return;
        EXPECT_EQ(receive(here, data, 10, 1), ncclSuccess);
        const std::string expected =
            "rank " + std::to_string(here.rank) +
            ": rank 1 has failed, has given up its communicator or has ended";
        EXPECT_EQ(here.failure(), expected);
        // What comes behind does not run either.
        EXPECT_EQ(send(here, data, 10, 2 - here.rank), ncclSuccess);
        EXPECT_EQ(here.failure(), expected);
    });
}

TEST(EmulatedNccl, AnAbortEndsWhatRuns) {
    set_emulated_device(patient);
    ncclUniqueId id;
    ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
    std::thread other([&] {
        ncclComm_t comm = nullptr;
        ASSERT_EQ(ncclCommInitRank(&comm, 2, id, 1), ncclSuccess);
        const cudaStream_t own = stream();
        auto* data = on_device<double>(1);
        EXPECT_EQ(ncclRecv(data, 1, ncclFloat64, 0, comm, own), ncclSuccess);
        EXPECT_EQ(cudaStreamSynchronize(own), cudaSuccess);
        ncclResult_t error = ncclSuccess;
        EXPECT_EQ(ncclCommGetAsyncError(comm, &error), ncclSuccess);
        EXPECT_EQ(error, ncclRemoteError);
        EXPECT_EQ(ncclCommAbort(comm), ncclSuccess);
    });
    ncclComm_t comm = nullptr;
    ASSERT_EQ(ncclCommInitRank(&comm, 2, id, 0), ncclSuccess);
    auto* data = on_device<double>(1);
    EXPECT_EQ(ncclRecv(data, 1, ncclFloat64, 1, comm, stream()), ncclSuccess);
    EXPECT_EQ(ncclCommAbort(comm), ncclSuccess);
    other.join();
    EXPECT_EQ(ncclCommDestroy(comm), ncclInvalidArgument) << "it is gone";
}

TEST(EmulatedNccl, RanksShareADeviceFromVersion230On) {
    set_emulated_device("nccl:22803");
    int version = 0;
    EXPECT_EQ(ncclGetVersion(&version), ncclSuccess);
    EXPECT_EQ(version, 22803);
    on_ranks(1, [](const Rank& here) { exchange_with_all(here, 0); });
    ncclUniqueId id;
    ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
    ncclComm_t comm = nullptr;
    EXPECT_EQ(ncclCommInitRank(&comm, 2, id, 0), ncclInvalidUsage);
    EXPECT_NE(std::string(ncclGetLastError(nullptr)).find("Duplicate GPU"), std::string::npos);
}

TEST(EmulatedNccl, RefusesWhatCannotBe) {
    set_emulated_device("delay:0,patience:100");
    ncclUniqueId id;
    ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
    ncclComm_t comm = nullptr;
    EXPECT_EQ(ncclCommInitRank(&comm, 2, id, 2), ncclInvalidArgument);
    EXPECT_EQ(ncclCommInitRank(&comm, 2, id, 0), ncclRemoteError) << "nobody else comes";
    EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage);
    on_ranks(1, [](const Rank& here) {
        auto* data = on_device<double>(4);
        std::vector<double> host(4);
        EXPECT_EQ(send(here, data, 1, 1), ncclInvalidArgument);
        EXPECT_EQ(send(here, data, 5, 0), ncclInvalidArgument) << "beyond what was allocated";
        EXPECT_EQ(send(here, host.data(), 4, 0), ncclInvalidArgument);
        EXPECT_EQ(ncclSend(data, 1, ncclFloat64, 0, nullptr, here.stream), ncclInvalidArgument);
        ncclGroupStart();
        EXPECT_EQ(send(here, data, 1, 0), ncclSuccess);
        EXPECT_EQ(receive(here, data, 1, 7), ncclInvalidArgument);
        EXPECT_EQ(ncclGroupEnd(), ncclInvalidArgument) << "nothing of the group is done";
        EXPECT_EQ(here.failure(), "");
    });
    set_emulated_device("none");
    EXPECT_EQ(ncclGetUniqueId(&id), ncclUnhandledCudaError);
}

TEST(EmulatedNccl, WorkBehindItWaitsForIt) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        set_emulated_device(late(seed));
        on_ranks(2, [](const Rank& here) {
            auto* data = on_device<double>(2);
            std::vector<double> numbers = {1.0 + here.rank, 0};
            write(numbers, data, here.stream);
            ncclGroupStart();
            swap_numbers(here, data, true);
            EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
            EXPECT_EQ(launch(test::add, Dim3{1}, Dim3{2}, 0, here.stream, data, 2, 0.5),
                      cudaSuccess);
            read(numbers, data, here.stream);
            EXPECT_EQ(here.failure(), "");
            EXPECT_EQ(numbers[1], 2.5 - here.rank);
        });
    }
}

TEST(EmulatedNccl, RepeatedGroupsAllocateNothing) {
    set_emulated_device("delay:0");
    on_ranks(1, [](const Rank& here) {
        auto* data = on_device<double>(20);
        const auto swap = [&] {
            ncclGroupStart();
            (void)send(here, data, 10, 0);
            (void)receive(here, data + 10, 10, 0);
            (void)ncclGroupEnd();
            EXPECT_EQ(cudaStreamSynchronize(here.stream), cudaSuccess);
        };
        for (int i = 0; i < 3; ++i) swap();
        weft::test::count_allocations(true);
        for (int i = 0; i < 3; ++i) swap();
        const long counted = weft::test::allocations();
        weft::test::count_allocations(false);
        EXPECT_EQ(counted, 0);
        EXPECT_EQ(here.failure(), "");
    });
}

}  // namespace

}  // namespace weft::core::emulated
