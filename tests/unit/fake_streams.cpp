// Streams of a caller of the fake device, and what is known of its memory without asking it.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "device/devices.hpp"
#include "unit/device_work.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using test::Add;
using test::bytes_of;
using test::error_of;
using test::Fill;
using test::raw;

/// What is forgotten.
struct Forgotten {
    bool before = false;  ///< that work comes after what the caller has put in before
    bool after = false;   ///< that what the caller puts in later comes after the work
};

/// The caller fills with 1, work adds 2, the caller takes the result. With its late queues, of
/// which the caller's is the first, the device makes one order for each seed.
bool is_right(std::uint64_t seed, const Forgotten& forgotten) {
    FakeOptions options = test::late();
    options.seed = seed;
    const auto device = make_fake_device(options);
    const auto memory = device->allocate(64, "work");
    const auto caller = device->queue("the caller's");
    const auto work = device->queue("work");
    const auto adopted = device->adopt(fake_stream(*caller));
    std::vector<double> result(8);
    const Fill fill{*memory, 1};
    const Add add{*memory, 2};
    const auto nothing = [](const DeviceView& /*view*/) {};
    caller->launch(fill, "fill");
    if (!forgotten.before) work->wait_for(*adopted, adopted->launch(nothing, "here"));
    work->launch(add, "add");
    if (!forgotten.after) adopted->wait_for(*work, work->last());
    caller->wait(caller->copy(memory->data(), raw(result), bytes_of(result), "out"));
    work->wait(work->last());
    return std::all_of(result.begin(), result.end(), [](double one) { return one == 3; });
}

bool is_always_right(const Forgotten& forgotten) {
    bool right = true;
    for (std::uint64_t seed = 0; seed < 4; ++seed) right = is_right(seed, forgotten) && right;
    return right;
}

TEST(FakeStreams, WorkGoesBetweenWhatTheCallerPutsIn) {
    EXPECT_TRUE(is_always_right({}));
    EXPECT_FALSE(is_always_right({.before = true}));
    EXPECT_FALSE(is_always_right({.after = true}));
}

TEST(FakeStreams, StayTheCallers) {
    const auto device = make_fake_device(test::late());
    const auto memory = device->allocate(64, "work");
    const auto caller = device->queue("the caller's");
    const Fill fill{*memory, 1};
    const auto ticket = caller->launch(fill, "fill");
    (void)device->adopt(fake_stream(*caller));  // Gone at once: that waits for nothing.
    EXPECT_EQ(caller->last(), ticket);
    caller->wait(ticket);
}

TEST(FakeStreams, OfAnotherDeviceAndNoneAreRefused) {
    const auto device = make_fake_device({});
    const auto other = make_fake_device({});
    const auto far = other->queue("far");
    auto gone = device->queue("gone");
    void* const stream = fake_stream(*gone);
    gone.reset();
    for (void* none : {fake_stream(*far), stream, static_cast<void*>(nullptr)}) {
        const std::string error = error_of([&] { (void)device->adopt(none); });
        EXPECT_NE(error.find("not belong to device fake"), std::string::npos) << error;
    }
}

TEST(FakeStreams, MemoryIsKnownWithoutTheDeviceThatGaveIt) {
    int host = 0;
    EXPECT_FALSE(fake_knows(&host));
    auto device = make_fake_device({});
    const auto other = make_fake_device({});
    auto memory = device->allocate(64, "far");
    void* const address = memory->data();
    EXPECT_TRUE(fake_knows(address));
    EXPECT_FALSE(other->owns(address));
    EXPECT_EQ(unused_device_of(address), "fake");
    EXPECT_EQ(unused_device_of(&host), "");
    const auto own = weft::core::device("fake").allocate(64, "own");
    EXPECT_EQ(unused_device_of(own->data()), "");
    EXPECT_EQ(device_of(own->data()), &weft::core::device("fake"));
    EXPECT_EQ(buffers_of(*device), 1);
    memory.reset();
    EXPECT_EQ(buffers_of(*device), 0);
    device.reset();
    EXPECT_FALSE(fake_knows(address));
}

TEST(FakeStreams, AnMpiThatLiesIsHandedOtherMemory) {
    const FakeOptions options = fake_options("lies,delay:0");
    EXPECT_TRUE(options.mpi_reaches && options.mpi_lies);
    const auto device = make_fake_device(options);
    const auto memory = device->allocate(64, "work");
    const auto queue = device->queue("work");
    const Fill fill{*memory, 1};
    queue->wait(queue->launch(fill, "fill"));
    std::byte* const handed = device->for_mpi(memory->data());
    EXPECT_TRUE(std::all_of(handed, handed + 64, [](std::byte one) { return one == std::byte{}; }));
    std::fill_n(handed, 64, std::byte{3});
    std::vector<double> result(8);
    queue->wait(queue->copy(memory->data(), raw(result), 64, "out"));
    EXPECT_TRUE(std::all_of(result.begin(), result.end(), [](double one) { return one == 1; }));
}

TEST(FakeStreams, ADeviceMayBeAbsent) {
    EXPECT_TRUE(fake_options("none").absent);
    EXPECT_FALSE(fake_options("mpi,late").absent);
}

}  // namespace

}  // namespace weft::core
