// Prices and memory of plans in many tiles, by programs of a few.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "model/machine_file.hpp"
#include "model/operation_seconds.hpp"
#include "model/price.hpp"
#include "model/sketch.hpp"
#include "plan/fuse.hpp"
#include "plan/plan.hpp"
#include "program/lower.hpp"
#include "tune/estimate.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Plans, most of them in many tiles or sub-tiles.
class DrawnPlan {
  public:
    explicit DrawnPlan(unsigned seed) : draw_(seed) {}

    std::string text() {
        return fmt::format(
            "{}:f64:{}x{}x{}{}{}; ranks={}; decomposition={}; pack={}; via={}; tile={}",
            of({"c2c", "r2c", "c2r"}), below(20, 60), below(60, 200), below(60, 200),
            of({"", "", "*2", " in_place"}), of({"", "", " cut=block"}), below(2, 6),
            of({"slab", "pencil"}), of({"sender", "fused"}), of({"isend-waitall", "ialltoallv"}),
            tiling());
    }
    int below(int begin, int count) {
        return begin + static_cast<int>(draw_() % static_cast<unsigned>(count));
    }

  private:
    std::string of(const std::vector<std::string>& all) { return all[draw_() % all.size()]; }
    std::string tiling() {
        std::string text =
            fmt::format("(axis:{},T:{},W:{}", of({"1", "2"}), of({"1", "1", "2", "3"}),
                        of({"0", "1", "1", "2", "3", "1000"}));
        if (below(0, 3) == 0) {
            text += fmt::format(",Px:{},Uy:{}", of({"1", "2", "5"}), of({"1", "3"}));
        }
        return text + ",F:" + of({"0", "1", "5"}) + of({"", "", ",strict", ",late"}) + ")";
    }

    std::mt19937 draw_;
};

TEST(Sketch, TellsWhatTheWholeProgramTakes) {
    const std::array<Machine, 2> machines = {named_machine("default"), named_machine("summit")};
    int left_out = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        DrawnPlan drawn(seed);
        const std::string text = drawn.text();
        Plan plan;
        try {
            plan = parse_plan(text);
        } catch (const Error&) {
            continue;  // pack=fused has no sub-tiles
        }
        if (!plan.pipeline) continue;
        const Machine& machine = machines[seed % 2];
        const Environment environment = environment_on(plan, machine);
        const Plan fused = fuse(plan, environment);
        const Site site{machine, plan.ranks};
        const int rank = drawn.below(0, plan.ranks);
        const Program whole = lower(fused, rank, environment);
        const double exact = price(whole, fused, site, stage_bytes(whole, fused)).seconds();
        const double told = Sketch(fused, rank, environment).price(fused, site).seconds();
        EXPECT_NEAR(told, exact, 0.01 * exact) << text << " rank " << rank;
        const Memory memory = memory_of(whole, lower(reverse(plan), rank, environment.reversed()));
        EXPECT_EQ(memory_of(plan, rank, environment), memory) << text << " rank " << rank;
        const Memory about = memory_of_few_tiles(plan, rank, environment);
        const auto bytes = static_cast<double>(memory.workspace_bytes);
        EXPECT_NEAR(static_cast<double>(about.workspace_bytes), bytes, 0.15 * bytes)
            << text << " rank " << rank;
        EXPECT_EQ(about.region_bytes, memory.region_bytes);
        if (tile_samples(plan).leave_out()) ++left_out;
    }
    EXPECT_GT(left_out, 30);
}

// Where ranks have tiles of other lengths none are left out.
TEST(Sketch, LeavesNoUnevenTilesOut) {
    const std::string tiled = "; decomposition=slab; via=isend-waitall; tile=(axis:2,T:1)";
    const auto leaves_out = [&](const std::string& text) {
        return tile_samples(parse_plan(text + tiled)).leave_out();
    };
    EXPECT_TRUE(leaves_out("c2c:f64:64x64x64; ranks=2"));
    EXPECT_FALSE(leaves_out("c2c:f64:64x64x64 in=slab(2) cut=block; ranks=2"));
    EXPECT_FALSE(
        leaves_out("c2c:f64:64x64x64 in=boxes([0:64,0:64,0:50]|[0:64,0:64,50:64]); "
                   "ranks=2"));
}

TEST(Sketch, ExtendsTheExampleOfItsHeader) {
    const TileSamples samples{{}, {2048, 5, 9}};
    const auto microseconds = of_all_tiles<double>(samples, [](const TileCounts& counts) {
        return std::vector<double>{counts.tiles == 5 ? 40.0 : 68.0};
    });
    EXPECT_EQ(microseconds, std::vector<double>{14341});
}

/// Work is counted, not timed.
Index lowered_by(const auto& work) {
    const Index before = lowered_so_far();
    work();
    return lowered_so_far() - before;
}

TEST(Sketch, CostsTheSameHoweverManyTilesThereAre) {
    const Machine machine = named_machine("default");
    for (const char* text :
         {"c2c:f64:2048x2048x2048; ranks=256; decomposition=slab; via=isend-waitall; pack=sender; "
          "tile=(axis:2,W:0,F:0)",
          "c2c:f64:2048x2048x2048; ranks=256; decomposition=slab; via=isend-waitall; pack=sender; "
          "tile=(axis:2,T:16,W:2,Px:1,Pz:1,Uy:1,Uz:1,F:1)",
          "c2c:f64:1000000x64x64; ranks=16; tile=(axis:0,T:4,progress:thread); via=ialltoallv; "
          "threads=4",
          "c2c:f64:4096x4096x4096; ranks=16; decomposition=slab; pack=sender; "
          "tile=(axis:2,W:1,F:8)"}) {
        const Plan plan = parse_plan(text);
        EXPECT_LT(lowered_by([&] { price(plan, machine); }), 250000) << text;
        EXPECT_LT(lowered_by([&] { memory_of_few_tiles(plan, 0); }), 250000) << text;
    }
}

}  // namespace

}  // namespace weft::core
