// GPUs as the library sees them: one of those of the machine, chosen for this process.
#include "device/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/index.hpp"
#include "base/text.hpp"
#include "base/variables.hpp"
#include "device/devices.hpp"
#include "device/gpu/check.hpp"
#include "device/gpu/copy_kernels.hpp"
#include "device/gpu/hops.hpp"
#include "device/gpu/memory.hpp"
#include "device/gpu/queue.hpp"
#include "device/gpu/tables.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// The place of this process among those of its machine, as its launcher says; 0 if none does.
int place_on_node() {
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK",
                             "SLURM_LOCALID", "PALS_LOCAL_RANKID"}) {
        const char* text = std::getenv(name);
        if (text != nullptr && *text != '\0') return std::max(std::atoi(text), 0);
    }
    return 0;
}

/// WEFT_DEVICE_NUMBER; or the one that the program has chosen, if it is not the first, which is
/// CUDA's own choice; or the processes of a machine take its GPUs in turn.
int chosen_number() {
    int count = 0;
    check(cudaGetDeviceCount(&count), "looking for GPUs");
    if (count == 0) check(cudaErrorNoDevice, "looking for GPUs");
    const std::optional<int> asked = whole_number("WEFT_DEVICE_NUMBER", 0, count - 1);
    if (asked) return *asked;
    int current = 0;
    check(cudaGetDevice(&current), "cudaGetDevice");
    if (current != 0) return current;
    const std::optional<int> place = place_among_devices();
    return (place ? *place : place_on_node()) % count;
}

/// Of the GPU whose memory it is; nothing: the host's.
std::optional<int> number_of(const void* address) {
    cudaPointerAttributes found{};
    if (cudaPointerGetAttributes(&found, address) != cudaSuccess) {
        (void)cudaGetLastError();  // It is not an address that CUDA knows.
        return {};
    }
    if (!is_on_device(found)) return {};
    return found.device;
}

/// Whether anybody in this process has used a GPU: to ask CUDA's runtime would make it do so. What
/// has not loaded the driver has no memory on a device.
bool is_used() {
#if defined(WEFT_GPU_CUDA)
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == nullptr) return false;
    dlclose(driver);
    return true;
#elif defined(WEFT_GPU_RUNTIME)
    return is_runtime_used();
#else
    return true;
#endif
}

cudaStream_t stream_of(const DeviceView& view) { return static_cast<cudaStream_t>(view.stream()); }

/// Kernels with the tables that they read.
template <class Kernels>
class KernelWork final : public PreparedWork {
  public:
    template <class... Arguments>
    explicit KernelWork(Device& device, const Arguments&... arguments)
        : tables_(device), kernels_(arguments..., tables_) {}
    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        kernels_.run(stream_of(view), places[0], places[1]);
    }

  private:
    Tables tables_;
    Kernels kernels_;
};

class Clearing final : public PreparedWork {
  public:
    explicit Clearing(Index bytes) : bytes_(usize(bytes)) {}
    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        if (bytes_ == 0) return;
        check(cudaMemsetAsync(places[1], 0, bytes_, stream_of(view)), "cudaMemsetAsync");
    }

  private:
    std::size_t bytes_;
};

class GpuDevice final : public Device {
  public:
    GpuDevice() : number_(chosen_number()) {}

    [[nodiscard]] std::string_view name() const override { return WEFT_GPU_NAME; }

    std::unique_ptr<DeviceMemory> allocate(Index bytes, std::string name) override {
        return allocate_on(number_, bytes, name);
    }
    [[nodiscard]] FreeMemory free_memory() override { return free_memory_of(number_); }
    std::unique_ptr<DeviceMemory> allocate_pinned(Index bytes) override {
        return allocate_pinned_for(number_, bytes);
    }
    std::unique_ptr<DeviceMemory> pin(std::byte* array, Index bytes) override {
        return pin_for(number_, array, bytes);
    }
    std::unique_ptr<DeviceQueue> queue(std::string name) override {
        return std::make_unique<GpuQueue>(number_, std::move(name));
    }
    std::shared_ptr<DeviceQueue> adopt(void* stream) override {
        auto* of_caller = static_cast<cudaStream_t>(stream);
        check(cudaSetDevice(number_), "cudaSetDevice");
        const cudaError_t found = cudaStreamQuery(of_caller);
        if (found != cudaSuccess && found != cudaErrorNotReady) {
            (void)cudaGetLastError();
            bad_request(
                fmt::format("the stream {} does not belong to device {} ({}); give a stream of the "
                            "device on which the plan is computed",
                            stream, name(), cudaGetErrorName(found)));
        }
#if defined(WEFT_GPU_CUDA) && CUDART_VERSION >= 12080
        int of = number_;
        check(cudaStreamGetDevice(of_caller, &of), "cudaStreamGetDevice");
        if (of != number_) {
            bad_request(
                fmt::format("the stream {} is of GPU {}, but the plan is computed on GPU {}",
                            stream, of, number_));
        }
#endif
        return std::make_shared<GpuQueue>(number_, "the caller's stream", of_caller);
    }
    [[nodiscard]] bool owns(const void* address) const override {
        return number_of(address) == number_;
    }
    // Whether an MPI does is for whoever knows it to find out.
    [[nodiscard]] bool mpi_reaches() const override { return mpi_may_reach(); }
    [[nodiscard]] bool answers_for_mpi() const override {
        return WEFT_GPU_TARGET::answers_for_mpi();
    }
    [[nodiscard]] std::byte* for_mpi(std::byte* address) const override {
        return as_mpi_reaches(address);
    }
    // To ask is not enough: containers and partitions of a GPU may forbid it.
    [[nodiscard]] std::string why_not_shared() override {
        try {
            (void)handle_of(*allocate_on(number_, 1, "probe of handles"));
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    }
    DeviceHandle handle_of(const DeviceMemory& memory) override {
        return WEFT_GPU_TARGET::handle_of(number_, memory);
    }
    std::unique_ptr<DeviceMemory> open(const DeviceHandle& handle, Index bytes) override {
        return open_on(number_, handle, bytes);
    }
    std::unique_ptr<PreparedWork> copies(const std::vector<CopyTask>& tasks) override {
        return std::make_unique<KernelWork<CopyKernels>>(*this, tasks);
    }
    std::unique_ptr<PreparedWork> hops(const std::vector<CopyTask>& tasks) override {
        return std::make_unique<Hops>(tasks);
    }
    std::unique_ptr<PreparedWork> scaling(Precision precision, const Slice& slice,
                                          double factor) override {
        return std::make_unique<KernelWork<ScaleKernel>>(*this, precision, slice, factor);
    }
    std::unique_ptr<PreparedWork> clearing(Index bytes) override {
        return std::make_unique<Clearing>(bytes);
    }

  private:
    int number_;
};

}  // namespace

}  // namespace weft::core::WEFT_GPU_TARGET

namespace weft::core {

bool WEFT_GPU_JOIN(WEFT_GPU_TARGET, _knows)(const void* address) {
    return WEFT_GPU_TARGET::is_used() && WEFT_GPU_TARGET::number_of(address).has_value();
}

Device& WEFT_GPU_JOIN(WEFT_GPU_TARGET, _device)() {
    // Never destroyed: at the end of the process the driver may be gone before.
    static auto* device = new WEFT_GPU_TARGET::GpuDevice;
    return *device;
}

}  // namespace weft::core
