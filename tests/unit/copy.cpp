#include "kernels/copy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "base/random.hpp"
#include "property/whole_array.hpp"

namespace weft::core {

namespace {

/// Distinct strides for the loops, in random order, with gaps; returns the elements spanned.
Index draw_strides(Random& random, std::vector<Loop>& loops, Index Loop::*stride, bool gaps) {
    std::vector<std::size_t> order(loops.size());
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    Index next = gaps ? random.between(1, 3) : 1;
    for (const std::size_t k : order) {
        loops[k].*stride = next;
        next *= loops[k].extent;
        if (gaps && random.once_in(3)) next += random.between(1, 4);
    }
    return next;
}

struct Drawn {
    CopyTask task;
    Index from_elements = 0;
    Index to_elements = 0;
};

Drawn random_task(Random& random, Index element_bytes) {
    Drawn drawn;
    Index total = 1;
    const Index loops = random.between(1, 7);
    for (Index k = 0; k < loops; ++k) {
        const Index extent = loops < 3 ? random.between(1, 70) : random.between(1, 5);
        drawn.task.loops.push_back({total * extent > 6000 ? 1 : extent, 0, 0});
        total *= drawn.task.loops.back().extent;
    }
    drawn.task.element_bytes = element_bytes;
    drawn.task.from_offset = random.between(0, 5);
    drawn.task.to_offset = random.between(0, 5);
    const bool gaps = random.once_in(2);
    drawn.from_elements =
        drawn.task.from_offset + draw_strides(random, drawn.task.loops, &Loop::from, gaps);
    drawn.to_elements =
        drawn.task.to_offset + draw_strides(random, drawn.task.loops, &Loop::to, gaps);
    return drawn;
}

void naive_copy(const CopyTask& task, const std::byte* from, std::byte* to) {
    std::vector<Index> extents;
    Index count = 1;
    for (const Loop& loop : task.loops) {
        extents.push_back(loop.extent);
        count *= loop.extent;
    }
    for (Index i = 0; i < count; ++i) {
        const std::vector<Index> step = test::point_of(i, extents);
        Index source = task.from_offset;
        Index target = task.to_offset;
        for (std::size_t k = 0; k < step.size(); ++k) {
            source += step[k] * task.loops[k].from;
            target += step[k] * task.loops[k].to;
        }
        std::memcpy(to + target * task.element_bytes, from + source * task.element_bytes,
                    static_cast<std::size_t>(task.element_bytes));
    }
}

std::vector<std::byte> noise(Random& random, Index bytes) {
    std::vector<std::byte> result(static_cast<std::size_t>(bytes));
    for (std::byte& b : result) b = static_cast<std::byte>(random.next() & 0xff);
    return result;
}

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
