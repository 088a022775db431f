#include "program/storage.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"

namespace weft::core {

namespace {

struct Chain {
    std::vector<Index> bytes;
    std::vector<StepNeeds> steps;
    ArrayUse use;

    [[nodiscard]] std::string text() const {
        std::string text = use.in_place ? "in place:" : "";
        if (use.may_destroy_input) text += "destroy input:";
        if (!use.output_is_scratch) text += "output is no scratch:";
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            if (i > 0) text += steps[i - 1].in_place ? " =" : " -";
            text += fmt::format(" {}", bytes[i]);
        }
        return text;
    }
};

Chain random_chain(Random& random) {
    Chain chain;
    chain.use.in_place = random.once_in(3);
    chain.use.may_destroy_input = !chain.use.in_place && random.once_in(3);
    chain.use.output_is_scratch = !random.once_in(3);
    const Index steps = random.between(chain.use.in_place ? 2 : 1, 6);
    const std::vector<Index> sizes = {64, 64, 64, 72, 96, 128, 0};
    chain.bytes.push_back(random.pick(sizes));
    for (Index i = 0; i < steps; ++i) {
        chain.bytes.push_back(random.pick(sizes));
        // Only a step that keeps the size can work in place.
        const std::size_t last = chain.bytes.size() - 1;
        const bool same = chain.bytes[last] == chain.bytes[last - 1];
        const bool in_place = same && random.once_in(2);
        chain.steps.push_back({in_place, in_place && random.once_in(2)});
    }
    return chain;
}

int work_buffers(const Storage& storage) {
    return static_cast<int>(
        std::count_if(storage.buffers.begin(), storage.buffers.end(),
                      [](const BufferSpec& spec) { return spec.role == Role::work; }));
}

/// The least number of work buffers of any placement, by trying all of them.
int fewest_work_buffers(const Chain& chain) {
    const std::size_t count = chain.bytes.size();
    const bool in_place = chain.use.in_place;
    const Index capacity =
        in_place ? std::max(chain.bytes.front(), chain.bytes.back()) : chain.bytes.back();
    std::size_t placements = 1;
    for (std::size_t i = 0; i < count; ++i) placements *= 4;
    int fewest = 9;
    for (std::size_t number = 0; number < placements; ++number) {
        // Places: 0 input, 1 output, 2 and 3 work.
        std::vector<std::size_t> place(count);
        std::size_t rest = number;
        for (auto& p : place) {
            p = rest % 4;
            rest /= 4;
        }
        bool possible = place.front() == (in_place ? 1U : 0U) && place.back() == 1;
        for (std::size_t i = 1; possible && i < count; ++i) {
            const bool input_serves =
                chain.use.may_destroy_input && chain.bytes[i] <= chain.bytes.front();
            const bool finished =
                std::all_of(chain.steps.begin() + static_cast<long>(i), chain.steps.end(),
                            [](const StepNeeds& step) { return step.same_elements; });
            const bool output_serves =
                chain.bytes[i] <= capacity && (chain.use.output_is_scratch || finished);
            possible = (place[i] != 0 || input_serves) && (place[i] != 1 || output_serves) &&
                       (place[i] != place[i - 1] || chain.steps[i - 1].in_place);
        }
        if (!possible) continue;
        const bool first = std::count(place.begin(), place.end(), 2) > 0;
        const bool second = std::count(place.begin(), place.end(), 3) > 0;
        fewest = std::min(fewest, (first ? 1 : 0) + (second ? 1 : 0));
    }
    return fewest;
}

TEST(Storage, KeepsNeighboursApartAndWastesNothing) {
    Random random(1);
    for (int i = 0; i < 400; ++i) {
        const Chain chain = random_chain(random);
        SCOPED_TRACE(chain.text());
        if (fewest_work_buffers(chain) == 9) continue;
        const Storage storage = place_values(chain.bytes, chain.steps, chain.use);
        ASSERT_EQ(storage.buffer_of.size(), chain.bytes.size());
        ASSERT_EQ(storage.buffer_of.front(), 0);
        ASSERT_EQ(storage.buffer_of.back(), chain.use.in_place ? 0 : 1);
        ASSERT_EQ(storage.buffers.front().role, chain.use.in_place ? Role::both : Role::input);
        std::vector<Index> needed(storage.buffers.size(), 0);
        for (std::size_t v = 0; v < chain.bytes.size(); ++v) {
            const auto buffer = static_cast<std::size_t>(storage.buffer_of[v]);
            ASSERT_LE(chain.bytes[v], storage.buffers[buffer].bytes);
            needed[buffer] = std::max(needed[buffer], chain.bytes[v]);
            if (v == 0) continue;
            ASSERT_TRUE(chain.steps[v - 1].in_place ||
                        storage.buffer_of[v] != storage.buffer_of[v - 1]);
            ASSERT_TRUE(storage.buffers[buffer].role != Role::input || chain.use.may_destroy_input);
        }
        for (std::size_t b = 0; b < storage.buffers.size(); ++b) {
            if (storage.buffers[b].role != Role::work) continue;
            ASSERT_EQ(storage.buffers[b].bytes, needed[b]);
        }
        ASSERT_EQ(work_buffers(storage), fewest_work_buffers(chain));
    }
}

// Steps that read the second or third last value: nothing made since lies where that is.
TEST(Storage, KeepsOlderValuesThatAreStillRead) {
    Random random(2);
    for (int i = 0; i < 400; ++i) {
        Chain chain = random_chain(random);
        // None is in place, since what is still read must not be changed; and the first and the
        // last value, which may be one array, are more than three steps apart.
        for (StepNeeds& step : chain.steps) step = {};
        chain.steps.resize(std::max<std::size_t>(chain.steps.size(), 4));
        chain.bytes.resize(chain.steps.size() + 1, 64);
        for (std::size_t s = 2; s < chain.steps.size(); ++s) {
            chain.steps[s].reads_second = random.once_in(2);
            chain.steps[s].reads_third = random.once_in(2);
        }
        SCOPED_TRACE(chain.text());
        const std::vector<int> at = place_values(chain.bytes, chain.steps, chain.use).buffer_of;
        for (std::size_t s = 2; s < chain.steps.size(); ++s) {
            const StepNeeds& step = chain.steps[s];
            ASSERT_TRUE(!step.reads_second || at[s + 1] != at[s - 1]);
            ASSERT_TRUE(!step.reads_third || (at[s + 1] != at[s - 2] && at[s] != at[s - 2]));
        }
    }
}

TEST(Storage, UsesTheOutputWhereItCan) {
    // Transform, pack, exchange, unpack, transform: the output and one work buffer do.
    const Storage storage =
        place_values({64, 64, 64, 64, 64, 64}, {{true, true}, {}, {}, {}, {true, true}}, {});
    EXPECT_EQ(work_buffers(storage), 1);
    EXPECT_EQ(storage.buffers[2].bytes, 64);
}

TEST(Storage, OfOneStepNeedsNoWork) {
    EXPECT_EQ(work_buffers(place_values({64, 80}, {{}}, {})), 0);
    EXPECT_EQ(work_buffers(place_values({64, 64}, {{true, true}}, {true, false, true})), 0);
}

}  // namespace

}  // namespace weft::core
