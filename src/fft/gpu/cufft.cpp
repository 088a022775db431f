// The engine cufft: tasks as calls of cuFFT, or gathered where they make too many.
#include <algorithm>
#include <memory>
#include <string>

#include "base/engines.hpp"
#include "device/devices.hpp"
#include "fft/engine.hpp"
#include "fft/gpu/cufft_plan.hpp"
#include "fft/gpu/native.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// cuFFT reads and writes complex numbers whole, and real ones in pairs.
constexpr Index complex_alignment = 16;

/// A launch takes some microseconds, in which a GPU moves megabytes: more calls than this take
/// longer than to copy lines to where one call transforms them, and back.
constexpr Index most_calls = 32;

bool lies_apart(const std::byte* array) {
    return reinterpret_cast<std::uintptr_t>(array) % complex_alignment != 0;
}

/// Whether all calls begin where cuFFT can read and write pairs of real numbers.
bool begins_aligned(const FftCalls& calls) {
    const Index from = calls.line.source().bytes();
    const Index to = calls.line.target().bytes();
    const Index unit = Scalar{calls.line.precision, true}.bytes();
    const auto keeps = [&](const Loop& loop) {
        return loop.from * from % unit == 0 && loop.to * to % unit == 0;
    };
    return std::all_of(calls.around.begin(), calls.around.end(), keeps);
}

/// HIP's may overwrite what any c2r reads; cuFFT only that of several axes, of which the task says
/// that it may be.
bool keeps_its_input(const FftTask& task) {
#if defined(WEFT_GPU_HIP)
    return task.line.kind != Kind::c2r || task.may_destroy_input || task.in_place;
#else
    (void)task;
    return true;
#endif
}

class CufftPlan : public FftPlan {
  public:
    CufftPlan(const FftTask& task, bool gathers, const std::shared_ptr<WorkArea>& area)
        : area_(area) {
        if (is_empty(task)) return;
        const FftTask own = gathers ? contiguous_task(task) : task;
        Index work = 0;
        for (const FftCalls& calls : calls_of(own)) {
            calls_.push_back(std::make_unique<CufftCalls>(calls, *area));
            work = std::max(work, calls_.back()->work_bytes());
        }
        if (gathers) {
            gather_ = area->device().copies({gathering(task)});
            scatter_ = area->device().copies({scattering(task)});
            gathered_ = WorkArea::rounded(work);
            transformed_ = gathered_ + WorkArea::rounded(bytes_of(gathering(task)));
            work = transformed_ + WorkArea::rounded(bytes_of(scattering(task)));
        }
        area->require(work);
    }

    void execute(std::byte* /*from*/, std::byte* /*to*/) override {
        throw std::logic_error("a plan of a device is executed by the host");
    }
    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        std::byte* from = places[0];
        std::byte* to = places[1];
        if (!gather_) return transform(view, from, to);
        std::byte* gathered = area_->data() + gathered_;
        std::byte* transformed = area_->data() + transformed_;
        gather_->run(view, from, gathered);
        transform(view, gathered, transformed);
        scatter_->run(view, transformed, to);
    }

  private:
    void transform(const DeviceView& view, std::byte* from, std::byte* to) {
        auto* stream = static_cast<cudaStream_t>(view.stream());
        for (const auto& calls : calls_) {
            calls->execute(stream, calls->side() == FftSide::target ? to : from,
                           calls->side() == FftSide::source ? from : to);
        }
    }

    std::shared_ptr<WorkArea> area_;
    std::vector<std::unique_ptr<CufftCalls>> calls_;
    std::unique_ptr<PreparedWork> gather_;  ///< null: the calls work on the arrays
    std::unique_ptr<PreparedWork> scatter_;
    Index gathered_ = 0;     ///< bytes after the start of the area
    Index transformed_ = 0;  ///< likewise
};

class CufftEngine : public FftEngine {
  public:
    CufftEngine(std::shared_ptr<WorkArea> area, std::string_view name)
        : name_(name), area_(std::move(area)) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] Index alignment() const override { return complex_alignment; }
    [[nodiscard]] Index work_bytes() const override { return area_->bytes(); }
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort /*effort*/,
                                                std::byte* from, std::byte* to) const override {
        return std::make_unique<CufftPlan>(task, gathers(task, from, to), area_);
    }

  private:
    /// Whether lines are copied to where one call transforms them, and back.
    static bool gathers(const FftTask& task, const std::byte* from, const std::byte* to) {
        if (is_empty(task)) return false;
        if (task.any_alignment || lies_apart(from) || lies_apart(to)) return true;
        if (task.in_place && !keeps_its_place(task)) return true;
        if (!keeps_its_input(task)) return true;
        const std::vector<FftCalls> all = calls_of(task);
        return std::any_of(all.begin(), all.end(), [](const FftCalls& calls) {
            return calls.count() > most_calls || !begins_aligned(calls);
        });
    }

    std::string name_;
    std::shared_ptr<WorkArea> area_;
};

}  // namespace

std::shared_ptr<const FftEngine> make_engine(Device& device, std::string_view name) {
    const auto area = std::make_shared<WorkArea>(device);
    if (name != "native") return std::make_shared<CufftEngine>(area, name);
    return native_engine(area, std::make_shared<CufftEngine>(area, name));
}

}  // namespace weft::core::WEFT_GPU_TARGET
