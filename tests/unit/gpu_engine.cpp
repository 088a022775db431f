// The engines of GPUs on the emulated one, by the DFT's definition; and the calls that tasks
// become.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "device/devices.hpp"
#include "fft/gpu/calls.hpp"
#include "unit/fft_trial.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Runs the plans of a device's engine on arrays of the host: there and back.
class ThereAndBack : public FftEngine {
  public:
    /// Arrays of so many bytes, which begin so many bytes after a multiple of 64 on the device.
    ThereAndBack(Device& device, std::string_view engine, const test::Trial& trial, Index past)
        : device_(device),
          engine_(engine_on(&device, engine)),
          from_bytes_(trial.from.bytes()),
          to_bytes_(trial.to.bytes()),
          past_(past) {}

    [[nodiscard]] std::string_view name() const override { return engine_->name(); }
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort effort, std::byte* from,
                                                std::byte* to) const override {
        return std::make_unique<OnDevice>(*this, task, effort, from == to);
    }

  private:
    class OnDevice : public FftPlan {
      public:
        OnDevice(const ThereAndBack& way, const FftTask& task, Effort effort, bool in_place)
            : way_(way),
              queue_(way.device_.queue("work")),
              from_(
                  way.device_.allocate(std::max(way.from_bytes_, way.to_bytes_) + way.past_, "a")),
              to_(way.device_.allocate(way.to_bytes_ + way.past_, "b")) {
            source_ = from_->data() + way.past_;
            target_ = in_place ? source_ : to_->data() + way.past_;
            plan_ = way.engine_->plan(task, effort, source_, target_);
        }

        void execute(std::byte* from, std::byte* to) override {
            queue_->copy(from, source_, way_.from_bytes_, "in");
            // What lies between elements is to stay.
            if (source_ != target_) queue_->copy(to, target_, way_.to_bytes_, "gaps");
            const auto work = [&](const DeviceView& view) {
                plan_->run(view, view.reach(source_), view.reach(target_));
            };
            queue_->launch(work, "transform");
            queue_->copy(source_, from, way_.from_bytes_, "input");
            queue_->wait(queue_->copy(target_, to, way_.to_bytes_, "out"));
        }

      private:
        const ThereAndBack& way_;
        std::unique_ptr<DeviceQueue> queue_;
        std::unique_ptr<DeviceMemory> from_;
        std::unique_ptr<DeviceMemory> to_;
        std::byte* source_ = nullptr;
        std::byte* target_ = nullptr;
        std::unique_ptr<FftPlan> plan_;
    };

    Device& device_;
    std::shared_ptr<const FftEngine> engine_;
    Index from_bytes_;
    Index to_bytes_;
    Index past_;
};

class GpuTasks : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(GpuTasks, AreTransformedAsTheDftSays) {
    for (int i = 0; i < 100; ++i) {
        const auto [engine, seed] = GetParam();
        Random random(static_cast<std::uint64_t>(1000 * seed + i));
        const test::Trial trial = test::random_trial(random);
        if (trial.task.line.kind == Kind::r2r) continue;  // which devices do not have
        SCOPED_TRACE(test::text_of(trial.task));
        test::check(ThereAndBack(device("emulated"), engine, trial, 0), Effort::estimate, trial);
        if (HasFatalFailure()) return;
    }
}

// Real arrays need not lie as cuFFT wants them.
TEST_P(GpuTasks, AreTransformedWhereverArraysLie) {
    for (int i = 0; i < 25; ++i) {
        const auto [engine, seed] = GetParam();
        Random random(static_cast<std::uint64_t>(2000 * seed + i));
        const test::Trial trial = test::random_trial(random);
        if (trial.task.line.kind == Kind::r2r) continue;  // which devices do not have
        SCOPED_TRACE(test::text_of(trial.task));
        test::check(ThereAndBack(device("emulated"), engine, trial, 8), Effort::estimate, trial);
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GpuTasks,
                         testing::Combine(testing::Values("cufft", "native"),
                                          testing::Range(0, 8)));

FftTask along(std::vector<Loop> axes, std::vector<Loop> looped) {
    FftTask task{.line = {Kind::c2c, -1, Precision::f64, 1}, .looped = std::move(looped)};
    task.set_axes(std::move(axes));
    return task;
}

TEST(FftCalls, AreOneForPlanesAndForTheWholeArray) {
    const auto planes = calls_of(along({{6, 4, 4}, {4, 1, 1}}, {{8, 24, 24}}));
    ASSERT_EQ(planes.size(), 1U);
    EXPECT_EQ(planes[0].axes.size(), 2U);
    EXPECT_EQ(planes[0].count(), 1);
    EXPECT_TRUE((planes[0].batch == Loop{8, 24, 24}));
    const auto whole = calls_of(along({{8, 24, 24}, {6, 4, 4}, {4, 1, 1}}, {}));
    ASSERT_EQ(whole.size(), 1U);
    EXPECT_EQ(whole[0].axes.size(), 3U);
}

TEST(FftCalls, LoopAroundTheShorterOfTwoLoops) {
    const auto calls = calls_of(along({{6, 4, 4}}, {{8, 24, 24}, {4, 1, 1}}));
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].count(), 4);
    EXPECT_TRUE((calls[0].batch == Loop{8, 24, 24}));
}

TEST(FftCalls, MergeLoopsThatFollowEachOther) {
    // Lines along the slowest axis of 8 x 6 x 4: 24 lines side by side.
    const auto calls = calls_of(along({{8, 24, 24}}, {{6, 4, 4}, {4, 1, 1}}));
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].count(), 1);
    EXPECT_TRUE((calls[0].batch == Loop{24, 1, 1}));
}

TEST(FftCalls, AreSeveralWhereAxesDoNotStepOverWholeLines) {
    // Planes whose lines are 5 apart on one side and 4 apart on the other: no common embedding of
    // the third axis, which steps over 23 elements.
    const auto calls = calls_of(along({{8, 23, 24}, {6, 5, 4}, {4, 1, 1}}, {}));
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].side, FftSide::across);
    EXPECT_EQ(calls[1].side, FftSide::target);
}

TEST(DeviceEngines, AreResolvedByDevice) {
    EXPECT_EQ(resolve_engine("", "emulated"), "native");
    EXPECT_EQ(resolve_engine("", "fake"), resolve_engine(""));
    EXPECT_EQ(resolve_engine("native", "emulated"), "native");
    EXPECT_THROW((void)resolve_engine("fftw", "emulated"), Error);
    EXPECT_THROW((void)resolve_engine("cufft", ""), Error);
    EXPECT_THROW((void)resolve_engine("cufft", "fake"), Error);
}

}  // namespace

}  // namespace weft::core
