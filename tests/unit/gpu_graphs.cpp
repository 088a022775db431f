// A program of one rank on device arrays, done again as a CUDA graph.
#include <gtest/gtest.h>

#include <cstdlib>

#include "device/devices.hpp"
#include "fft/engine.hpp"
#include "plan/plan.hpp"
#include "property/whole_array.hpp"
#include "run/device_backend.hpp"
#include "run/executor.hpp"
#include "run/programs.hpp"
#include "testing/net/local.hpp"

namespace weft::core {

namespace {

using test::Whole;

/// One rank, with arrays of the emulated device.
class OnGpu {
  public:
    explicit OnGpu(const std::string& text)
        : plan_(make_plan(parse_plan_request(text), 1)),
          net_(world_.net(0)),
          programs_(plan_, 0, environment()) {
        programs_.join(*net_);
        programs_.share(*net_);
        workspace_ = device_.allocate(programs_.memory.workspace_bytes, "workspace");
        work_.emplace(device_);
        const Workers workers{team_, 0, 0};
        const auto engine = engine_on(&device_, plan_.choice.engine);
        EnginePlans plans(*engine, plan_.choice.effort, workers);
        Bound bound{nullptr, nullptr, workspace_->data()};
        bound.device = &*work_;
        executor_.emplace(programs_.forward, bound, plans, workers, *net_);
        executor_->connect();
    }

    /// The transform of these numbers, in arrays of its own if they are other ones.
    Whole transform(const Whole& input, bool other_arrays) {
        auto& [in, out] = arrays(other_arrays);
        std::vector<std::byte> host(static_cast<std::size_t>(in->bytes()));
        test::scatter(input, plan_.at.front(), 0, host.data());
        const auto queue = device_.queue("copies");
        queue->wait(queue->copy(host.data(), in->data(), in->bytes(), "in"));
        executor_->start(in->data(), out->data());
        while (!executor_->done()) executor_->advance(true);
        host.resize(static_cast<std::size_t>(out->bytes()));
        queue->wait(queue->copy(out->data(), host.data(), out->bytes(), "out"));
        Whole found{input.shape, {}};
        found.values.resize(input.values.size());
        test::gather(host.data(), plan_.at.back(), 0, found);
        return found;
    }
    [[nodiscard]] const Problem& problem() const { return plan_.problem; }
    [[nodiscard]] bool repeats() const {
        return dynamic_cast<DeviceBackend&>(executor_->backend()).was_recorded();
    }

  private:
    using Arrays = std::pair<std::unique_ptr<DeviceMemory>, std::unique_ptr<DeviceMemory>>;

    static Environment environment() {
        Environment result{Topology(1, 1)};
        result.device_arrays = true;
        return result;
    }
    Arrays& arrays(bool other) {
        Arrays& result = other ? others_ : arrays_;
        if (result.first == nullptr) {
            result.first = device_.allocate(plan_.at.front().bytes(0), "in");
            result.second = device_.allocate(plan_.at.back().bytes(0), "out");
        }
        return result;
    }

    Device& device_ = device("emulated");
    Plan plan_;
    LocalWorld world_{1, {}};
    std::unique_ptr<Net> net_;
    Programs programs_;
    std::unique_ptr<DeviceMemory> workspace_;
    std::optional<DeviceWork> work_;
    Team team_{1};
    std::optional<Executor> executor_;
    Arrays arrays_;
    Arrays others_;
};

class GpuGraphs : public testing::TestWithParam<const char*> {
  public:
    GpuGraphs() { setenv("WEFT_DEVICE_GRAPHS", "yes", 1); }
    ~GpuGraphs() override { unsetenv("WEFT_DEVICE_GRAPHS"); }
};

TEST_P(GpuGraphs, TransformNewNumbersAndOtherArrays) {
    OnGpu gpu(std::string("c2c:f64:12x10x8; space=emulated; engine=") + GetParam());
    // The first time nothing is recorded, the second and third time it runs as recorded; so again
    // with other arrays.
    for (std::uint64_t time = 0; time < 6; ++time) {
        const test::Pair pair = test::random_pair(gpu.problem(), 7 + time);
        const Whole found = gpu.transform(pair.in, time >= 3);
        EXPECT_LT(test::relative_error(found, pair.out), 1e-14L) << time;
        EXPECT_EQ(gpu.repeats(), time % 3 != 0) << time;
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, GpuGraphs, testing::Values("cufft", "native"));

}  // namespace

}  // namespace weft::core
