// What engines learn by planning, as text.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/engines.hpp"
#include "fft/engine.hpp"
#include "memory/buffer.hpp"
#include "unit/fft_trial.hpp"

namespace weft::core {

namespace {

/// FFTW's lines have no order.
std::set<std::string> lines_of(const std::string& text) {
    std::set<std::string> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result.insert(line);
    return result;
}

/// FFTW forgets, as if the process were a new one; false: there is no FFTW.
bool fftw_forgets() {
    const std::vector<std::string> engines = test::built_in();
    if (std::find(engines.begin(), engines.end(), "fftw") == engines.end()) return false;
    for (const char* name : {"fftw_forget_wisdom", "fftwf_forget_wisdom"}) {
        void* function = dlsym(RTLD_DEFAULT, name);
        if (function == nullptr) return false;
        reinterpret_cast<void (*)()>(function)();
    }
    return true;
}

/// Plans 16 lines by measuring.
void plan_some(const FftEngine& engine, Precision precision, Index length) {
    FftTask task;
    task.line = {Kind::c2c, -1, precision, length};
    task.looped = {{16, length, length}};
    const Buffer from(16 * length * 16);
    const Buffer to(16 * length * 16);
    (void)engine.plan(task, Effort::measure, from.data(), to.data());
}

/// Of engines that learn nothing there is nothing to tell.
TEST(EngineWisdom, IsOfEnginesThatMeasure) {
    for (const std::string& name : test::built_in()) {
        if (engine_traits(name, "").measures) continue;
        EXPECT_EQ(engine(name).export_wisdom(), "") << name;
        EXPECT_TRUE(engine(name).import_wisdom("")) << name;
        EXPECT_FALSE(engine(name).import_wisdom("(fftw-3.3.10 ..)")) << name;
    }
}

TEST(EngineWisdom, SavesMeasuring) {
    if (!fftw_forgets()) GTEST_SKIP() << "needs FFTW";
    const FftEngine& fftw = engine("fftw");
    const std::set<std::string> nothing = lines_of(fftw.export_wisdom());
    plan_some(fftw, Precision::f64, 96);
    plan_some(fftw, Precision::f32, 60);
    const std::string learned = fftw.export_wisdom();
    EXPECT_GT(lines_of(learned).size(), nothing.size());
    ASSERT_TRUE(fftw_forgets());
    EXPECT_EQ(lines_of(fftw.export_wisdom()), nothing);
    EXPECT_TRUE(fftw.import_wisdom(learned));
    EXPECT_EQ(lines_of(fftw.export_wisdom()), lines_of(learned));
    // Measuring would add something.
    plan_some(fftw, Precision::f64, 96);
    plan_some(fftw, Precision::f32, 60);
    EXPECT_EQ(lines_of(fftw.export_wisdom()), lines_of(learned));
    plan_some(fftw, Precision::f64, 100);
    EXPECT_GT(lines_of(fftw.export_wisdom()).size(), lines_of(learned).size());
}

TEST(EngineWisdom, PassesOverWhatItDoesNotUnderstand) {
    if (!fftw_forgets()) GTEST_SKIP() << "needs FFTW";
    const FftEngine& fftw = engine("fftw");
    plan_some(fftw, Precision::f64, 96);
    const std::string learned = fftw.export_wisdom();
    for (const std::string& text :
         {std::string(), std::string("garbage"), learned.substr(0, learned.size() / 3),
          "(fftw-2.1.5" + learned.substr(12), std::string("((((fftwf_wisdom"),
          std::string("\xff\x00)(", 4)}) {
        EXPECT_FALSE(fftw.import_wisdom(text)) << text;
        EXPECT_EQ(lines_of(fftw.export_wisdom()), lines_of(learned));
    }
}

}  // namespace

}  // namespace weft::core
