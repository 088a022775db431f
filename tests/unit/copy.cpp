#include "kernels/copy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/copy_drawn.hpp"

namespace weft::core {

namespace {

using namespace test;

class CopyOf : public ::testing::TestWithParam<Index> {};

TEST_P(CopyOf, RandomTasksIsThatOfNaiveLoops) {
    Random random(static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 600; ++i) {
        const Drawn drawn = random_task(random, GetParam());
        const auto from = noise(random, drawn.from_elements * GetParam());
        auto found = noise(random, drawn.to_elements * GetParam());
        auto expected = found;
        naive_copy(drawn.task, from.data(), expected.data());
        Copy(drawn.task).execute(from.data(), found.data());
        std::string loops;
        for (const Loop& loop : drawn.task.loops) {
            loops += fmt::format(" {}:{}:{}", loop.extent, loop.from, loop.to);
        }
        ASSERT_EQ(found, expected) << loops;
    }
}

TEST_P(CopyOf, OneElementNeedsNoLoops) {
    Random random(3);
    const auto from = noise(random, 3 * GetParam());
    auto found = noise(random, 2 * GetParam());
    auto expected = found;
    const CopyTask task{{}, GetParam(), 2, 1};
    naive_copy(task, from.data(), expected.data());
    Copy(task).execute(from.data(), found.data());
    EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(ElementBytes, CopyOf, ::testing::Values(1, 3, 4, 8, 12, 16, 40));

template <class Real>
void check_scale(Precision precision) {
    std::vector<Real> from = {1, -2, Real(0.5), 8};
    std::vector<Real> to(4, 7);
    scale(precision, reinterpret_cast<const std::byte*>(from.data()),
          reinterpret_cast<std::byte*>(to.data()), {0, {{3, 1}}}, -0.5);
    EXPECT_EQ(to, (std::vector<Real>{Real(-0.5), 1, Real(-0.25), 7}));
    scale(precision, reinterpret_cast<const std::byte*>(from.data()),
          reinterpret_cast<std::byte*>(from.data()), {0, {{4, 1}}}, 2);
    EXPECT_EQ(from, (std::vector<Real>{2, -4, 1, 16}));
    // Elements 1 and 3, by two runs; then a single one.
    scale(precision, reinterpret_cast<const std::byte*>(from.data()),
          reinterpret_cast<std::byte*>(to.data()), {1, {{2, 2}, {1, 5}}}, 10);
    EXPECT_EQ(to, (std::vector<Real>{Real(-0.5), -40, Real(-0.25), 160}));
    scale(precision, reinterpret_cast<const std::byte*>(from.data()),
          reinterpret_cast<std::byte*>(to.data()), {2, {}}, 3);
    EXPECT_EQ(to, (std::vector<Real>{Real(-0.5), -40, 3, 160}));
}

TEST(Scale, MultipliesApartAndInPlace) {
    check_scale<float>(Precision::f32);
    check_scale<double>(Precision::f64);
}

}  // namespace

}  // namespace weft::core
