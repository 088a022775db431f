// Accesses to the fake device's memory that are not allowed end the process and say which.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "unit/device_work.hpp"

namespace weft::core {

namespace {

using test::Fill;
using test::raw;

/// Accesses that end the process.
class FakeTraps : public ::testing::Test {
  protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(FakeTraps, TheHostThatTouchesDeviceMemory) {
    const auto device = make_fake_device({});
    const auto memory = device->allocate(100, "spectrum");
    const auto other = device->allocate(5000, "other");
    const auto queue = device->queue("compute");
    const Fill fill{*memory, 1};
    queue->wait(queue->launch(fill, "fill in"));
    volatile std::byte* data = memory->data();
    EXPECT_EXIT((void)data[8], ::testing::KilledBySignal(SIGABRT),
                "weft: the host touched device memory: byte 8 of buffer spectrum \\(100 bytes\\), "
                "after step fill in");
    EXPECT_EXIT(data[99] = std::byte{1}, ::testing::KilledBySignal(SIGABRT),
                "byte 99 of buffer spectrum");
    EXPECT_EXIT(other->data()[4999] = std::byte{1}, ::testing::KilledBySignal(SIGABRT),
                "byte 4999 of buffer other");
    EXPECT_EXIT(std::thread([&] { data[0] = std::byte{1}; }).join(),
                ::testing::KilledBySignal(SIGABRT), "byte 0 of buffer spectrum");
}

TEST_F(FakeTraps, UseAfterFree) {
    const auto device = make_fake_device({});
    auto memory = device->allocate(64, "spectrum");
    std::byte* const address = memory->data();
    memory.reset();
    volatile std::byte* data = address;
    EXPECT_EXIT((void)data[0], ::testing::KilledBySignal(SIGABRT),
                "byte 0 of freed buffer spectrum");
    const auto use = [&] {
        const auto queue = device->queue("copies");
        std::vector<double> host(8);
        queue->wait(queue->copy(address, raw(host), 64, "out"));
    };
    EXPECT_EXIT(use(), ::testing::KilledBySignal(SIGABRT),
                "queue copies .*byte 0 of freed buffer spectrum .*in step out");
}

TEST_F(FakeTraps, WorkThatForgetsItsViewOrLeavesItsBuffer) {
    const auto device = make_fake_device({});
    const auto memory = device->allocate(128, "spectrum");
    const auto direct = [&](const DeviceView&) { memory->data()[3] = std::byte{1}; };
    const auto past = [&](const DeviceView& view) {
        view.reach(memory->data())[128] = std::byte{1};
    };
    const auto run = [&](const DeviceQueue::Work& work) {
        const auto queue = device->queue("compute");
        queue->wait(queue->launch(work, "scale"));
    };
    EXPECT_EXIT(run(direct), ::testing::KilledBySignal(SIGABRT),
                "queue compute touched device memory without its view: byte 3 of buffer spectrum "
                ".*in step scale");
    EXPECT_EXIT(run(past), ::testing::KilledBySignal(SIGABRT),
                "queue compute touched what is in no buffer: byte 128 of buffer spectrum");
}

TEST_F(FakeTraps, LeaveOtherFaultsToTheHandlerThatWasThere) {
    const auto fault = [](void (*handler)(int)) {
        if (handler != nullptr) std::signal(SIGSEGV, handler);
        const auto device = make_fake_device({});
        void* page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *static_cast<volatile char*>(page) = 1;
    };
    EXPECT_EXIT(fault([](int) { _exit(7); }), ::testing::ExitedWithCode(7), "");
    // The system's, or a sanitizer's, neither of which says what was touched.
    EXPECT_DEATH(fault(nullptr), "^([^t]|t[^o]|to[^u]|tou[^c])*$");
}

}  // namespace

}  // namespace weft::core
