// What the fake device gives: memory, copies, addresses for MPI, and failures that are asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "unit/device_work.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using test::bytes_of;
using test::error_of;
using test::Fill;
using test::numbers;
using test::raw;
using Ticket = DeviceQueue::Ticket;

TEST(FakeDevice, CopiesInPiecesAreExact) {
    for (const Index piece : {1, 7, 1000, 1 << 20}) {
        FakeOptions options;
        options.copy_piece = piece;
        options.longest_delay = std::chrono::microseconds(piece < 1000 ? 0 : 20);
        const auto device = make_fake_device(options);
        const std::vector<double> from = numbers(5003, 1);
        std::vector<double> to(from.size());
        const Index bytes = bytes_of(from);
        const auto one = device->allocate(bytes, "one");
        const auto other = device->allocate(bytes, "other");
        const auto queue = device->queue("copies");
        queue->copy(reinterpret_cast<const std::byte*>(from.data()), one->data(), bytes, "in");
        queue->copy(one->data(), other->data(), bytes, "within");
        queue->copy(other->data() + 8, raw(to), bytes - 8, "out");
        queue->wait(queue->copy(other->data(), raw(to) + bytes - 8, 8, "out"));
        EXPECT_TRUE(std::equal(from.begin() + 1, from.end(), to.begin()));
        EXPECT_EQ(to.back(), from.front());
    }
}

TEST(FakeDevice, CopiesFromAndToPinnedMemoryThatTheHostUses) {
    const auto device = make_fake_device({});
    const auto pinned = device->allocate_pinned(64);
    const auto memory = device->allocate(64, "work");
    const auto queue = device->queue("copies");
    std::fill_n(pinned->data(), 64, std::byte{5});
    queue->wait(queue->copy(pinned->data(), memory->data(), 64, "in"));
    std::fill_n(pinned->data(), 64, std::byte{6});
    queue->wait(queue->copy(memory->data(), pinned->data(), 64, "out"));
    EXPECT_EQ(pinned->data()[63], std::byte{5});
}

TEST(FakeDevice, FreshMemoryIsNotANumber) {
    const auto device = make_fake_device({});
    const auto memory = device->allocate(16, "work");
    std::vector<double> seen(2);
    const auto queue = device->queue("copies");
    queue->wait(queue->copy(memory->data(), raw(seen), 16, "out"));
    EXPECT_TRUE(std::isnan(seen[0]) && std::isnan(seen[1]));
}

TEST(FakeDevice, AllocatesWhatIsAskedFor) {
    const auto device = make_fake_device({});
    std::vector<std::unique_ptr<DeviceMemory>> all;
    for (const Index bytes : {0, 1, 64, 4096, 4097, 100000}) {
        all.push_back(device->allocate(bytes, "some"));
        EXPECT_EQ(all.back()->bytes(), bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.back()->data()) % 64, 0U);
        EXPECT_TRUE(device->owns(all.back()->data()));
    }
    EXPECT_TRUE(device->owns(all.back()->data() + 99999));
    int host = 0;
    EXPECT_FALSE(device->owns(&host));
    EXPECT_FALSE(device->owns(nullptr));
    EXPECT_FALSE(device->owns(device->allocate_pinned(64)->data()));
    EXPECT_FALSE(make_fake_device({})->owns(all.back()->data()));
}

TEST(FakeDevice, SaysHowMuchCouldNotBeAllocated) {
    const auto device = make_fake_device({});
    for (const Index bytes : {Index{1} << 40, Index{1} << 62}) {
        const auto error = error_of([&] { (void)device->allocate(bytes, "work"); });
        EXPECT_NE(error.find(std::to_string(bytes)), std::string::npos) << error;
        EXPECT_NE(error.find("work"), std::string::npos) << error;
        EXPECT_THROW((void)device->allocate(bytes, "work"), Error);
    }
}

TEST(FakeDevice, FailsTheAllocationThatIsChosen) {
    FakeOptions options;
    options.fail_allocation = 3;
    const auto device = make_fake_device(options);
    const auto first = device->allocate(64, "first");
    const auto second = device->allocate_pinned(64);
    const auto error = error_of([&] { (void)device->allocate(12345, "third"); });
    EXPECT_NE(error.find("12345 bytes"), std::string::npos) << error;
    EXPECT_EQ(error_of([&] { (void)device->allocate(64, "fourth"); }), "");
}

TEST(FakeDevice, UsesFreedAddressesAgainOnlyWhenThereAreNoOthers) {
    FakeOptions options;
    options.room = Index{1} << 20;
    const auto device = make_fake_device(options);
    auto first = device->allocate(300000, "first");
    std::byte* const address = first->data();
    first.reset();
    const auto second = device->allocate(300000, "second");
    EXPECT_NE(second->data(), address);
    const auto third = device->allocate(300000, "third");
    const auto fourth = device->allocate(300000, "fourth");
    EXPECT_EQ(fourth->data(), address);
    EXPECT_THROW((void)device->allocate(300000, "fifth"), Error);
}

TEST(FakeDevice, ALostDeviceThrowsFromEveryWait) {
    FakeOptions options;
    options.lost_after = 2;
    const auto device = make_fake_device(options);
    std::atomic<int> ran = 0;
    const auto count = [&](const DeviceView&) { ++ran; };
    const auto one = device->queue("one");
    const auto other = device->queue("other");
    one->wait(one->launch(count, "good"));
    const Ticket last = one->launch(count, "good");
    one->wait(last);
    other->launch(count, "lost");
    for (const auto& queue : {one.get(), other.get()}) {
        const auto error = error_of([&] { queue->wait(queue->last()); });
        EXPECT_NE(error.find("lost"), std::string::npos) << error;
    }
    EXPECT_THROW((void)one->done(last), Error);
    EXPECT_EQ(ran, 2);
}

TEST(FakeDevice, MpiIsHandedAddressesThatItMayUse) {
    FakeOptions options;
    options.mpi_reaches = true;
    const auto device = make_fake_device(options);
    const auto memory = device->allocate(80, "work");
    std::vector<double> host(10);
    const auto queue = device->queue("compute");
    const Fill fill{*memory, 6};
    queue->wait(queue->launch(fill, "fill"));
    EXPECT_EQ(reinterpret_cast<double*>(device->for_mpi(memory->data()))[9], 6);
    EXPECT_EQ(device->for_mpi(raw(host)), raw(host));
    const auto other = make_fake_device({});
    EXPECT_FALSE(other->mpi_reaches());
    EXPECT_THROW((void)other->for_mpi(raw(host)), Error);
}

}  // namespace

}  // namespace weft::core
