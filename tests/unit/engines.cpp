// Serial transforms of every engine against the DFT by its definition.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <filesystem>
#include <numeric>

#include "fft/engine.hpp"
#include "memory/buffer.hpp"
#include "unit/fft_trial.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::built_in;
using test::check;
using test::draw_values;
using test::random_trial;
using test::Side;
using test::text_of;
using test::Trial;

class Engine : public ::testing::TestWithParam<std::string> {};

TEST_P(Engine, TransformsLinesOfAnyLength) {
    Random random(1);
    std::vector<Index> lengths(64);
    std::iota(lengths.begin(), lengths.end(), 1);
    for (const Index prime : {67, 97, 101, 127, 211}) lengths.push_back(prime);
    for (const Index n : lengths) {
        for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
            for (const int sign : {-1, 1}) {
                if (kind != Kind::c2c && sign == (kind == Kind::r2c ? 1 : -1)) continue;
                Trial trial;
                trial.task.line.kind = kind;
                trial.task.line.sign = sign;
                trial.task.set_axes({{n, 1, 1}});
                draw_values(random, trial, {n});
                trial.from.set_dense({0});
                trial.to.set_dense({0});
                SCOPED_TRACE(to_string(kind) + " " + std::to_string(n));
                check(engine(GetParam()), Effort::estimate, trial);
                if (HasFatalFailure()) return;
            }
        }
    }
}

/// Five lines, so that vectors of lanes are not full, or one.
TEST_P(Engine, TransformsRealLinesOfEveryKindAndLength) {
    Random random(8);
    for (Index n = 1; n <= 64; ++n) {
        for (const AxisKind kind : test::real_kinds) {
            if (kind == AxisKind::dct1 && n == 1) continue;
            Trial trial;
            trial.task.line.kind = Kind::r2r;
            trial.task.line.axis = kind;
            trial.task.set_axes({{n, 0, 0}});
            const Index lines = n % 3 == 0 ? 1 : 5;
            trial.task.looped = {{lines, 0, 0}};
            draw_values(random, trial, {n, lines});
            const std::vector<std::size_t> lanes = {0, 1};
            trial.from.set_dense(lanes);
            trial.to.set_dense(n % 2 == 0 ? lanes : std::vector<std::size_t>{1, 0});
            set_loops(trial);
            SCOPED_TRACE(text_of(trial.task));
            check(engine(GetParam()), Effort::estimate, trial);
            if (HasFatalFailure()) return;
        }
    }
}

TEST_P(Engine, TransformsRandomStridedTasks) {
    Random random(2);
    for (int i = 0; i < 400; ++i) {
        const Trial trial = random_trial(random);
        SCOPED_TRACE(text_of(trial.task));
        check(engine(GetParam()), i % 10 == 0 ? Effort::measure : Effort::estimate, trial);
        if (HasFatalFailure()) return;
    }
}

/// Elements of a line are adjacent on both sides, on neither, or where they are written.
enum class Pattern { lines, lanes, permuting };

/// Five lines of n, side by side in memory or one after the other, on each side.
Trial batch_trial(Random& random, Kind kind, Precision precision, Index n, Pattern pattern) {
    Trial trial;
    trial.task.line.kind = kind;
    trial.task.line.sign = kind == Kind::r2c ? -1 : 1;
    trial.task.line.precision = precision;
    trial.task.set_axes({{n, 0, 0}});
    trial.task.looped = {{5, 0, 0}};
    draw_values(random, trial, {n, 5});
    const std::vector<std::size_t> lines = {1, 0};
    const std::vector<std::size_t> lanes = {0, 1};
    trial.from.set_dense(pattern == Pattern::lines ? lines : lanes);
    trial.to.set_dense(pattern == Pattern::lanes ? lanes : lines);
    set_loops(trial);
    return trial;
}

/// Fields that lie in turn between the elements of lines, a few of them to several vectors full, of
/// more and fewer lines than vectors have lanes.
TEST_P(Engine, TransformsFieldsInTurn) {
    Random random(9);
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        for (const Index fields : {2, 3, 5, 8, 13, 30}) {
            for (const Index n : {1, 2, 5, 12, 16, 17, 34}) {
                Trial trial;
                trial.task.line.kind = kind;
                trial.task.line.sign =
                    kind == Kind::r2c || (kind == Kind::c2c && n % 2 == 0) ? -1 : 1;
                trial.task.line.precision = random.once_in(2) ? Precision::f32 : Precision::f64;
                trial.task.set_axes({{n, 0, 0}});
                const Index lines = random.pick<Index>({1, 3, 16, 21});
                trial.task.looped = {{lines, 0, 0}, {fields, 0, 0}};
                draw_values(random, trial, {n, lines, fields});
                const std::vector<std::size_t> in_turn = {1, 0, 2};
                trial.from.set_dense(in_turn);
                trial.to.set_dense(in_turn);
                set_loops(trial);
                SCOPED_TRACE(text_of(trial.task));
                check(engine(GetParam()), Effort::estimate, trial);
                if (HasFatalFailure()) return;
            }
        }
    }
}

/// FFTW by itself crashes on some of these in single precision.
TEST_P(Engine, TransformsLinesAnOddDistanceApart) {
    Random random(7);
    for (const Index n : {2, 4, 6, 8, 10, 16}) {
        for (const Index lines : {2, 4, 8, 9}) {
            for (const Index from : {Index{1}, n + 1}) {
                Trial trial;
                trial.task.line.precision = Precision::f32;
                trial.task.set_axes({{n, 0, 0}});
                trial.task.looped = {{lines, 0, 0}};
                draw_values(random, trial, {n, lines});
                trial.from.strides = {from == 1 ? lines : 1, from};
                trial.to.strides = {1, n + 1};
                trial.from.elements = trial.to.elements = lines * (n + 1);
                set_loops(trial);
                SCOPED_TRACE(text_of(trial.task));
                check(engine(GetParam()), Effort::estimate, trial);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST_P(Engine, TransformsEveryPattern) {
    Random random(3);
    for (const Index n : {2, 64, 105, 150, 233, 256}) {
        for (const Pattern pattern : {Pattern::lines, Pattern::lanes, Pattern::permuting}) {
            for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
                for (const Precision precision : {Precision::f64, Precision::f32}) {
                    Trial trial = batch_trial(random, kind, precision, n, pattern);
                    SCOPED_TRACE(text_of(trial.task));
                    check(engine(GetParam()), Effort::estimate, trial);
                    trial.task.in_place = kind == Kind::c2c && pattern != Pattern::permuting;
                    if (trial.task.in_place) check(engine(GetParam()), Effort::measure, trial);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

/// Real arrays whose rows have the room of n/2+1 complex numbers. The last extent is that of the
/// looped dimension, which is the slowest in memory or lies just above the rows.
Trial real_in_place(Random& random, Kind kind, Precision precision,
                    const std::vector<Index>& extents, bool loop_is_slowest) {
    Trial trial;
    FftTask& task = trial.task;
    task.line.kind = kind;
    task.line.sign = kind == Kind::r2c ? -1 : 1;
    task.line.precision = precision;
    task.in_place = task.may_destroy_input = true;
    const std::size_t loop = extents.size() - 1;
    std::vector<Loop> axes;
    axes.reserve(loop);
    for (std::size_t k = 0; k < loop; ++k) axes.push_back({extents[k], 0, 0});
    task.set_axes(axes);
    task.looped = {{extents[loop], 0, 0}};
    draw_values(random, trial, extents);
    std::vector<std::size_t> order(loop);
    std::iota(order.begin(), order.end(), 0);
    order.insert(loop_is_slowest ? order.begin() : order.end() - 1, loop);
    Side& real = kind == Kind::r2c ? trial.from : trial.to;
    Side& complex = kind == Kind::r2c ? trial.to : trial.from;
    complex.set_dense(order);
    for (const Index stride : complex.strides) real.strides.push_back(2 * stride);
    real.strides[loop - 1] = 1;
    real.elements = 2 * complex.elements;
    set_loops(trial);
    return trial;
}

TEST_P(Engine, TransformsRealDataInPlace) {
    Random random(4);
    for (const std::vector<Index>& extents : std::vector<std::vector<Index>>{
             {6, 8, 3}, {5, 9, 2}, {1, 14, 4}, {4, 1, 2}, {3, 2, 4, 1, 2}, {3, 2, 4, 5, 2}}) {
        for (const Kind kind : {Kind::r2c, Kind::c2r}) {
            for (const Precision precision : {Precision::f64, Precision::f32}) {
                for (const bool loop_is_slowest : {true, false}) {
                    const Trial trial =
                        real_in_place(random, kind, precision, extents, loop_is_slowest);
                    SCOPED_TRACE(text_of(trial.task));
                    check(engine(GetParam()), Effort::estimate, trial);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

TEST_P(Engine, TransformsNoLinesAtAll) {
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        FftTask task;
        task.line.kind = kind;
        task.line.sign = kind == Kind::c2r ? 1 : -1;
        task.set_axes({{8, 1, 1}});
        task.looped = {{0, 16, 16}};
        std::array<std::complex<double>, 8> from{};
        std::array<std::complex<double>, 8> to{};
        to.fill(7);
        auto* source = reinterpret_cast<std::byte*>(from.data());
        auto* target = reinterpret_cast<std::byte*>(to.data());
        engine(GetParam()).plan(task, Effort::estimate, source, target)->execute(source, target);
        EXPECT_EQ(std::count(to.begin(), to.end(), std::complex<double>(7)), 8);
    }
}

std::ptrdiff_t threads() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST_P(Engine, StartsNoThreads) {
    FftTask task;
    task.set_axes({{64, 4096, 4096}, {64, 64, 64}, {64, 1, 1}});
    const Buffer from(64 * 64 * 64 * 16);
    const Buffer to(from.bytes());
    std::fill_n(from.data(), from.bytes(), std::byte{0});
    const std::ptrdiff_t before = threads();
    const auto plan = engine(GetParam()).plan(task, Effort::estimate, from.data(), to.data());
    plan->execute(from.data(), to.data());
    // Less where one that an earlier test had joined was still listed.
    EXPECT_LE(threads(), before);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, Engine, ::testing::ValuesIn(built_in()),
                         [](const auto& instance) { return instance.param; });

TEST(Engines, AreKnownByName) {
    EXPECT_EQ(resolve_engine("reference"), "reference");
    EXPECT_EQ(resolve_engine(""), built_in().front());
    EXPECT_EQ(engine("").name(), built_in().front());
    EXPECT_EQ(engine("reference").name(), "reference");
    test::expect_refused("engine warp", "'warp'", [] { resolve_engine("warp"); });
    test::expect_refused("engine auto", "needs the ranks", [] { resolve_engine("auto"); });
    test::expect_refused("engine auto of a device", "needs the ranks",
                         [] { resolve_engine("auto", "emulated"); });
}

TEST(Engines, ThatAreNotBuiltInSaySo) {
    for (const EngineInfo& info : engines()) {
        if (info.built_in) {
            EXPECT_EQ(resolve_engine(info.name), info.name);
            continue;
        }
        try {
            resolve_engine(info.name);
            ADD_FAILURE() << info.name;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::not_available);
            EXPECT_NE(std::string(error.what()).find(info.name), std::string::npos);
        }
    }
}

/// Other libraries have functions of FFTW's names; once all engines have worked, these are still
/// FFTW's own.
TEST(Engines, LeaveTheSymbolsOfFftwAlone) {
    for (const std::string& name : built_in())
        EXPECT_NO_THROW(static_cast<void>(engine(name).description())) << name;
    void* function = dlsym(RTLD_DEFAULT, "fftw_plan_guru64_dft");
    Dl_info place{};
    if (resolve_engine("") != "fftw" || function == nullptr || dladdr(function, &place) == 0) {
        GTEST_SKIP() << "no FFTW in a library of its own";
    }
    EXPECT_NE(std::string(place.dli_fname).find("fftw"), std::string::npos) << place.dli_fname;
    EXPECT_EQ(engine("fftw").description().substr(0, 6), "fftw-3");
}

}  // namespace

}  // namespace weft::core
