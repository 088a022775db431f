#include "device/gpu/kernel_work.hpp"

#include "base/index.hpp"
#include "device/gpu/check.hpp"
#include "device/gpu/copy_kernels.hpp"
#include "device/gpu/tables.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

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

}  // namespace

std::unique_ptr<PreparedWork> copy_kernel(Device& device, const std::vector<CopyTask>& tasks) {
    return std::make_unique<KernelWork<CopyKernels>>(device, tasks);
}

std::unique_ptr<PreparedWork> scale_kernel(Device& device, Precision precision, const Slice& slice,
                                           double factor) {
    return std::make_unique<KernelWork<ScaleKernel>>(device, precision, slice, factor);
}

std::unique_ptr<PreparedWork> clear_kernel(Index bytes) {
    return std::make_unique<Clearing>(bytes);
}

}  // namespace weft::core::WEFT_GPU_TARGET
