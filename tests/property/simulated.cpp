// Simulated transforms of random plans against the DFT by its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "plan/wire.hpp"
#include "property/random_problem.hpp"
#include "property/whole_array.hpp"
#include "testing/fake/fake.hpp"
#include "verify/simulate.hpp"

namespace weft::core::test {

namespace {

/// A simulation whose arrays can be set and read as a whole.
class Machine {
  public:
    Machine(const Plan& plan, const LocalOptions& options, Device* device = nullptr,
            bool device_arrays = false)
        : plan_(plan), simulation_(plan, options, device, device_arrays) {}

    void set(bool output, const Whole& whole) {
        for (int rank = 0; rank < plan_.ranks; ++rank) {
            scatter(whole, layout(output), rank, memory(output, rank));
        }
    }
    [[nodiscard]] Whole get(bool output) const {
        Whole result{layout(output).where.shape(), {}};
        result.values.resize(static_cast<std::size_t>(whole(result.shape).volume()));
        for (int rank = 0; rank < plan_.ranks; ++rank) {
            gather(memory(output, rank), layout(output), rank, result);
        }
        return result;
    }
    /// Fills an end with not-a-numbers.
    void poison(bool output) {
        for (int rank = 0; rank < plan_.ranks; ++rank) {
            std::memset(memory(output, rank), 0xff,
                        static_cast<std::size_t>(layout(output).bytes(rank)));
        }
    }
    [[nodiscard]] std::vector<std::byte> bytes(bool output) const {
        std::vector<std::byte> all;
        for (int rank = 0; rank < plan_.ranks; ++rank) {
            const std::byte* data = memory(output, rank);
            all.insert(all.end(), data, data + layout(output).bytes(rank));
        }
        return all;
    }
    /// Whether what lies between the boxes of a poisoned end is as poison() left it.
    [[nodiscard]] bool gaps_are_poisoned(bool output) const {
        for (int rank = 0; rank < plan_.ranks; ++rank) {
            const Index unit = layout(output).scalar.bytes();
            std::vector<std::byte> rest(memory(output, rank),
                                        memory(output, rank) + layout(output).bytes(rank));
            for (const auto& [number, position] : elements_in_memory(layout(output), rank)) {
                std::memset(rest.data() + position * unit, 0xff, static_cast<std::size_t>(unit));
            }
            const bool poisoned = std::all_of(
                rest.begin(), rest.end(), [](std::byte byte) { return byte == std::byte{0xff}; });
            if (!poisoned) return false;
        }
        return true;
    }
    void run(bool backward) { simulation_.run(backward); }

  private:
    [[nodiscard]] const Layout& layout(bool output) const {
        return output ? plan_.at.back() : plan_.at.front();
    }
    [[nodiscard]] std::byte* memory(bool output, int rank) const {
        return output ? simulation_.out(rank) : simulation_.in(rank);
    }

    Plan plan_;
    Simulation simulation_;
};

/// Every number that is sent may be rounded.
long double tolerance(const Plan& plan) {
    const long double rounded = 4 * wire_error(plan.choice.wire) * plan.redistributions();
    return rounded + (plan.problem.precision == Precision::f64 ? 5e-15L : 3e-6L);
}

constexpr Index most_simulated = 1200;

class Simulated : public ::testing::TestWithParam<int> {
  protected:
    /// Calls check(case, seed) for the seeds of this test.
    template <class Check>
    static void for_seeds(std::uint64_t salt, const Check& check) {
        for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
            const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
            const PlannedCase planned = planned_case(mix(salt) + seed, most_simulated);
            if (planned.drawn.problem.kind == Kind::redistribute) continue;
            SCOPED_TRACE(to_string(planned.drawn));
            check(planned, seed);
            if (HasFailure()) return;
        }
    }
};

/// Whether the machine computes the plan's transform, and with a seed's arrays undoes it.
void expect_transforms(Machine& machine, const PlannedCase& planned, std::uint64_t seed) {
    const Problem& problem = planned.drawn.problem;
    const Pair pair = random_pair(planned.plan, seed);
    if (!problem.in_place) machine.poison(true);
    machine.set(false, pair.in);
    const std::vector<std::byte> input = machine.bytes(false);
    machine.run(false);
    const auto forward = static_cast<long double>(scale_factor(problem, false));
    ASSERT_LT(relative_error(machine.get(true), scaled(pair.out, forward)),
              tolerance(planned.plan));
    const bool keeps = !problem.in_place && !problem.may_destroy_input;
    if (keeps) {
        ASSERT_EQ(machine.bytes(false), input) << "the input was changed";
    }
    if (!problem.in_place) {
        ASSERT_TRUE(machine.gaps_are_poisoned(true)) << "forward wrote between the boxes";
        machine.poison(false);
    }
    const std::vector<std::byte> output = machine.bytes(true);
    machine.run(true);
    const auto backward = static_cast<long double>(scale_factor(problem, true));
    ASSERT_LT(relative_error(machine.get(false), scaled(pair.back, forward * backward)),
              2 * tolerance(planned.plan));
    if (keeps) {
        ASSERT_EQ(machine.bytes(true), output) << "backward changed its input";
    }
    if (!problem.in_place) {
        ASSERT_TRUE(machine.gaps_are_poisoned(false)) << "backward wrote between the boxes";
    }
}

TEST_P(Simulated, ForwardIsTheDftAndBackwardUndoesIt) {
    for_seeds(1, [](const PlannedCase& planned, std::uint64_t seed) {
        Machine machine(planned.plan, {seed, 2, seed % 2 == 0});
        expect_transforms(machine, planned, seed);
    });
}

// Staged, staged in pieces and direct, with arrays of the host and of the device. Its queues run
// beside each other with delays, or hold back all work that nobody has waited for.
TEST_P(Simulated, OnADeviceForwardIsTheDftAndBackwardUndoesIt) {
    for_seeds(8, [](const PlannedCase& planned, std::uint64_t seed) {
        if (may_leave_out(planned.drawn.problem)) return;  // which the host clears
        Random random(seed);
        const PlannedCase here = on_device(planned, random);
        FakeOptions options;
        options.seed = seed;
        options.late = random.once_in(2);
        options.longest_delay = std::chrono::microseconds(random.between(0, 20));
        options.copy_piece = random.between(1, 4096);
        options.mpi_reaches = here.environment.mpi_reaches_device;
        const std::unique_ptr<Device> device = make_fake_device(options);
        SCOPED_TRACE(to_string(here.plan));
        Machine machine(here.plan, {seed, 2, seed % 2 == 0}, device.get(),
                        here.environment.device_arrays);
        expect_transforms(machine, here, seed);
    });
}

// Some ranks compute on the device and own more, the others on the host.
TEST_P(Simulated, OnSharesOfTheRanksForwardIsTheDftAndBackwardUndoesIt) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        const PlannedCase here = shared_case(mix(10) + seed, most_simulated);
        if (here.drawn.problem.kind == Kind::redistribute) continue;
        FakeOptions options;
        options.seed = seed;
        options.late = seed % 2 == 0;
        options.mpi_reaches = here.environment.mpi_reaches_device;
        const std::unique_ptr<Device> device = make_fake_device(options);
        SCOPED_TRACE(to_string(here.plan));
        Machine machine(here.plan, {seed, 2, seed % 3 == 0}, device.get(),
                        here.environment.device_arrays);
        expect_transforms(machine, here, seed);
        if (HasFailure()) return;
    }
}

TEST_P(Simulated, InAPartOfADeviceForwardIsTheDftAndBackwardUndoesIt) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        const PlannedCase planned = bounded_case(mix(9) + seed, most_simulated);
        if (planned.drawn.problem.kind == Kind::redistribute) continue;
        FakeOptions options;
        options.seed = seed;
        options.late = seed % 2 == 0;
        const std::unique_ptr<Device> device = make_fake_device(options);
        SCOPED_TRACE(to_string(planned.plan));
        Machine machine(planned.plan, {seed, 2, false}, device.get());
        expect_transforms(machine, planned, seed);
        if (HasFailure()) return;
    }
}

/// All ranks on one node; 2 on each, with arrays that are not exposed; 1 on each. Each environment
/// twice, with other delays.
std::vector<std::vector<LocalOptions>> environments(std::uint64_t seed) {
    return {{{seed, 0, false}, {seed + 3, 5, true}},
            {{seed + 1, 7, false, 2, false}, {seed + 4, 1, true, 2, false}},
            {{seed + 2, 2, true, 1}, {seed + 5, 6, false, 1}}};
}

// Where it is also read from other places, the engine may round otherwise: native transforms real
// lines in pairs, the reference engine each by itself. What messages carry may be rounded, and what
// ranks of a node share is not.
TEST_P(Simulated, OrderOfArrivalChangesNothing) {
    for_seeds(2, [](const PlannedCase& planned, std::uint64_t seed) {
        const Problem& problem = planned.drawn.problem;
        const Pair pair = random_pair(planned.plan, seed);
        const Choice& choice = planned.plan.choice;
        const bool same_bits = choice.engine == "reference" && choice.wire == Wire::same;
        std::vector<std::vector<std::byte>> first;
        Whole values;
        for (const std::vector<LocalOptions>& environment : environments(seed)) {
            std::vector<std::vector<std::byte>> results;
            for (const LocalOptions& options : environment) {
                Machine machine(planned.plan, options);
                machine.poison(true);
                machine.set(false, pair.in);
                machine.run(false);
                results.push_back(machine.bytes(true));
                // A second execution meets whatever the first has left behind.
                if (problem.in_place || problem.may_destroy_input) machine.set(false, pair.in);
                machine.run(false);
                results.push_back(machine.bytes(true));
                const Whole found = machine.get(true);
                if (values.values.empty()) values = found;
                ASSERT_LT(relative_error(found, values), tolerance(planned.plan));
            }
            for (const auto& result : results) ASSERT_EQ(result, results.front());
            if (first.empty()) first = results;
            if (same_bits) {
                ASSERT_EQ(results.front(), first.front());
            }
        }
    });
}

// Readers transform lines side by side along axis 2, in blocks of 64 lines; writers' lines go along
// axis 2, through several blocks.
TEST(SimulatedTransform, WritesLinesThroughTheBlocksOfAReader) {
    for (const char* text :
         {"c2c:f64:4x4x256; decomposition=pencil(2x2)",
          "r2c:f64:4x4x510; decomposition=pencil(2x2)",
          "c2r:f32:3x4x400; decomposition=pencil(2x2)",
          "c2c:f64:2x3x4x300; decomposition=pencil(2x2)",
          "c2c:f64:4x4x256 in=pencil(0:2,1:2) out=pencil(0:2,1:2); decomposition=pencil(2x2)"}) {
        for (const char* via : {"shared", "alltoallv", "isend-waitsome"}) {
            for (const int ranks_per_node : {0, 2}) {
                PlanRequest request = parse_plan_request(std::string(text) + "; via=" + via);
                const Plan plan = make_plan(request, 4);
                SCOPED_TRACE(to_string(plan));
                const Pair pair = random_pair(plan.problem, 7);
                Machine machine(plan, {3, 2, false, ranks_per_node, false});
                machine.set(false, pair.in);
                machine.run(false);
                const long double bound = 4 * tolerance(plan);
                ASSERT_LT(relative_error(machine.get(true), pair.out), bound);
                machine.poison(false);
                machine.run(true);
                ASSERT_LT(relative_error(machine.get(false), pair.back), 2 * bound);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Simulated, ::testing::Range(0, 12));

}  // namespace

}  // namespace weft::core::test
