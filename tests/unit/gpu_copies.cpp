// The kernels that copy and scale, on the emulated GPU, against copies by plain loops.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "device/devices.hpp"
#include "device/gpu/copy_kernels.hpp"
#include "kernels/copy.hpp"
#include "mpi/allocations.hpp"
#include "unit/copy_drawn.hpp"
#include "unit/gpu_tables.hpp"

namespace weft::core::emulated {

namespace {

using namespace weft::core::test;

/// An array that begins so many bytes after a multiple of 64.
class Placed {
  public:
    Placed(const std::vector<std::byte>& content, Index past)
        : bytes_(content.size()), past_(static_cast<std::size_t>(past)) {
        room_.resize(bytes_ + past_ + 64);
        const auto address = reinterpret_cast<std::uintptr_t>(room_.data());
        past_ += (64 - address % 64) % 64;
        std::copy(content.begin(), content.end(), room_.begin() + at());
    }
    std::byte* data() { return room_.data() + past_; }
    [[nodiscard]] std::vector<std::byte> content() const {
        return {room_.begin() + at(), room_.begin() + at() + static_cast<std::ptrdiff_t>(bytes_)};
    }

  private:
    [[nodiscard]] std::ptrdiff_t at() const { return static_cast<std::ptrdiff_t>(past_); }
    std::size_t bytes_;
    std::size_t past_;
    std::vector<std::byte> room_;
};

std::string text(const CopyTask& task) {
    std::string result = fmt::format("{} bytes, from {} to {}:", task.element_bytes,
                                     task.from_offset, task.to_offset);
    for (const Loop& loop : task.loops) {
        result += fmt::format(" {}:{}:{}", loop.extent, loop.from, loop.to);
    }
    return result;
}

/// Runs the copies, which do not write the same bytes, and compares with plain loops.
void check(const std::vector<CopyTask>& tasks, Index from_bytes, Index to_bytes, Index past,
           Random& random, Index most_units = 1 << 30) {
    Placed from(noise(random, from_bytes), past);
    Placed to(noise(random, to_bytes), past == 0 ? 0 : 64 - past);
    auto expected = to.content();
    for (const CopyTask& task : tasks) naive_copy(task, from.data(), expected.data());
    Tables tables;
    const CopyKernels kernels(tasks, tables, most_units);
    set_thread_order(random.next());
    kernels.run(nullptr, from.data(), to.data());
    ASSERT_EQ(to.content(), expected) << text(tasks.front()) << ", arrays at " << past;
}

class GpuCopy : public ::testing::TestWithParam<Index> {};

TEST_P(GpuCopy, RandomTasksIsThatOfNaiveLoops) {
    Random random(static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 250; ++i) {
        const Drawn drawn = random_task(random, GetParam());
        const Index past = random.pick<Index>({0, 0, 16, 8, 4, 2, 1});
        check({drawn.task}, drawn.from_elements * GetParam(), drawn.to_elements * GetParam(), past,
              random);
    }
}

TEST_P(GpuCopy, PlanesAreTransposed) {
    Random random(5);
    const std::vector<Index> extents = {1, 7, 8, 9, 31, 32, 33, 64, 66, 100};
    for (int i = 0; i < 60; ++i) {
        const Index rows = random.pick(extents);
        const Index columns = random.pick(extents);
        const Index planes = random.between(1, 3);
        const Index from_gap = random.pick<Index>({0, 0, 1, 4});
        const Index to_gap = random.pick<Index>({0, 0, 1, 4});
        const Index pitch = columns + from_gap;
        const Index other = rows + to_gap;
        const CopyTask task{
            {{planes, rows * pitch, columns * other}, {rows, pitch, 1}, {columns, 1, other}},
            GetParam(),
            4 * (i % 2),
            4 * (i % 3)};
        check({task}, (planes * rows * pitch + 4) * GetParam(),
              (planes * columns * other + 8) * GetParam(), random.pick<Index>({0, 0, GetParam()}),
              random);
    }
}

TEST_P(GpuCopy, LongCopiesAreSeveral) {
    Random random(6);
    for (int i = 0; i < 60; ++i) {
        const Drawn drawn = random_task(random, GetParam());
        check({drawn.task}, drawn.from_elements * GetParam(), drawn.to_elements * GetParam(), 0,
              random, random.pick<Index>({64, 100, 999}));
    }
    // A run of its own.
    const CopyTask run{{{5000, 1, 1}}, GetParam(), 0, 0};
    check({run}, 5000 * GetParam(), 5000 * GetParam(), 0, random, 64);
}

/// A transpose of rows x columns elements whose rows are `pitch` apart in the source.
CopyTask transpose(Index rows, Index columns, Index pitch, Index element_bytes) {
    return {{{rows, pitch, 1}, {columns, 1, rows}}, element_bytes, 0, 0};
}

/// How it is copied in tiles, with arrays at multiples of so many bytes: "from to" are the sides on
/// which 16 bytes are accessed at once. Empty if it is not copied in tiles.
std::string tiles_of(const CopyTask& task, int aligned) {
    TileShape how;
    if (!is_tiled(shapes_of(task, 1 << 30).at(0), aligned, how)) return "";
    return fmt::format("{}{}{}", how.element_bytes, how.wide_from ? " from" : "",
                       how.wide_to ? " to" : "");
}

TEST(GpuCopies, TilesAreAccessedBy16BytesWhereThatIsPossible) {
    Random random(12);
    const auto expect = [&](const CopyTask& task, int aligned, const std::string& tiles) {
        EXPECT_EQ(tiles_of(task, aligned), tiles) << text(task) << ", " << aligned;
        const Index elements = 100 * 110;
        check({task}, elements * task.element_bytes, elements * task.element_bytes, aligned % 64,
              random);
    };
    for (const Index bytes : {4, 8}) {
        const std::string name = std::to_string(bytes);
        expect(transpose(96, 100, 104, bytes), 64, name + " from to");
        expect(transpose(96, 100, 104, bytes), 16, name + " from to");
        expect(transpose(96, 100, 104, bytes), 8, name);
        expect(transpose(96, 100, 101, bytes), 16, name + " to");
        expect(transpose(96, 99, 104, bytes), 16, name + " to");
        expect(transpose(95, 100, 104, bytes), 16, name + " from");
        CopyTask past = transpose(96, 100, 104, bytes);
        past.from_offset = 1;
        expect(past, 16, name + " to");
    }
    expect(transpose(33, 35, 35, 16), 16, "16");
    expect(transpose(33, 35, 35, 16), 8, "");
    expect(transpose(7, 100, 100, 8), 16, "");
    expect(transpose(33, 35, 35, 12), 16, "");
}

INSTANTIATE_TEST_SUITE_P(ElementBytes, GpuCopy, ::testing::Values(1, 2, 3, 4, 8, 12, 16, 40));

/// The copies of a pack for `peers` ranks: boxes of a 3-D array behind each other in a buffer.
std::vector<CopyTask> pack(Index peers, Index element_bytes, Index& elements) {
    std::vector<CopyTask> tasks;
    const Index pitch = peers * 3;
    elements = 4 * 5 * pitch;
    for (Index p = 0; p < peers; ++p) {
        const Index extent = p % 4;  // some are empty
        tasks.push_back({{{4, 5 * pitch, 5 * extent}, {5, pitch, extent}, {extent, 1, 1}},
                         element_bytes,
                         3 * p,
                         4 * 5 * 3 * p});
    }
    return tasks;
}

TEST(GpuCopies, PackForManyPeersIsFewLaunches) {
    Random random(7);
    Index elements = 0;
    const auto tasks = pack(200, 16, elements);
    check(tasks, elements * 16, 200 * 60 * 16, 0, random);
    Tables tables;
    EXPECT_EQ(CopyKernels(tasks, tables).launches(16), 1U);
    const auto halves = pack(200, 8, elements);
    check(halves, elements * 8, 200 * 60 * 8, 8, random);
    EXPECT_LE(CopyKernels(halves, tables).launches(16), 2U);
}

TEST(GpuCopies, RunsAllocateNothing) {
    Random random(8);
    Index elements = 0;
    Tables tables;
    const CopyKernels kernels(pack(20, 8, elements), tables);
    std::vector<std::byte> from(static_cast<std::size_t>(elements) * 8);
    std::vector<std::byte> to(20 * 60 * 8);
    kernels.run(nullptr, from.data(), to.data());  // the emulator's own memory
    weft::test::count_allocations(true);
    kernels.run(nullptr, from.data(), to.data());
    weft::test::count_allocations(false);
    EXPECT_EQ(weft::test::allocations(), 0);
}

TEST(GpuCopies, NothingIsNoLaunch) {
    Tables tables;
    EXPECT_EQ(CopyKernels({}, tables).launches(16), 0U);
    const CopyTask empty{{{3, 1, 1}, {0, 3, 3}}, 8, 0, 0};
    EXPECT_EQ(CopyKernels({empty}, tables).launches(16), 0U);
    CopyKernels({empty}, tables).run(nullptr, nullptr, nullptr);
}

TEST(GpuCopies, OneElementNeedsNoLoops) {
    Random random(9);
    check({CopyTask{{}, 16, 2, 1}}, 48, 32, 0, random);
}

TEST(GpuDivider, IsDivision) {
    Random random(10);
    constexpr std::uint32_t most = 0x7fffffff;
    std::vector<std::uint32_t> numbers = {1,   2,     3,     5,     6,        7,
                                          641, 65535, 65536, 65537, most - 1, most};
    for (int i = 0; i < 300; ++i) {
        const auto n = static_cast<std::uint32_t>(random.between(1, most));
        numbers.push_back(n >> random.between(0, 30));
        numbers.back() += numbers.back() == 0 ? 1 : 0;
    }
    for (const std::uint32_t d : numbers) {
        const Divider divider(d);
        const auto expect = [&](std::uint32_t n) {
            std::uint32_t rest = n;
            const std::uint32_t quotient = divider.split(rest);
            ASSERT_EQ(quotient, n / d) << n << " / " << d;
            ASSERT_EQ(rest, n % d) << n << " / " << d;
        };
        expect(0);
        for (const std::uint32_t n : numbers) expect(n);
        for (const std::uint32_t k : numbers) {
            const std::uint32_t multiple = most / d < k ? most / d * d : k * d;
            expect(multiple);
            expect(multiple - 1);
            if (multiple < most) expect(multiple + 1);
        }
    }
}

template <class Real>
void check_scale(Precision precision) {
    Random random(11);
    for (int i = 0; i < 100; ++i) {
        Slice slice{random.between(0, 5), {}};
        Index span = 1;
        for (Index k = random.between(0, 4); k > 0; --k) {
            const Index extent = random.pick<Index>({1, 2, 3, 4, 8, 40});
            slice.runs.insert(slice.runs.begin(), {extent, span});
            span *= extent;
            if (random.once_in(3)) span += random.between(0, 4);
        }
        const auto size = static_cast<std::size_t>(slice.offset + span);
        std::vector<Real> numbers(size);
        for (Real& x : numbers) x = static_cast<Real>(random.between(-1000, 1000));
        std::vector<Real> expected(size, Real(7));
        std::vector<Real> found = expected;
        const auto bytes = [](std::vector<Real>& x) {
            return reinterpret_cast<std::byte*>(x.data());
        };
        scale(precision, bytes(numbers), bytes(expected), slice, -0.5);
        Tables tables;
        const ScaleKernel kernel(precision, slice, -0.5, tables);
        kernel.run(nullptr, bytes(numbers), bytes(found));
        ASSERT_EQ(found, expected);
        scale(precision, bytes(expected), bytes(expected), slice, 3);
        ScaleKernel(precision, slice, 3, tables).run(nullptr, bytes(found), bytes(found));
        ASSERT_EQ(found, expected);
    }
}

TEST(GpuScale, IsThatOfTheHost) {
    check_scale<float>(Precision::f32);
    check_scale<double>(Precision::f64);
}

TEST(GpuMemory, OfTheHostIsPinnedWhileItIsUsed) {
    Device& gpu = device("emulated");
    std::vector<std::byte> array(4096);
    const auto is_known = [&] {
        cudaPointerAttributes found{};
        return cudaPointerGetAttributes(&found, array.data()) == cudaSuccess &&
               found.type == cudaMemoryTypeHost;
    };
    EXPECT_FALSE(is_known());
    {
        const auto pinned = gpu.pin(array.data(), 4096);
        ASSERT_NE(pinned, nullptr);
        EXPECT_EQ(pinned->data(), array.data());
        EXPECT_TRUE(is_known());
        EXPECT_EQ(gpu.pin(array.data() + 512, 64), nullptr) << "pinned already";
        // What failed is not found by the next call.
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
    EXPECT_FALSE(is_known());
}

}  // namespace

}  // namespace weft::core::emulated
