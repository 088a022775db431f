// What ranks agree on of the letters that they have learned, on processors of two kinds.
#include <fmt/format.h>

#include <string>

#include "api/engine_wisdom.hpp"
#include "expect.hpp"
#include "fft/engine.hpp"
#include "set_variable.hpp"

namespace weft::test {
namespace {

/// The native engine looks once which processor it is on: here.
TEST(Learned, RanksOfOneProcessorKnowWhatTheLowestOfThemKnows) {
    const int rank = world_rank();
    const bool odd = rank % 2 == 1;
    const SetVariable processor("WEFT_PROCESSOR", odd ? "Made up" : "Another");
    const core::FftEngine& native = core::native_engine();
    const std::string head = "weft lines 1, " + core::native_learns_for() + "\n";

    agree_on_learned(MPI_COMM_WORLD);
    EXPECT_EQ(native.export_wisdom(), "") << "nobody has learned anything";

    // The lowest rank of a kind did not get to lines of 64; the others know another letter of 60.
    const bool lowest = rank < 2;
    const std::string first = head + fmt::format("f64 lines 60 {}\n", odd ? 'T' : 'A');
    const std::string others = head + "f64 lines 60 S\nf64 lines 64 T\n";
    EXPECT_TRUE(native.import_wisdom(lowest ? first : others));
    agree_on_learned(MPI_COMM_WORLD);
    EXPECT_EQ(native.export_wisdom(), first);

    // The lowest rank of one kind knows nothing.
    if (odd && lowest) core::forget_native_wisdom();
    agree_on_learned(MPI_COMM_WORLD);
    EXPECT_EQ(native.export_wisdom(), odd ? "" : first);
}

TEST(Learned, OfAnEntryOfWisdomWhatThisProcessDoesNotKnow) {
    const core::FftEngine& native = core::native_engine();
    const std::string head = "weft lines 1, " + core::native_learns_for() + "\n";
    core::forget_native_wisdom();
    if (world_rank() == 0) {
        EXPECT_TRUE(native.import_wisdom(head + "f64 lines 60 T\n"));
    }
    const Choice choice = parse_choice("engine=native");
    core::WisdomEntry entry;
    entry.engines["native"] = head + "f64 lines 60 A\nf64 lines 64 A\n";
    teach_engine(MPI_COMM_WORLD, choice, entry);
    // Rank 1 is of another processor, for which nothing was known.
    const bool first = core::native_learns_for().starts_with("Another");
    EXPECT_EQ(native.export_wisdom(),
              head + fmt::format("f64 lines 60 {}\nf64 lines 64 A\n", first ? 'T' : 'A'));
}

}  // namespace
}  // namespace weft::test
