// Memory read through the kernel: this process's own, as if it were another's.
#include "net/cross_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <vector>

#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Skipped where the system forbids it.
class CrossMemory : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::string reason = why_no_cross_memory();
        if (!reason.empty()) GTEST_SKIP() << reason;
    }
};

TEST_F(CrossMemory, IsCopied) {
    std::vector<int> from(100'000);
    std::iota(from.begin(), from.end(), 1);
    std::vector<int> to(from.size() + 1, -1);
    read_memory(getpid(), reinterpret_cast<const std::byte*>(from.data()),
                reinterpret_cast<std::byte*>(to.data()),
                static_cast<Index>(from.size() * sizeof(int)));
    from.push_back(-1);
    EXPECT_EQ(to, from);
}

// The kernel copies the first page, and says so before it refuses the second.
TEST_F(CrossMemory, ThatIsNotThereIsAnError) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* pages =
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    auto* from = static_cast<std::byte*>(pages);
    munmap(from + page, page);
    std::vector<std::byte> to(2 * page);
    EXPECT_THROW(read_memory(getpid(), from, to.data(), static_cast<Index>(2 * page)), Error);
    munmap(from, page);
}

}  // namespace

}  // namespace weft::core
