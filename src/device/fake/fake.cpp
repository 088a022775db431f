#include "device/fake/fake.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/fake/queue.hpp"
#include "memory/buffer.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

class FakeMemory final : public DeviceMemory {
  public:
    FakeMemory(FakeArena& arena, Index bytes, const std::string& name)
        : DeviceMemory(arena.allocate(bytes, name), bytes), arena_(arena) {}
    ~FakeMemory() override { arena_.free(data()); }

  private:
    FakeArena& arena_;
};

class PinnedMemory final : public DeviceMemory {
  public:
    explicit PinnedMemory(Buffer buffer)
        : DeviceMemory(buffer.data(), buffer.bytes()), buffer_(std::move(buffer)) {}

  private:
    Buffer buffer_;
};

class FakeDevice final : public Device {
  public:
    explicit FakeDevice(const FakeOptions& options) : shared_(options) {}

    [[nodiscard]] std::string_view name() const override { return "fake"; }

    std::unique_ptr<DeviceMemory> allocate(Index bytes, std::string name) override {
        count_allocation(bytes, name);
        return std::make_unique<FakeMemory>(shared_.arena, bytes, name);
    }
    std::unique_ptr<DeviceMemory> allocate_pinned(Index bytes) override {
        count_allocation(bytes, "pinned");
        return std::make_unique<PinnedMemory>(Buffer(bytes));
    }
    std::unique_ptr<DeviceQueue> queue(std::string name) override {
        return std::make_unique<FakeQueue>(shared_, ++shared_.queues, std::move(name));
    }
    [[nodiscard]] bool owns(const void* address) const override {
        return shared_.arena.owns(address);
    }
    [[nodiscard]] bool mpi_reaches() const override { return shared_.options.mpi_reaches; }
    [[nodiscard]] std::byte* for_mpi(std::byte* address) const override {
        if (!mpi_reaches()) {
            throw Error(ErrorCode::not_available,
                        "this MPI cannot be handed device memory; stage it through the host");
        }
        return shared_.arena.reach(address);
    }

  private:
    void count_allocation(Index bytes, const std::string& name) {
        if (++allocations_ != shared_.options.fail_allocation) return;
        throw Error(ErrorCode::system,
                    fmt::format("not enough device memory: {} bytes for buffer {} could not be "
                                "allocated (allocation {} fails, as FakeOptions asks for)",
                                bytes, name, shared_.options.fail_allocation));
    }

    FakeShared shared_;
    std::atomic<int> allocations_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_fake_device(const FakeOptions& options) {
    return std::make_unique<FakeDevice>(options);
}

}  // namespace weft::core
