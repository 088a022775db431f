// Memory of the emulated runtime, and what it says of its device.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <string>
#include <vector>

#include "unit/emulated_work.hpp"

namespace weft::core::emulated {

namespace {

using test::add;
using test::fill;
using test::on_device;
using test::read;
using test::stream;

cudaMemoryType type_of(const void* address) {
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, address), cudaSuccess);
    return attributes.type;
}

TEST(EmulatedRuntime, KnowsWhoseMemoryItIs) {
    set_emulated_device("");
    std::vector<double> host(100);
    auto* data = on_device<double>(100);
    double* pinned = nullptr;
    EXPECT_EQ(cudaMallocHost(&pinned, 800), cudaSuccess);
    EXPECT_EQ(type_of(data), cudaMemoryTypeDevice);
    EXPECT_EQ(type_of(data + 99), cudaMemoryTypeDevice);
    EXPECT_EQ(type_of(data + 100), cudaMemoryTypeUnregistered);
    EXPECT_EQ(type_of(pinned + 50), cudaMemoryTypeHost);
    EXPECT_EQ(type_of(host.data()), cudaMemoryTypeUnregistered);
    EXPECT_EQ(type_of(nullptr), cudaMemoryTypeUnregistered);
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, data + 1), cudaSuccess);
    EXPECT_EQ(attributes.devicePointer, data + 1);
    EXPECT_EQ(attributes.hostPointer, nullptr);
    EXPECT_EQ(attributes.device, 0);
    EXPECT_EQ(cudaFree(data), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    EXPECT_EQ(type_of(data), cudaMemoryTypeUnregistered);
    EXPECT_EQ(type_of(pinned), cudaMemoryTypeUnregistered);
}

TEST(EmulatedRuntime, RegistersMemoryOfTheCaller) {
    set_emulated_device("");
    std::vector<double> host(100);
    EXPECT_EQ(cudaHostRegister(host.data() + 10, 400, cudaHostRegisterDefault), cudaSuccess);
    EXPECT_EQ(type_of(host.data() + 10), cudaMemoryTypeHost);
    EXPECT_EQ(type_of(host.data() + 59), cudaMemoryTypeHost);
    EXPECT_EQ(type_of(host.data() + 60), cudaMemoryTypeUnregistered);
    for (const int first : {0, 10, 59}) {
        EXPECT_EQ(cudaHostRegister(host.data() + first, 160, 0),
                  cudaErrorHostMemoryAlreadyRegistered)
            << first;
    }
    EXPECT_EQ(cudaFreeHost(host.data() + 10), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
    EXPECT_EQ(cudaHostUnregister(host.data() + 10), cudaSuccess);
    EXPECT_EQ(type_of(host.data() + 10), cudaMemoryTypeUnregistered);
}

TEST(EmulatedRuntime, CountsItsMemory) {
    set_emulated_device("memory:100000");
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(free, 100000U);
    EXPECT_EQ(total, 100000U);
    auto* data = on_device<std::byte>(60000);
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(free, 40000U);
    void* more = data;
    EXPECT_EQ(cudaMalloc(&more, 40001), cudaErrorMemoryAllocation);
    EXPECT_EQ(more, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaFree(data), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&more, 100000), cudaSuccess);
    EXPECT_EQ(cudaFree(more), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&more, 0), cudaSuccess);
    EXPECT_EQ(more, nullptr);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    EXPECT_EQ(cudaFree(data), cudaErrorInvalidValue);
}

TEST(EmulatedRuntime, FreshMemoryHoldsNothing) {
    set_emulated_device("");
    auto* data = on_device<double>(10);
    std::vector<double> host(10);
    EXPECT_EQ(cudaMemcpy(host.data(), data, 80, cudaMemcpyDefault), cudaSuccess);
    for (const double value : host) EXPECT_TRUE(std::isnan(value));
}

TEST(EmulatedRuntime, CopiesRows) {
    set_emulated_device("");
    const cudaStream_t copies = stream();
    auto* data = on_device<double>(4 * 7);
    std::vector<double> host(3 * 5);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<double>(i);
    EXPECT_EQ(cudaMemsetAsync(data, 0, 4 * 7 * 8, copies), cudaSuccess);
    // 3 rows of 4, whose first elements are 5 apart, to where they are 7 apart.
    EXPECT_EQ(
        cudaMemcpy2DAsync(data + 1, 56, host.data(), 40, 32, 3, cudaMemcpyHostToDevice, copies),
        cudaSuccess);
    std::vector<double> all(28);
    read(all, data, copies);
    std::vector<double> rows(6, -1);
    EXPECT_EQ(
        cudaMemcpy2DAsync(rows.data(), 24, data + 2, 56, 16, 2, cudaMemcpyDeviceToHost, copies),
        cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(copies), cudaSuccess);
    std::vector<double> expected(28);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t i = 0; i < 4; ++i) {
            expected[7 * row + 1 + i] = static_cast<double>(5 * row + i);
        }
    }
    EXPECT_EQ(all, expected);
    EXPECT_EQ(rows, (std::vector<double>{1, 2, -1, 6, 7, -1}));
    EXPECT_EQ(cudaMemcpy2DAsync(data, 8, host.data(), 40, 16, 2, cudaMemcpyDefault, copies),
              cudaErrorInvalidPitchValue);
}

// Each is refused before anything is copied.
TEST(EmulatedRuntime, RefusesCopiesThatCannotBe) {
    set_emulated_device("");
    const cudaStream_t copies = stream();
    std::vector<double> host(20, 1);
    auto* data = on_device<double>(10);
    const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
        return cudaMemcpyAsync(to, from, bytes, kind, copies);
    };
    EXPECT_EQ(copy(data, host.data(), 88, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copy(data + 5, host.data(), 48, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copy(host.data(), data, 80, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copy(data, host.data(), 80, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(copy(data, host.data(), 80, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copy(data, host.data(), 80, cudaMemcpyHostToHost), cudaErrorInvalidValue);
    EXPECT_EQ(copy(data, data + 4, 40, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(copy(nullptr, data, 40, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT_EQ(copy(data, host.data(), 80, static_cast<cudaMemcpyKind>(9)),
              cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(copy(data, data + 5, 40, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(data, 0, 81, copies), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamSynchronize(copies), cudaSuccess);
    EXPECT_EQ(cudaFree(data), cudaSuccess);
    EXPECT_EQ(copy(host.data(), data, 8, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST(EmulatedRuntime, SaysWhatTheDeviceIs) {
    set_emulated_device("compute:75,units:42,memory:5000000");
    int number = -1;
    EXPECT_EQ(cudaGetDeviceCount(&number), cudaSuccess);
    EXPECT_EQ(number, 1);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDevice(&number), cudaSuccess);
    EXPECT_EQ(number, 0);
    cudaDeviceProp properties{};
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_STREQ(properties.name, "weft emulated device");
    EXPECT_EQ(properties.major * 10 + properties.minor, 75);
    EXPECT_EQ(properties.multiProcessorCount, 42);
    EXPECT_EQ(properties.totalGlobalMem, 5000000U);
    EXPECT_EQ(cudaDeviceGetAttribute(&number, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
              cudaSuccess);
    EXPECT_EQ(static_cast<std::size_t>(number), properties.sharedMemPerBlockOptin);
    char id[32];
    EXPECT_EQ(cudaDeviceGetPCIBusId(id, 4, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceGetPCIBusId(id, 32, 0), cudaSuccess);
    EXPECT_STREQ(id, "0000:00:00.0");
}

/// Accesses that end the process.
class EmulatedTraps : public ::testing::Test {
  protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void touch(void* argument) { *static_cast<volatile double*>(argument) = 1; }

struct Hidden {
    double* data;
};
void fill_hidden(Hidden hidden) { *static_cast<volatile double*>(hidden.data) = 1; }

TEST_F(EmulatedTraps, TheHostThatTouchesDeviceMemory) {
    set_emulated_device("");
    auto* data = on_device<double>(10);
    EXPECT_EXIT(touch(data + 2), ::testing::KilledBySignal(SIGABRT),
                "the host touched device memory: byte 16 of buffer cudaMalloc 1 \\(80 bytes\\)");
}

TEST_F(EmulatedTraps, AHostFunctionThatTouchesDeviceMemory) {
    set_emulated_device("");
    auto* data = on_device<double>(10);
    const auto use = [&] {
        (void)cudaLaunchHostFunc(stream(), touch, data);
        (void)cudaDeviceSynchronize();
    };
    EXPECT_EXIT(use(), ::testing::KilledBySignal(SIGABRT),
                "queue stream 1 touched device memory without its view: byte 0 of .*cudaMalloc 1 "
                "\\(80 bytes\\), in step host function");
}

TEST_F(EmulatedTraps, AKernelThatGoesPastTheEnd) {
    set_emulated_device("");
    auto* data = on_device<double>(16);
    const auto use = [&] {
        launch(fill, Dim3{1}, Dim3{17}, 0, stream(), data, 17, 1.0);
        (void)cudaDeviceSynchronize();
    };
    EXPECT_EXIT(use(), ::testing::KilledBySignal(SIGABRT),
                "queue stream 1 touched what is in no buffer: byte 128 of .*in step kernel");
}

TEST_F(EmulatedTraps, AddressesInAnArgumentThatDoesNotReach) {
    set_emulated_device("");
    auto* data = on_device<double>(16);
    const auto use = [&] {
        launch(fill_hidden, Dim3{1}, Dim3{1}, 0, stream(), Hidden{data});
        (void)cudaDeviceSynchronize();
    };
    EXPECT_EXIT(use(), ::testing::KilledBySignal(SIGABRT), "without its view: byte 0 of");
}

TEST_F(EmulatedTraps, MemoryThatIsFreedWhileItIsUsed) {
    set_emulated_device("late");
    auto* data = on_device<double>(16);
    const auto use = [&] {
        launch(add, Dim3{1}, Dim3{16}, 0, stream(), data, 16, 1.0);
        (void)cudaFree(data);
        (void)cudaDeviceSynchronize();
    };
    EXPECT_EXIT(use(), ::testing::KilledBySignal(SIGABRT), "of freed buffer cudaMalloc 1");
}

}  // namespace

}  // namespace weft::core::emulated
