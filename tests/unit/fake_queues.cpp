// Queues of the fake device keep the order that is asked for and no other, so a wait that was
// forgotten shows.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "mpi/allocations.hpp"
#include "unit/device_work.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using test::Add;
using test::drawn;
using test::error_of;
using test::Fill;
using test::late;
using test::raw;
using Ticket = DeviceQueue::Ticket;

TEST(FakeQueues, RunsTheWorkOfAQueueInOrder) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const auto device = make_fake_device(drawn(seed));
        std::vector<int> ran;
        std::vector<int> expected(50);
        std::iota(expected.begin(), expected.end(), 0);
        const auto queue = device->queue("compute");
        const auto note = [&](const DeviceView&) { ran.push_back(static_cast<int>(ran.size())); };
        std::deque<Ticket> tickets;
        EXPECT_EQ(queue->last(), 0U);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            tickets.push_back(queue->launch(note, "note"));
            EXPECT_EQ(tickets.back(), i + 1);
            EXPECT_EQ(queue->last(), i + 1);
        }
        queue->wait(tickets[30]);
        EXPECT_TRUE(queue->done(tickets[30]));
        EXPECT_TRUE(queue->done(0));
        queue->wait(queue->last());
        EXPECT_EQ(ran, expected);
    }
}

TEST(FakeQueues, AQueueWaitsForAnother) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const auto device = make_fake_device(drawn(seed));
        const auto memory = device->allocate(800, "work");
        std::vector<double> seen(100);
        const auto first = device->queue("first");
        const auto second = device->queue("second");
        const Fill fill{*memory, 3};
        const Add add{*memory, 4};
        const Ticket filled = first->launch(fill, "fill");
        second->wait_for(*first, filled);
        first->wait_for(*second, second->launch(add, "add"));
        first->wait(first->copy(memory->data(), raw(seen), 800, "out"));
        EXPECT_EQ(seen, std::vector<double>(100, 7.0)) << seed;
    }
}

// A planted fault: the second queue does not wait for the first.
TEST(FakeQueues, LateShowsAMissingWait) {
    for (const bool waits : {false, true}) {
        const auto device = make_fake_device(late());
        const auto memory = device->allocate(80, "work");
        std::vector<double> seen(10);
        const auto compute = device->queue("compute");
        const auto copies = device->queue("copies");
        const Fill before{*memory, 1};
        const Fill after{*memory, 2};
        compute->wait(compute->launch(before, "before"));
        const Ticket filled = compute->launch(after, "after");
        if (waits) copies->wait_for(*compute, filled);
        copies->wait(copies->copy(memory->data(), raw(seen), 80, "out"));
        EXPECT_EQ(seen, std::vector<double>(10, waits ? 2.0 : 1.0));
    }
}

// The example of device.hpp. With both queues late its first wait can be left out, since the last
// one runs the copies in order; a queue that runs at once shows that it is missing.
TEST(FakeQueues, AQueueThatRunsAtOnceShowsAMissingWait) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        for (const bool waits : {false, true}) {
            FakeOptions options = late();
            options.seed = seed;
            const auto device = make_fake_device(options);
            const auto memory = device->allocate(8, "work");
            std::vector<double> host = {1};
            const auto copies = device->queue("copies");
            const auto compute = device->queue("compute");
            const Add add{*memory, 1};
            const Ticket arrived = copies->copy(raw(host), memory->data(), 8, "stage in");
            if (waits) compute->wait_for(*copies, arrived);
            copies->wait_for(*compute, compute->launch(add, "add"));
            copies->wait(copies->copy(memory->data(), raw(host), 8, "stage out"));
            EXPECT_EQ(host[0], !waits && seed == 2 ? 1 : 2) << seed;
        }
    }
}

TEST(FakeQueues, WorkThatRunsAtOnceHasRunWhenItIsPutIn) {
    FakeOptions options = late();
    options.seed = 1;
    const auto device = make_fake_device(options);
    std::atomic<int> ran = 0;
    const auto count = [&](const DeviceView&) { ++ran; };
    const auto at_once = device->queue("at once");
    const auto held_back = device->queue("held back");
    at_once->launch(count, "one");
    EXPECT_EQ(ran, 1);
    const Ticket second = held_back->launch(count, "two");
    held_back->launch(count, "three");
    EXPECT_EQ(ran, 1);
    at_once->wait_for(*held_back, second);
    at_once->launch(count, "four");
    EXPECT_EQ(ran, 3);
}

// A planted fault: chunks go through one device buffer, and the second does not wait until the
// first has left it.
TEST(FakeQueues, LateShowsABufferThatIsReusedEarly) {
    for (const bool waits : {false, true}) {
        const auto device = make_fake_device(late());
        const auto chunk = device->allocate(80, "chunk");
        std::vector<double> seen(10);
        const auto compute = device->queue("compute");
        const auto copies = device->queue("copies");
        const Fill first{*chunk, 1};
        const Fill second{*chunk, 2};
        copies->wait_for(*compute, compute->launch(first, "first chunk"));
        const Ticket out = copies->copy(chunk->data(), raw(seen), 80, "out");
        if (waits) compute->wait_for(*copies, out);
        compute->wait(compute->launch(second, "second chunk"));
        copies->wait(out);
        EXPECT_EQ(seen, std::vector<double>(10, waits ? 1.0 : 2.0));
    }
}

TEST(FakeQueues, LateShowsAHostBufferThatIsReusedEarly) {
    const auto device = make_fake_device(late());
    const auto memory = device->allocate(8, "work");
    std::vector<double> staging = {1};
    const auto queue = device->queue("copies");
    queue->copy(raw(staging), memory->data(), 8, "in");
    staging[0] = 2;
    queue->wait(queue->copy(memory->data(), raw(staging), 8, "out"));
    EXPECT_EQ(staging[0], 2);
}

TEST(FakeQueues, LateWorkRunsWhenItIsAskedFor) {
    const auto device = make_fake_device(late());
    std::atomic<int> ran = 0;
    const auto queue = device->queue("compute");
    const auto count = [&](const DeviceView&) { ++ran; };
    const Ticket first = queue->launch(count, "one");
    const Ticket second = queue->launch(count, "two");
    while (!queue->done(first)) std::this_thread::yield();
    EXPECT_EQ(ran, 1);
    while (!queue->done(second)) std::this_thread::yield();
    EXPECT_EQ(ran, 2);
}

TEST(FakeQueues, AQueueThatIsDestroyedHasRunWhatIsInIt) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const auto device = make_fake_device(drawn(seed));
        std::atomic<int> ran = 0;
        const auto count = [&](const DeviceView&) { ++ran; };
        auto first = device->queue("first");
        auto second = device->queue("second");
        second->wait_for(*first, first->launch(count, "one"));
        second->launch(count, "two");
        first->wait_for(*second, second->last());
        if (seed % 2 == 0) second.reset();
        first.reset();
        second.reset();
        EXPECT_EQ(ran, 2);
    }
}

/// What the random graph below notes when it runs.
struct Note {
    std::atomic<int>& counter;
    int* when;
    void operator()(const DeviceView& /*view*/) const { *when = ++counter; }
};

void check_random_graph(std::uint64_t seed) {
    constexpr std::size_t steps = 30;
    Random random(seed);
    const auto device = make_fake_device(drawn(seed));
    std::atomic<int> counter = 0;
    std::vector<int> when(steps, 0);
    std::vector<Note> notes;
    notes.reserve(steps);
    for (int& one : when) notes.push_back({counter, &one});
    std::vector<std::unique_ptr<DeviceQueue>> queues;
    for (const char* name : {"a", "b", "c"}) queues.push_back(device->queue(name));
    std::vector<std::size_t> queue_of(steps);
    std::vector<Ticket> tickets(steps);
    std::vector<std::pair<std::size_t, std::size_t>> before;  // the first runs before the second
    for (std::size_t i = 0; i < steps; ++i) {
        queue_of[i] = static_cast<std::size_t>(random.between(0, 2));
        DeviceQueue& queue = *queues[queue_of[i]];
        for (std::size_t j = 0; j < i; ++j) {
            const bool waits = random.once_in(8);
            if (waits) queue.wait_for(*queues[queue_of[j]], tickets[j]);
            if (waits || queue_of[j] == queue_of[i]) before.emplace_back(j, i);
        }
        tickets[i] = queue.launch(notes[i], "note");
        if (random.once_in(10)) queue.wait(tickets[i]);
        if (random.once_in(10)) (void)queue.done(tickets[i]);
    }
    for (const std::size_t i : {2, 0, 1}) queues[i]->wait(queues[i]->last());
    EXPECT_EQ(counter, static_cast<int>(steps));
    for (const auto& [first, second] : before) EXPECT_LT(when[first], when[second]) << seed;
}

TEST(FakeQueues, EverySeedKeepsTheOrderThatIsAskedFor) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) check_random_graph(seed);
}

TEST(FakeQueues, WorkThatThrowsEndsItsQueueAndThoseThatWaitForIt) {
    for (const bool held_back : {false, true}) {
        FakeOptions options;
        options.late = held_back;
        const auto device = make_fake_device(options);
        std::atomic<int> ran = 0;
        const auto count = [&](const DeviceView&) { ++ran; };
        const auto fail = [](const DeviceView&) { throw Error(ErrorCode::system, "no kernel"); };
        const auto failing = device->queue("failing");
        const auto waiting = device->queue("waiting");
        const auto free = device->queue("free");
        const Ticket good = failing->launch(count, "good");
        waiting->wait(waiting->launch(count, "good"));
        waiting->wait_for(*failing, failing->launch(fail, "bad"));
        const Ticket skipped = waiting->launch(count, "skipped");
        failing->launch(count, "skipped");
        failing->wait(good);
        for (int again = 0; again < 2; ++again) {
            EXPECT_EQ(error_of([&] { failing->wait(failing->last()); }), "no kernel");
            EXPECT_EQ(error_of([&] { waiting->wait(skipped); }), "no kernel");
        }
        EXPECT_EQ(error_of([&] { (void)failing->done(failing->last()); }), "no kernel");
        EXPECT_TRUE(failing->done(good));
        free->wait(free->launch(count, "good"));
        EXPECT_EQ(ran, 3);
    }
}

TEST(FakeQueues, RefusesTicketsThatWereNotGivenOut) {
    const auto device = make_fake_device({});
    const auto one = device->queue("one");
    const auto other = device->queue("other");
    EXPECT_THROW(one->wait(1), Error);
    EXPECT_THROW((void)one->done(1), Error);
    EXPECT_THROW(other->wait_for(*one, 1), Error);
    other->wait_for(*one, 0);
    other->wait(0);
}

TEST(FakeQueues, LaunchingAllocatesNothing) {
    const auto device = make_fake_device({});
    const auto memory = device->allocate(8000, "work");
    std::vector<double> host(1000);
    const auto compute = device->queue("compute");
    const auto copies = device->queue("copies");
    const Fill fill{*memory, 1};
    const auto round = [&] {
        for (int i = 0; i < 3; ++i) {
            compute->wait_for(*copies, copies->copy(raw(host), memory->data(), 8000, "in"));
            copies->wait_for(*compute, compute->launch(fill, "fill"));
        }
        copies->wait(copies->copy(memory->data(), raw(host), 8000, "out"));
    };
    round();
    weft::test::count_allocations(true);
    for (int i = 0; i < 20; ++i) round();
    weft::test::count_allocations(false);
    EXPECT_EQ(weft::test::allocations(), 0);
}

}  // namespace

}  // namespace weft::core
