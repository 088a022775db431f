#include "fft/gpu/native.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "device/gpu/line_kernels.hpp"
#include "device/gpu/tables.hpp"
#include "fft/gpu/calls.hpp"
#include "fft/gpu/gathered_lines.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// Lines by the kernel, with its tables.
class KernelLines final : public PreparedWork {
  public:
    KernelLines(const FusedLines& lines, Device& device)
        : tables_(device), kernels_(lines, tables_, most_shared_bytes()) {}
    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        kernels_.run(static_cast<cudaStream_t>(view.stream()), places);
    }

  private:
    /// What a block may have on the GPU that is used, if its kernel asks for it.
    static Index most_shared_bytes() {
        int device = 0;
        int bytes = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
              "shared memory of a block");
        return bytes;
    }

    Tables tables_;
    LineKernels kernels_;
};

/// The axes of a task one after the other.
class NativePlan final : public FftPlan {
  public:
    /// `from`, `to`: how the arrays lie.
    NativePlan(const FftTask& task, Effort effort, std::byte* from, std::byte* to,
               const WorkArea& area, const FftEngine& library) {
        if (is_empty(task)) return;
        if ((task.in_place && !keeps_its_place(task)) || !has_kernels(task)) {
            steps_.push_back({FftSide::across, library.plan(task, effort, from, to)});
            return;
        }
        FftTask whole = with_contiguous_axis_last(task);
        whole.from_offset = whole.to_offset =
            0;  // Plans begin at the addresses that they are given.
        for (const AxisTask& one : axis_by_axis(whole)) {
            steps_.push_back(
                {one.side, std::make_unique<KernelLines>(lines_of(one.task), area.device())});
        }
    }

    void execute(std::byte* /*from*/, std::byte* /*to*/) override {
        throw std::logic_error("a plan of a device is executed by the host");
    }
    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        for (const Step& step : steps_) {
            step.work->run(view, step.side == FftSide::target ? places[1] : places[0],
                           step.side == FftSide::source ? places[0] : places[1]);
        }
    }

  private:
    /// Complex axes may come in any order. The last one's pass goes to the other array: where that
    /// has another order of axes, its lines are adjacent in what it reads, and those of an axis
    /// that is left are adjacent in the other array.
    static FftTask with_contiguous_axis_last(FftTask task) {
        if (task.line.kind != Kind::c2c) return task;
        std::vector<Loop> axes = task.axes();
        std::stable_sort(axes.begin(), axes.end(),
                         [](const Loop& a, const Loop& b) { return a.from > b.from; });
        task.set_axes(std::move(axes));
        return task;
    }
    /// Whether kernels are compiled for all lengths: those that are told a length take up to twice
    /// as long as cuFFT (docs/devices.md).
    static bool has_kernels(const FftTask& task) {
        const std::vector<Loop> axes = task.axes();
        return std::all_of(axes.begin(), axes.end(),
                           [](const Loop& axis) { return has_fixed_kernel(axis.extent); });
    }

    struct Step {
        FftSide side;
        std::unique_ptr<PreparedWork> work;  ///< the library's, or a kernel's
    };

    std::vector<Step> steps_;
};

class NativeEngine final : public FftEngine {
  public:
    NativeEngine(std::shared_ptr<WorkArea> area, std::shared_ptr<const FftEngine> library)
        : area_(std::move(area)), library_(std::move(library)) {}

    [[nodiscard]] std::string_view name() const override { return "native"; }
    [[nodiscard]] Index alignment() const override { return library_->alignment(); }
    [[nodiscard]] Index work_bytes() const override { return area_->bytes(); }
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort effort, std::byte* from,
                                                std::byte* to) const override {
        return std::make_unique<NativePlan>(task, effort, from, to, *area_, *library_);
    }
    [[nodiscard]] std::unique_ptr<PreparedWork> device_lines(
        const FusedLines& lines) const override {
        if (!has_line_kernel(lines.line.length)) return gathered_lines(lines, area_, *library_);
        return std::make_unique<KernelLines>(lines, area_->device());
    }

  private:
    std::shared_ptr<WorkArea> area_;
    std::shared_ptr<const FftEngine> library_;
};

}  // namespace

std::shared_ptr<const FftEngine> native_engine(std::shared_ptr<WorkArea> area,
                                               std::shared_ptr<const FftEngine> library) {
    return std::make_shared<NativeEngine>(std::move(area), std::move(library));
}

}  // namespace weft::core::WEFT_GPU_TARGET
