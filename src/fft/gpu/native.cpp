#include "fft/gpu/native.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "device/gpu/line_kernels.hpp"
#include "device/gpu/tables.hpp"
#include "fft/gpu/calls.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

Index line_count(const FusedLines& lines) {
    return std::accumulate(lines.loops.begin(), lines.loops.end(), lines.lanes,
                           std::multiplies<>());
}

/// Copies of one segment of every line.
CopyTask copy_of(const FusedLines& lines, const Segments& alike, std::size_t j, bool gathers) {
    const LineTransform& line = lines.line;
    const Index length = gathers ? line.source_length() : line.target_length();
    const LineSegment segment = alike.segment(j);
    const Index bytes = gathers ? line.source().bytes() : line.target().bytes();
    CopyTask copy{.loops = {}, .element_bytes = bytes};
    const auto add = [&](Index extent, Index place, Index memory) {
        copy.loops.push_back(gathers ? Loop{extent, place, memory} : Loop{extent, memory, place});
    };
    Index memory = line_count(lines) * length;
    for (std::size_t k = 0; k < lines.loops.size(); ++k) {
        memory /= lines.loops[k];
        add(lines.loops[k], alike.strides[k], memory);
    }
    add(lines.lanes, segment.lane_step, length);
    add(segment.extent, segment.step, 1);
    (gathers ? copy.from_offset : copy.to_offset) = alike.begins[j].offset;
    (gathers ? copy.to_offset : copy.from_offset) = segment.first;
    return copy;
}

/// The copies of one side between its places, by place, and memory in which line after line lies:
/// the steps of the loops, then the lanes.
std::vector<std::vector<CopyTask>> line_copies(const FusedLines& lines, bool gathers) {
    std::vector<std::vector<CopyTask>> result;
    for (const Segments& alike : gathers ? lines.from : lines.to) {
        for (std::size_t j = 0; j < alike.begins.size(); ++j) {
            const auto place = static_cast<std::size_t>(alike.begins[j].place);
            if (result.size() <= place) result.resize(place + 1);
            result[place].push_back(copy_of(lines, alike, j, gathers));
        }
    }
    return result;
}

/// Lines in segments for engines that know arrays only: gathered, transformed, scattered. In the
/// area, which holds all lines of both sides, line after line. The library's plans work in the same
/// area.
class GatheredLines final : public PreparedWork {
  public:
    GatheredLines(const FusedLines& lines, const std::shared_ptr<WorkArea>& area,
                  const FftEngine& library)
        : area_(area) {
        const Index count = line_count(lines);
        if (count == 0) return;
        const LineTransform& line = lines.line;
        FftTask task{.line = line,
                     .looped = {{count, line.source_length(), line.target_length()}},
                     .may_destroy_input = true};
        gathered_bytes_ = WorkArea::rounded(count * line.source_length() * line.source().bytes());
        const Index transformed =
            WorkArea::rounded(count * line.target_length() * line.target().bytes());
        // The library's plan takes the beginning of the area for itself.
        plan_ = library.plan(task, Effort::estimate, nullptr, nullptr);
        work_bytes_ = WorkArea::rounded(area->bytes());
        area->require(work_bytes_ + gathered_bytes_ + transformed);
        gather_ = kernels(line_copies(lines, true));
        scatter_ = kernels(line_copies(lines, false));
    }

    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        if (plan_ == nullptr) return;
        std::byte* gathered = area_->data() + work_bytes_;
        std::byte* transformed = gathered + gathered_bytes_;
        for (std::size_t place = 0; place < gather_.size(); ++place) {
            if (gather_[place] != nullptr) gather_[place]->run(view, places[place], gathered);
        }
        plan_->run(view, gathered, transformed);
        for (std::size_t place = 0; place < scatter_.size(); ++place) {
            if (scatter_[place] != nullptr) scatter_[place]->run(view, transformed, places[place]);
        }
    }

  private:
    using Kernels = std::vector<std::unique_ptr<PreparedWork>>;

    [[nodiscard]] Kernels kernels(const std::vector<std::vector<CopyTask>>& of_places) const {
        Kernels result;
        for (const std::vector<CopyTask>& copies : of_places) {
            result.push_back(copies.empty() ? nullptr : area_->device().copies(copies));
        }
        return result;
    }

    std::shared_ptr<WorkArea> area_;
    std::unique_ptr<FftPlan> plan_;  ///< null: there are no lines
    Kernels gather_;                 ///< by place; null: none of them
    Kernels scatter_;
    Index work_bytes_ = 0;
    Index gathered_bytes_ = 0;
};

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
    /// as long as cuFFT (docs/device-inside.md).
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
        if (!has_line_kernel(lines.line.length))
            return std::make_unique<GatheredLines>(lines, area_, *library_);
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
