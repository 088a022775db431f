// The ways of the native engine to transform complex lines: each on each instruction set against
// the DFT by its definition, and the letters of what was measured to be the fastest.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "fft/native/lines/learn.hpp"
#include "fft/native/lines/rules.hpp"
#include "unit/fft_trial.hpp"

namespace weft::core::native {

namespace {

using test::Trial;

/// An engine that knows one rule and one instruction set.
template <class T>
class RuleEngine : public FftEngine {
  public:
    RuleEngine(const LinesRule<T>& rule, const Kernels<T>& kernels)
        : rule_(rule), kernels_(kernels) {}
    [[nodiscard]] std::string_view name() const override { return rule_.name; }
    [[nodiscard]] std::unique_ptr<FftPlan> plan(const FftTask& task, Effort /*effort*/,
                                                std::byte* /*from*/,
                                                std::byte* /*to*/) const override {
        return rule_.offer({task, kernels_}).make();
    }

  private:
    const LinesRule<T>& rule_;
    const Kernels<T>& kernels_;
};

/// How elements of fields of lines lie on both sides: which is slowest, ..., fastest.
struct Order {
    std::vector<std::size_t> from;
    std::vector<std::size_t> to;
};

/// Axis 0 is the line, 1 the fields, 2 lines.
const std::vector<Order> orders = {{{2, 1, 0}, {2, 1, 0}},
                                   {{1, 0, 2}, {1, 0, 2}},
                                   {{2, 1, 0}, {1, 0, 2}},
                                   {{1, 0, 2}, {2, 1, 0}},
                                   {{2, 0, 1}, {2, 0, 1}}};

template <class T>
Trial trial_of(Random& random, const Order& order, Index n, Index fields, Index lines) {
    Trial trial;
    trial.task.line.precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
    trial.task.line.sign = random.once_in(2) ? -1 : 1;
    trial.task.set_axes({{n, 1, 1}});
    trial.task.looped = {{fields, 1, 1}, {lines, 1, 1}};
    test::draw_values(random, trial, {n, fields, lines});
    trial.from.set_dense(order.from);
    trial.to.set_dense(order.to);
    test::set_loops(trial);
    return trial;
}

/// Which rules a trial was checked by.
template <class T>
void check_all(const Trial& trial, std::vector<int>& used) {
    const auto& rules = lines_rules<T>();
    used.resize(rules.size());
    for (const Kernels<T>* kernels : all_kernels<T>()) {
        for (std::size_t r = 0; r < rules.size(); ++r) {
            if (rules[r].offer({trial.task, *kernels}).against != nullptr) continue;
            SCOPED_TRACE(fmt::format("{} of {}: {}", rules[r].name, kernels->target,
                                     test::text_of(trial.task)));
            test::check(RuleEngine<T>(rules[r], *kernels), Effort::estimate, trial);
            if (::testing::Test::HasFatalFailure()) return;
            ++used[r];
        }
    }
}

template <class T>
class NativeRules : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NativeRules, Numbers, );

TYPED_TEST(NativeRules, EachIsRightOnEachInstructionSet) {
    Random random(37);
    std::vector<int> used;
    for (const Index n : {2, 5, 8, 12, 30, 32, 60, 64, 97, 100, 160, 200}) {
        for (const Order& order : orders) {
            // Few lines, and several vectors with a rest.
            for (const auto& [fields, lines] : {std::pair(2, 1), {3, 37}}) {
                check_all<TypeParam>(trial_of<TypeParam>(random, order, n, fields, lines), used);
                if (this->HasFatalFailure()) return;
            }
        }
    }
    for (std::size_t r = 0; r < used.size(); ++r) {
        const auto& rule = lines_rules<TypeParam>()[r];
        const bool vectors = all_kernels<TypeParam>().size() > 1;
        if (!vectors || rule.letter == 'X') continue;
        EXPECT_GT(used[r], 0) << rule.name;
    }
}

TYPED_TEST(NativeRules, FieldsBetweenElementsGoBeforeWhatWasMeasuredWithout) {
    const auto& kernels = best_kernels<TypeParam>();
    for (const Index n : measured_lengths()) {
        for (const Index fields : {2, 3, 7, 11}) {
            FftTask task{.from_step = fields,
                         .to_step = fields,
                         .looped = {{fields, 1, 1}, {64, fields * n, fields * n}}};
            task.line.precision = sizeof(TypeParam) == 8 ? Precision::f64 : Precision::f32;
            task.line.length = n;
            if (field_lines<TypeParam>({task, kernels}).against != nullptr) continue;
            EXPECT_EQ(choose_lines(task, kernels).rule->name, "fields") << fields << " of " << n;
        }
    }
}

TYPED_TEST(NativeRules, TheMeasuredOnesAreKnown) {
    for (const Index n : measured_lengths()) {
        for (const bool far : {false, true}) {
            FftTask task{.looped = {{64, n, n}}};
            task.line.precision = sizeof(TypeParam) == 8 ? Precision::f64 : Precision::f32;
            task.line.length = n;
            task.caches.far_from = far;
            const auto& kernels = best_kernels<TypeParam>();
            const char letter = fastest(LineCase<TypeParam>{task, kernels});
            const auto& rules = lines_rules<TypeParam>();
            const bool known = std::any_of(rules.begin(), rules.end(), [&](const auto& rule) {
                return rule.letter == std::toupper(static_cast<unsigned char>(letter));
            });
            EXPECT_TRUE(letter == '.' || known) << letter << " for " << n;
            const auto choice = choose_lines(task, kernels);
            EXPECT_EQ(choice.rule->offer({task, *choice.kernels}).against, nullptr) << n;
        }
    }
}

/// Transforms where Highway finds no vectors, as on a processor that is older than the build's.
[[noreturn]] void transform_without_vectors() {
    hwy::SetSupportedTargetsForTest(HWY_SCALAR);
    Random random(38);
    for (const Index n : {8, 30, 97, 200}) {
        for (const Order& order : orders) {
            test::check(native_engine(), Effort::estimate,
                        trial_of<double>(random, order, n, 2, 3));
        }
    }
    fmt::print(stderr, "by {}", native_instruction_set());
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
}

TEST(NativeTargetsDeathTest, AnotherMachineThatHasNoneOfTheVectorsTakesScalars) {
    if (std::getenv("WEFT_VECTORS") != nullptr) GTEST_SKIP() << "WEFT_VECTORS names one";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(transform_without_vectors(), ::testing::ExitedWithCode(0), "by SCALAR");
}

/// Of contiguous lines of that length, in the caches.
char taken(Index n, bool reproducible = false) {
    FftTask task{.looped = {{64, n, n}}};
    task.line.length = n;
    task.line.reproducible = reproducible;
    return choose_lines(task, best_kernels<double>()).rule->letter;
}

/// On a processor that nobody knows: learns, and prefers what it was told.
[[noreturn]] void learn_here() {
    ::setenv("WEFT_PROCESSOR", "Made up", 1);
    const FftEngine& native = native_engine();
    EXPECT_EQ(native.export_wisdom(), "");
    const std::vector<Index> lengths = {30, 64, 97};
    native.learn(Precision::f64, lengths, 0);
    EXPECT_EQ(native.export_wisdom(), "") << "in no time";
    native.learn(Precision::f64, lengths, 60);
    const std::string text = native.export_wisdom();
    const std::string head = fmt::format("weft lines 1, Made up, {}\n", native_instruction_set());
    EXPECT_TRUE(text.starts_with(head)) << text;
    for (const char* known : {"f64 lines 30 ", "f64 lanes 64 ", "f64 crowded_lanes 30 "}) {
        EXPECT_NE(text.find(known), std::string::npos) << known << text;
    }
    EXPECT_EQ(text.find(" 97 "), std::string::npos) << "of products of 2, 3, 5 and 7 only" << text;
    EXPECT_TRUE(native.import_wisdom(text));
    EXPECT_EQ(native.export_wisdom(), text);

    EXPECT_TRUE(native.import_wisdom(head + "f64 lines 30 C\nf64 lines 60 T\n"));
    EXPECT_EQ(native.export_wisdom().find("f64 lines 30 C"), std::string::npos)
        << "what was learned stays";
    EXPECT_EQ(taken(60), 'T');
    EXPECT_NE(taken(60, true), '\0') << "reproducible lines do not look at it";
    forget_native_wisdom();
    EXPECT_EQ(native.export_wisdom(), "");
    EXPECT_NE(taken(60), 'T');
    EXPECT_TRUE(native.import_wisdom("weft lines 1, Another, AVX9\nf64 lines 60 T\n"));
    EXPECT_NE(taken(60), 'T') << "of another processor";
    for (const char* wrong :
         {"f64 lines 60\n", "f16 lines 60 T\n", "f64 rows 60 T\n", "f64 lines 60 7\n"}) {
        EXPECT_FALSE(native.import_wisdom(head + wrong)) << wrong;
    }
    EXPECT_FALSE(native.import_wisdom("weft lines 2, Made up, AVX2\n"));
    fmt::print(stderr, "learned");
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
}

TEST(NativeRulesDeathTest, AnUnknownProcessorIsLearned) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(learn_here(), ::testing::ExitedWithCode(0), "learned");
}

TEST(NativeRulesTable, TheProcessorIsTheOneThatLinuxNames) {
    if (about_processor("vendor_id").empty()) GTEST_SKIP() << "Linux names none";
    const ProcessorId id = processor_id();
    EXPECT_EQ(id.vendor, about_processor("vendor_id"));
    EXPECT_EQ(std::to_string(id.family), about_processor("cpu family"));
    EXPECT_EQ(std::to_string(id.model), about_processor("model"));
}

TEST(NativeRulesTable, ProcessorsOfOneCoreHaveOneName) {
    EXPECT_EQ(processor_key({"AuthenticAMD", 26, 2}), "AuthenticAMD 26");
    EXPECT_EQ(processor_key({"GenuineIntel", 6, 85}), "GenuineIntel 6 85");
    EXPECT_EQ(processor_key({"GenuineIntel", 6, 207}), "GenuineIntel 6 207");
    EXPECT_EQ(processor_key({"GenuineIntel", 6, 143}), "GenuineIntel 6 207");
    EXPECT_EQ(processor_key({"GenuineIntel", 19, 1}), "GenuineIntel 19");
}

TEST(NativeTargets, WhatIsUsedIsCompiledInAndHere) {
    const auto sets = native_instruction_sets();
    const auto used = std::find_if(sets.begin(), sets.end(), [](const InstructionSet& one) {
        return one.name == native_instruction_set();
    });
    ASSERT_NE(used, sets.end());
    EXPECT_TRUE(used->here);
    EXPECT_EQ(sets.back().name, "SCALAR");
    EXPECT_TRUE(sets.back().here);
}

TEST(NativeRulesTable, AreNamedOnceEach) {
    std::string letters;
    for (const auto& rule : lines_rules<double>()) {
        EXPECT_EQ(letters.find(rule.letter), std::string::npos) << rule.name;
        letters += rule.letter;
    }
}

TEST(NativeRulesTable, LinesThatFillHalfOfAVectorTakeANarrowerOne) {
    const auto& all = competing_kernels<double>();
    if (all.size() < 2 || all[1]->lanes == 1 || all[1]->lanes * 2 != all[0]->lanes) {
        GTEST_SKIP() << "no other vectors";
    }
    FftTask task{.from_step = 2000, .to_step = 2000, .looped = {{all[1]->lanes, 1, 1}}};
    task.line.length = 100;
    EXPECT_EQ(choose_lines(task, *all[0]).kernels, all[1]);
    task.line.reproducible = true;
    EXPECT_EQ(choose_lines(task, *all[0]).kernels, all[0]);
}

TYPED_TEST(NativeRules, OneContiguousLineTakesVectorsThatItFills) {
    const auto& all = competing_kernels<TypeParam>();
    const Index lanes = all[0]->lanes;
    if (lanes * static_cast<Index>(sizeof(TypeParam)) != 64 || all.size() < 2 ||
        all[1]->lanes * 2 != lanes) {
        GTEST_SKIP() << "no vectors of 64 and 32 bytes";
    }
    const auto taken_by = [&](Index n, Index lines, bool reproducible) {
        FftTask task{.looped = {{lines, n, n}}};
        task.line.precision = sizeof(TypeParam) == 8 ? Precision::f64 : Precision::f32;
        task.line.length = n;
        task.line.reproducible = reproducible;
        return choose_lines(task, *all[0]).kernels;
    };
    EXPECT_EQ(taken_by(25 * lanes / 2, 1, false), all[1]);
    EXPECT_EQ(taken_by(100, 1, false), all[1]);
    EXPECT_EQ(taken_by(26 * lanes / 2, 1, false), all[0]);
    EXPECT_EQ(taken_by(25 * lanes / 2, 1, true), all[0]);
    EXPECT_EQ(taken_by(81, 1, false), all[0]) << "not a multiple of 4";
    EXPECT_EQ(taken_by(75 * lanes + 4, 1, false) == all[1], lanes == 8) << "long, and half of 8";
    EXPECT_EQ(taken_by(1000 * lanes + 4, lanes / 2, false), all[0]) << "several lines";
}

}  // namespace

}  // namespace weft::core::native
