// Slices as MPI datatypes, where their elements or bytes are more than an int counts.
#include <gtest/gtest.h>
#include <mpi.h>

#include <vector>

#include "net/mpi_type.hpp"

namespace weft::core {
namespace {

struct Sizes {
    MPI_Count bytes = 0;   ///< of the elements
    MPI_Count begin = 0;   ///< bytes before the first one
    MPI_Count extent = 0;  ///< bytes from the first one to the end of the last one
    bool operator==(const Sizes&) const = default;
};

Sizes sizes_of(const std::vector<Slice>& slices, Index element_bytes, Index chunk) {
    const SliceType type(slices, element_bytes, chunk);
    Sizes sizes;
    MPI_Type_size_x(type.get(), &sizes.bytes);
    MPI_Type_get_true_extent_x(type.get(), &sizes.begin, &sizes.extent);
    return sizes;
}

constexpr Index most = 2147483647;

TEST(SliceTypes, HaveMoreBytesAndElementsThanAnIntCounts) {
    constexpr Index many = (Index{1} << 33) + 3;
    // Contiguous; every third one; rows of a plane, whose steps have more bytes than an int counts.
    EXPECT_EQ(sizes_of({{5, {{many, 1}}}}, 16, most), (Sizes{16 * many, 80, 16 * many}));
    EXPECT_EQ(sizes_of({{0, {{many, 3}}}}, 8, most), (Sizes{8 * many, 0, 8 * (3 * many - 2)}));
    EXPECT_EQ(sizes_of({{1, {{4, many}, {7, 1}}}}, 8, most),
              (Sizes{8 * 28, 8, 8 * (3 * many + 7)}));
    EXPECT_EQ(sizes_of({{0, {{2, 1}}}, {many, {{2, 1}}}}, 8, most), (Sizes{32, 0, 8 * (many + 2)}));
}

// Runs of more steps than MPI is trusted with are runs of runs, and a rest.
TEST(SliceTypes, AreCutInChunks) {
    for (const Index chunk : {Index{2}, Index{3}, Index{10}, most}) {
        for (const Index count : {1, 2, 3, 9, 10, 11, 97}) {
            EXPECT_EQ(sizes_of({{1, {{count, 5}, {2, 1}}}}, 4, chunk),
                      (Sizes{8 * count, 4, 4 * (5 * count - 3)}))
                << count << " in chunks of " << chunk;
        }
    }
}

}  // namespace
}  // namespace weft::core
