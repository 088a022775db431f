// Arrays that other processes can map; here this one maps its own once more.
#include "memory/shared_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "memory/limits.hpp"

namespace weft::core {

namespace {

class SharedMemory : public ::testing::TestWithParam<Index> {
  protected:
    void SetUp() override {
        data = static_cast<std::byte*>(allocate_shared(GetParam()));
        if (data == nullptr) GTEST_SKIP() << "the system has no memfd_create";
    }
    void TearDown() override {
        if (data != nullptr) {
            EXPECT_TRUE(free_shared(data));
        }
    }
    std::byte* data = nullptr;
};

TEST_P(SharedMemory, IsSeenThroughAMapping) {
    const Index bytes = GetParam();
    for (const Index offset : {Index{0}, bytes / 3}) {
        const auto piece = shared_piece(data + offset, bytes - offset);
        ASSERT_TRUE(piece);
        const SharedMapping mapping(*piece);
        if (mapping.data() == nullptr) GTEST_SKIP() << "the system hides /proc/self/fd";
        EXPECT_NE(mapping.data(), data + offset);
        EXPECT_EQ(mapping.data()[0], std::byte{0});
        mapping.data()[0] = std::byte{7};
        mapping.data()[bytes - offset - 1] = std::byte{8};
        EXPECT_EQ(data[offset], std::byte{7});
        EXPECT_EQ(data[bytes - 1], std::byte{8});
        data[offset] = data[bytes - 1] = std::byte{0};
    }
}

TEST_P(SharedMemory, LiesAtPages) {
    const Index page = GetParam() >= Index{1} << 21 ? Index{1} << 21 : 4096;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(page), 0U);
}

TEST_P(SharedMemory, KnowsWhatIsNotWithinIt) {
    const Index bytes = GetParam();
    int other = 0;
    EXPECT_FALSE(shared_piece(&other, sizeof other));
    EXPECT_FALSE(shared_piece(data, bytes + 8192));
    EXPECT_FALSE(shared_piece(data - 1, 1));
    EXPECT_FALSE(free_shared(data + 1));
    EXPECT_FALSE(free_shared(&other));
}

// The number of a descriptor may be another file's by now, or another process's.
TEST_P(SharedMemory, IsNotTakenForAnotherFile) {
    auto piece = *shared_piece(data, GetParam());
    ++piece.inode;
    EXPECT_EQ(SharedMapping(piece).data(), nullptr);
    piece.file = -1;
    EXPECT_EQ(SharedMapping(piece).data(), nullptr);
}

TEST_P(SharedMemory, CanBeHiddenFromThoseWhoHaveNotMappedIt) {
    const auto piece = shared_piece(data, GetParam());
    const SharedMapping mapping(*piece);
    if (mapping.data() == nullptr) GTEST_SKIP() << "the system hides /proc/self/fd";
    hide_shared(data);
    EXPECT_FALSE(shared_piece(data, GetParam()));
    EXPECT_EQ(SharedMapping(*piece).data(), nullptr);
    data[0] = std::byte{9};
    EXPECT_EQ(mapping.data()[0], std::byte{9});
}

TEST_P(SharedMemory, KeepsWhatIsThereWhenItsPagesAreTaken) {
    const Index bytes = GetParam();
    const Index promised = promised_bytes();
    EXPECT_GE(promised, bytes);
    data[0] = std::byte{3};
    data[bytes - 1] = std::byte{4};
    for (int times = 0; times < 2; ++times) {
        take_pages(data);
        EXPECT_LE(promised_bytes(), promised - bytes);
        EXPECT_EQ(data[0], std::byte{3});
        EXPECT_EQ(data[bytes - 1], std::byte{4});
        for (Index i = 1; i < bytes - 1; ++i) ASSERT_EQ(data[i], std::byte{0}) << i;
    }
}

TEST_P(SharedMemory, PromisesNothingOnceItIsFreed) {
    const Index promised = promised_bytes();
    EXPECT_TRUE(free_shared(data));
    data = nullptr;
    EXPECT_LE(promised_bytes(), promised - GetParam());
}

TEST(AvailableMemory, IsSome) { EXPECT_GT(available_memory(), Index{1} << 20); }

INSTANTIATE_TEST_SUITE_P(Sizes, SharedMemory,
                         ::testing::Values(12, 4096, 100000, Index{1} << 20, Index{2} << 20,
                                           (Index{2} << 20) + 64, (Index{4} << 20) - 8192,
                                           Index{5} << 20));

}  // namespace

}  // namespace weft::core
