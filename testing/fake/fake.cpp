#include "testing/fake/fake.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <utility>

#include "device/devices.hpp"
#include "memory/buffer.hpp"
#include "testing/fake/queue.hpp"
#include "testing/fake/trap.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

class FakeMemory final : public DeviceMemory {
  public:
    FakeMemory(FakeArena& arena, Index bytes, const std::string& name)
        : FakeMemory(arena, arena.allocate(bytes, name), bytes) {}
    FakeMemory(FakeArena& arena, std::byte* data, Index bytes)
        : DeviceMemory(data, bytes), arena_(arena) {}
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

/// Zeros at addresses of the host, of which those that are used take memory.
class OtherMemory {
  public:
    explicit OtherMemory(Index bytes)
        : bytes_(static_cast<std::size_t>(bytes)),
          begin_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (begin_ != MAP_FAILED) return;
        throw Error(ErrorCode::system, "there are no addresses for FakeOptions::mpi_lies");
    }
    ~OtherMemory() { munmap(begin_, bytes_); }
    OtherMemory(const OtherMemory&) = delete;
    OtherMemory& operator=(const OtherMemory&) = delete;

    [[nodiscard]] std::byte* at(Index offset) const {
        return static_cast<std::byte*>(begin_) + offset;
    }

  private:
    std::size_t bytes_;
    void* begin_;
};

class FakeDevice final : public Device {
  public:
    explicit FakeDevice(const FakeOptions& options)
        : shared_(options),
          free_{options.free, static_cast<std::uint64_t>(getpid())},
          failing_(options.fail_allocation) {
        if (options.mpi_lies) lies_.emplace(options.room);
    }

    [[nodiscard]] std::string_view name() const override { return "fake"; }

    std::unique_ptr<DeviceMemory> allocate(Index bytes, std::string name) override {
        count_allocation(bytes, name);
        return std::make_unique<FakeMemory>(shared_.arena, bytes, name);
    }
    [[nodiscard]] FreeMemory free_memory() override {
        require_not_lost("what is free");
        return free_;
    }
    void set_free_memory(FreeMemory free) { free_ = free; }
    std::unique_ptr<DeviceMemory> allocate_pinned(Index bytes) override {
        count_allocation(bytes, "pinned");
        return std::make_unique<PinnedMemory>(Buffer(bytes));
    }
    std::unique_ptr<DeviceQueue> queue(std::string name) override {
        return std::make_unique<FakeQueue>(shared_, ++shared_.queues, std::move(name));
    }
    std::shared_ptr<DeviceQueue> adopt(void* stream) override {
        const std::scoped_lock lock(shared_.mutex);
        if (!shared_.streams.contains(stream)) {
            throw Error(
                ErrorCode::bad_request,
                fmt::format("the stream {} does not belong to device fake; give a stream of the "
                            "device on which the plan is computed",
                            stream));
        }
        return {std::shared_ptr<void>(), static_cast<DeviceQueue*>(stream)};
    }
    [[nodiscard]] bool owns(const void* address) const override {
        return shared_.arena.owns(address);
    }
    [[nodiscard]] bool answers_for_mpi() const override { return true; }
    [[nodiscard]] bool mpi_reaches() const override { return shared_.options.mpi_reaches; }
    [[nodiscard]] std::byte* for_mpi(std::byte* address) const override {
        if (!mpi_reaches()) {
            throw Error(ErrorCode::not_available,
                        "this MPI cannot be handed device memory; stage it through the host");
        }
        if (!owns(address)) return address;
        require_not_lost("a message");
        return lies_ ? lies_->at(shared_.arena.offset(address)) : shared_.arena.reach(address);
    }

    [[nodiscard]] std::string why_not_shared() override {
        return shared_.options.no_peers ? "as the option nopeers asks for" : "";
    }
    DeviceHandle handle_of(const DeviceMemory& memory) override {
        require_not_lost("a handle of memory");
        const auto piece = shared_.arena.share(memory.data());
        if (!piece || shared_.options.no_peers) {
            throw Error(ErrorCode::system,
                        fmt::format("{} bytes of memory of the fake device cannot be shared with "
                                    "other processes",
                                    memory.bytes()));
        }
        const FakeHandle fake{*piece, memory.bytes()};
        DeviceHandle result;
        static_assert(sizeof(fake) <= sizeof(result));
        std::memcpy(result.bytes.data(), &fake, sizeof(fake));
        return result;
    }
    std::unique_ptr<DeviceMemory> open(const DeviceHandle& handle, Index bytes) override {
        count_allocation(bytes, "of another process");
        const FakeHandle fake = fake_handle(handle);
        std::byte* data = fake.bytes == bytes && !shared_.options.no_peers
                              ? shared_.arena.open(fake.piece, bytes, "of another process")
                              : nullptr;
        if (data != nullptr) {
            try {
                return std::make_unique<FakeMemory>(shared_.arena, data, bytes);
            } catch (...) {
                shared_.arena.free(data);
                throw;
            }
        }
        throw Error(ErrorCode::system,
                    fmt::format("{} bytes of device memory of process {} cannot be opened", bytes,
                                fake.piece.process));
    }

    [[nodiscard]] int buffers() const { return shared_.arena.buffers(); }
    [[nodiscard]] int all_buffers() const { return shared_.arena.spans(); }
    [[nodiscard]] int launches() const { return shared_.launches; }
    void set_lost_after(std::optional<int> more) {
        shared_.lost = false;
        shared_.lost_after = more ? shared_.launches + *more : FakeShared::never;
    }
    [[nodiscard]] int allocations() const { return allocations_; }
    void set_failing_allocation(std::optional<int> next) {
        failing_ = next ? allocations_ + *next : 0;
    }

  private:
    void require_not_lost(std::string_view what) const {
        if (!shared_.lost) return;
        throw Error(ErrorCode::system,
                    fmt::format("{}: the fake device is lost; what is on it cannot be used any "
                                "more",
                                what));
    }
    void count_allocation(Index bytes, const std::string& name) {
        require_not_lost(fmt::format("buffer {}", name));
        if (const int number = ++allocations_; number != failing_) return;
        throw Error(ErrorCode::system,
                    fmt::format("not enough device memory: {} bytes for buffer {} could not be "
                                "allocated (allocation {} fails, as FakeOptions asks for)",
                                bytes, name, failing_.load()));
    }

    FakeShared shared_;
    FreeMemory free_;
    std::optional<OtherMemory> lies_;  ///< what MPI is handed instead of the device's memory
    std::atomic<int> allocations_ = 0;
    std::atomic<int> failing_;  ///< the number of the one that fails; 0: none
};

}  // namespace

FakeHandle fake_handle(const DeviceHandle& handle) {
    FakeHandle result;
    std::memcpy(&result, handle.bytes.data(), sizeof(result));
    return result;
}

bool fake_knows(const void* address) { return is_watched(address); }

int buffers_of(const Device& fake) { return dynamic_cast<const FakeDevice&>(fake).buffers(); }
int all_buffers_of(const Device& fake) {
    return dynamic_cast<const FakeDevice&>(fake).all_buffers();
}
void set_lost_after(Device& fake, std::optional<int> more) {
    dynamic_cast<FakeDevice&>(fake).set_lost_after(more);
}
int allocations_of(const Device& fake) {
    return dynamic_cast<const FakeDevice&>(fake).allocations();
}
void set_failing_allocation(Device& fake, std::optional<int> next) {
    dynamic_cast<FakeDevice&>(fake).set_failing_allocation(next);
}
void set_free_memory(Device& fake, FreeMemory free) {
    dynamic_cast<FakeDevice&>(fake).set_free_memory(free);
}
int launches_of(const Device& fake) { return dynamic_cast<const FakeDevice&>(fake).launches(); }

std::unique_ptr<Device> make_fake_device(const FakeOptions& options) {
    return std::make_unique<FakeDevice>(options);
}

}  // namespace weft::core
