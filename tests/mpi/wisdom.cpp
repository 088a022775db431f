// Plans that are remembered and found again: the same on all ranks, whatever the files are like.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "api/known_plan.hpp"
#include "api/wisdom_store.hpp"
#include "expect.hpp"
#include "fft/engine.hpp"
#include "net/agree.hpp"
#include "net/node_ranks.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

/// Each test has a folder; WEFT_WISDOM names a file in it.
class KnownPlans : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "weft-wisdom-XXXXXX";
        if (world_rank() == 0 && mkdtemp(name.data()) == nullptr) name = "no folder";
        folder_ = core::broadcast_text(MPI_COMM_WORLD, 0, name);
        use(file());
        forget_wisdom("*", "*");
        nodes_ = core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD);
    }
    void TearDown() override {
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0) fs::remove_all(folder_);
        unsetenv("WEFT_WISDOM");
    }

    static void use(const std::string& path) { setenv("WEFT_WISDOM", path.c_str(), 1); }
    [[nodiscard]] std::string folder() const { return folder_; }
    [[nodiscard]] std::string file() const { return folder_ + "/wisdom.jsonl"; }

    [[nodiscard]] KnownPlan find(const PlanQuestion& question) const {
        return known_plan(MPI_COMM_WORLD, nodes_, question);
    }
    [[nodiscard]] std::optional<std::string> remember(const PlanQuestion& question,
                                                      const Choice& best) const {
        return remember_plan(MPI_COMM_WORLD, nodes_, question, best, evidence());
    }
    static core::Evidence evidence() {
        return {"", "measure", 0.5, 4, {2e-3, 1.9e-3, 2.2e-3, 9}, {}};
    }
    /// The process forgets, the file does not.
    void as_a_new_process() const {
        use("");
        forget_wisdom("*", "*");
        use(file());
    }
    /// Rank 0 changes each line of the file, of which all ranks wait for the end.
    void change_file(const std::function<std::string(const std::string&)>& change) const {
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0) {
            std::ifstream before(file());
            std::string text{std::istreambuf_iterator<char>(before), {}};
            std::ofstream(file()) << change(text);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }

  private:
    std::string folder_;
    core::Topology nodes_;
};

PlanQuestion question(const std::string& problem, const std::string& constraint = "",
                      const std::string& tuning = "measure") {
    return {parse_problem(problem), parse_choice(constraint), "", tuning};
}

Choice complete(const std::string& problem, const std::string& choice) {
    return Plan::for_ranks(world_size(), problem + "; " + choice).choice();
}

void expect_same_on_all_ranks(const KnownPlan& known) {
    core::require_same(MPI_COMM_WORLD, "what is known", [&] {
        return fmt::format("{} / {} / {} / {}", known.choice ? to_string(*known.choice) : "",
                           known.start ? to_string(*known.start) : "", known.why,
                           fmt::join(known.troubles, "\n"));
    });
}

TEST_F(KnownPlans, AreFoundByTheNextProcess) {
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    const Choice best = complete("c2c:f64:8x6x4", "via=alltoallv");
    EXPECT_EQ(remember(asked, best), std::nullopt);
    as_a_new_process();
    const KnownPlan known = find(asked);
    expect_same_on_all_ranks(known);
    ASSERT_TRUE(known.choice);
    EXPECT_EQ(*known.choice, best);
    EXPECT_EQ(known.why, "");
    ASSERT_TRUE(known.entry);
    EXPECT_EQ(known.entry->evidence.winner, evidence().winner);
    EXPECT_EQ(require_known(known), best);
}

TEST_F(KnownPlans, AreKnownToThisProcessWithoutAFile) {
    use("");
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    EXPECT_EQ(remember(asked, complete("c2c:f64:8x6x4", "")), std::nullopt);
    EXPECT_TRUE(find(asked).choice);
}

/// A line may have been edited or merged from elsewhere: its key says one thing, its choice
/// another.
TEST_F(KnownPlans, KeepToTheConstraint) {
    const PlanQuestion asked = question("c2c:f64:8x6x4", "via=alltoallv; pack=sender");
    EXPECT_EQ(remember(asked, complete("c2c:f64:8x6x4", "via=alltoallv; pack=sender")),
              std::nullopt);
    as_a_new_process();
    EXPECT_TRUE(find(asked).choice);
    change_file([](std::string text) {
        const std::size_t at = text.find("via=alltoallv;", text.find("\"choice\""));
        return text.replace(at, 14, "via=pairwise;");
    });
    as_a_new_process();
    const KnownPlan known = find(asked);
    expect_same_on_all_ranks(known);
    if (world_size() == 1) return;  // Nothing is exchanged.
    EXPECT_FALSE(known.choice);
    EXPECT_NE(known.why.find("breaks the constraint 'via=alltoallv"), std::string::npos)
        << known.why;
}

/// A line may leave open what a plan has to say.
TEST_F(KnownPlans, AreCompleteWhereALineIsNot) {
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    const Choice best = complete("c2c:f64:8x6x4", "");
    EXPECT_EQ(remember(asked, best), std::nullopt);
    change_file([&](std::string text) {
        const std::string item = "engine=" + best.engine + "; ";
        return text.replace(text.find(item, text.find("\"choice\"")), item.size(), "");
    });
    as_a_new_process();
    const KnownPlan known = find(asked);
    ASSERT_TRUE(known.choice) << known.why;
    EXPECT_EQ(known.choice->engine, best.engine);
}

TEST_F(KnownPlans, AreAQuestionOfConstraintAndEffort) {
    const Choice best = complete("c2c:f64:8x6x4", "via=alltoallv");
    EXPECT_EQ(remember(question("c2c:f64:8x6x4"), best), std::nullopt);
    for (const PlanQuestion& other :
         {question("c2c:f64:8x6x4", "engine=reference"), question("c2c:f64:8x6x4", "", "patient"),
          question("c2c:f64:9x6x4")}) {
        const KnownPlan known = find(other);
        expect_same_on_all_ranks(known);
        EXPECT_FALSE(known.choice);
        EXPECT_EQ(known.start, best);
        EXPECT_NE(known.why, "");
    }
}

TEST_F(KnownPlans, WhereNothingIsKnownFrozenFails) {
    const KnownPlan known = find(question("c2c:f64:8x6x4", "", "frozen"));
    EXPECT_FALSE(known.choice);
    EXPECT_FALSE(known.start);
    expect_collective_error([&] { (void)require_known(known); }, ErrorCode::not_available,
                            {"tuning=frozen", "c2c:f64:8x6x4", "tuning=measure"});
}

// Of an engine that measures; frozen plans take what it has learned, and measure nothing.
TEST_F(KnownPlans, FrozenOnesMeasureNothing) {
    const auto builds = [] {
        try {
            return !complete("c2c:f64:8x6x4", "engine=fftw").engine.empty();
        } catch (const Error&) {
            return false;
        }
    };
    if (!builds()) GTEST_SKIP() << "needs FFTW";
    const std::string text = "c2c:f64:8x6x4; engine=fftw; effort=measure";
    Plan plan = Plan::parse(text, MPI_COMM_WORLD);
    (void)plan.bind();
    EXPECT_EQ(remember(question("c2c:f64:8x6x4"), plan.choice()), std::nullopt);
    as_a_new_process();
    const KnownPlan known = find(question("c2c:f64:8x6x4"));
    ASSERT_TRUE(known.entry);
    ASSERT_TRUE(known.entry->engines.contains("fftw"));
    EXPECT_TRUE(known.entry->engines.at("fftw").starts_with("(fftw-3"));
    EXPECT_EQ(known.choice->effort, Effort::measure);
    const KnownPlan frozen = find(question("c2c:f64:8x6x4", "", "frozen"));
    ASSERT_TRUE(frozen.choice);
    EXPECT_EQ(frozen.choice->effort, Effort::estimate);
}

// Ranks with other parts than rank 0 need not measure either.
TEST_F(KnownPlans, TeachTheEngineOfEveryRank) {
    const auto forgets = [] {
        for (const core::EngineInfo& info : core::engines()) {
            if (info.name == "fftw" && !info.built_in) return false;
        }
        void* function = dlsym(RTLD_DEFAULT, "fftw_forget_wisdom");
        if (function != nullptr) reinterpret_cast<void (*)()>(function)();
        return function != nullptr;
    };
    const auto learned = [] {
        const std::string text = core::engine("fftw").export_wisdom();
        return std::count(text.begin(), text.end(), '\n');
    };
    if (!forgets()) GTEST_SKIP() << "needs FFTW";
    const std::string text = "c2c:f64:7x6x5; engine=fftw; effort=measure";
    const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
    (void)plan.bind();
    const PlanQuestion asked{plan.problem(), {}, "", "measure"};
    EXPECT_EQ(remember(asked, plan.choice()), std::nullopt);
    as_a_new_process();
    ASSERT_TRUE(forgets());
    const auto nothing = learned();
    const KnownPlan known = find(asked);
    ASSERT_TRUE(known.choice);
    const auto taught = learned();
    EXPECT_GT(taught, nothing);
    (void)Plan(asked.problem, MPI_COMM_WORLD, *known.choice).bind();
    EXPECT_EQ(learned(), taught);
}

TEST_F(KnownPlans, RankZerosWisdomCounts) {
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    const Choice best = complete("c2c:f64:8x6x4", "via=alltoallv");
    EXPECT_EQ(remember(asked, best), std::nullopt);
    as_a_new_process();
    if (world_rank() != 0) use(folder() + "/other.jsonl");
    EXPECT_EQ(find(asked).choice, best);
    use(world_rank() == 0 ? folder() + "/other.jsonl" : file());
    const KnownPlan known = find(asked);
    expect_same_on_all_ranks(known);
    EXPECT_FALSE(known.choice);
}

TEST_F(KnownPlans, PassOverEntriesThatPlanNothing) {
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    EXPECT_EQ(remember(asked, complete("c2c:f64:8x6x4", "")), std::nullopt);
    as_a_new_process();
    change_file([](const std::string& text) {
        const std::size_t at = text.find(R"("choice":")");
        return text.substr(0, at) + R"("choice":"decomposition=pencil(7x9))" +
               text.substr(text.find('"', at + 10));
    });
    const KnownPlan known = find(asked);
    expect_same_on_all_ranks(known);
    EXPECT_FALSE(known.choice || known.start);
    EXPECT_NE(known.why.find("cannot be used"), std::string::npos) << known.why;
}

TEST_F(KnownPlans, PassOverGarbage) {
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    const Choice best = complete("c2c:f64:8x6x4", "");
    EXPECT_EQ(remember(asked, best), std::nullopt);
    as_a_new_process();
    change_file([](const std::string& text) {
        return std::string("\x00\xff\xfe{\n", 5) + text + text.substr(0, text.size() / 2);
    });
    EXPECT_EQ(find(asked).choice, best);
    const KnownPlan known = find(question("c2c:f64:9x6x4"));
    expect_same_on_all_ranks(known);
    EXPECT_EQ(known.start, best);
    ASSERT_EQ(known.troubles.size(), 2U);
    EXPECT_NE(known.troubles[0].find("wisdom.jsonl, line 1: "), std::string::npos);
    EXPECT_NE(known.troubles[1].find("line 3"), std::string::npos);
    change_file([](const std::string& /*text*/) { return std::string(); });
    const KnownPlan empty = find(asked);
    EXPECT_FALSE(empty.choice);
    EXPECT_TRUE(empty.troubles.empty());
}

TEST_F(KnownPlans, GoOnWithoutTheFile) {
    use(folder());  // A folder can be neither read nor written.
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    const KnownPlan nothing = find(asked);
    expect_same_on_all_ranks(nothing);
    ASSERT_EQ(nothing.troubles.size(), 1U);
    EXPECT_NE(nothing.troubles[0].find(folder()), std::string::npos);
    const Choice best = complete("c2c:f64:8x6x4", "via=alltoallv");
    const std::optional<std::string> trouble = remember(asked, best);
    ASSERT_TRUE(trouble);
    core::require_same(MPI_COMM_WORLD, "the trouble", [&] { return *trouble; });
    EXPECT_NE(trouble->find("WEFT_WISDOM"), std::string::npos) << *trouble;
    EXPECT_EQ(find(asked).choice, best);
}

TEST_F(KnownPlans, SystemsFileIsReadToo) {
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    const Choice best = complete("c2c:f64:8x6x4", "via=alltoallv");
    use(folder() + "/system/weft/wisdom.jsonl");
    EXPECT_EQ(remember(asked, best), std::nullopt);
    as_a_new_process();
    EXPECT_FALSE(find(asked).choice);
    unsetenv("WEFT_WISDOM");
    setenv("XDG_DATA_HOME", (folder() + "/user").c_str(), 1);
    setenv("XDG_DATA_DIRS", ("relative:/nowhere:" + folder() + "/system").c_str(), 1);
    EXPECT_EQ(find(asked).choice, best);
    const Choice better = complete("c2c:f64:8x6x4", "via=alltoallw");
    EXPECT_EQ(remember(question("c2c:f64:9x6x4"), better), std::nullopt);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(fs::exists(folder() + "/user/weft/wisdom.jsonl"));
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_DATA_DIRS");
}

// The public functions.
TEST_F(KnownPlans, ComeAsTextAndGo) {
    const PlanQuestion asked = question("c2c:f64:8x6x4");
    const Choice best = complete("c2c:f64:8x6x4", "via=alltoallv");
    EXPECT_EQ(remember(asked, best), std::nullopt);
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string text = wisdom::export_text();
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_LE(wisdom::forget("c2c:*"), 1);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(wisdom::export_text(), "");
    EXPECT_FALSE(find(asked).choice);
    const wisdom::Imported imported = wisdom::import_text(text + "nonsense");
    EXPECT_EQ(imported.entries, 1);
    ASSERT_EQ(imported.skipped.size(), 1U);
    EXPECT_TRUE(imported.skipped.front().starts_with("line 2: ")) << imported.skipped.front();
    EXPECT_EQ(find(asked).choice, best);
    EXPECT_EQ(wisdom::forget("r2c:*"), 0);
    EXPECT_EQ(wisdom::forget("*", "*weft=" + version()), 1);
}

}  // namespace
}  // namespace weft::test
