// Serial transforms of every engine against the DFT by its definition.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "fft/engine.hpp"
#include "memory/buffer.hpp"
#include "property/whole_array.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::Exact;
using test::Whole;

/// One side of a task in memory.
struct Side {
    bool complex = true;
    Precision precision = Precision::f64;
    std::vector<Index> extents;  ///< of the transformed axes, then of the looped ones
    std::vector<Index> strides;
    Index elements = 1;

    [[nodiscard]] Index count() const {
        return std::accumulate(extents.begin(), extents.end(), Index{1}, std::multiplies<>());
    }
    [[nodiscard]] Index bytes() const { return elements * Scalar{precision, complex}.bytes(); }
    [[nodiscard]] Index place(Index number) const {
        const auto point = test::point_of(number, extents);
        return std::inner_product(point.begin(), point.end(), strides.begin(), Index{0});
    }
    void store(const Whole& whole, std::byte* memory) const {
        for (Index i = 0; i < count(); ++i) {
            const Exact& value = whole.values[static_cast<std::size_t>(i)];
            if (precision == Precision::f64) {
                put(static_cast<double>(value.real()), static_cast<double>(value.imag()), place(i),
                    memory);
            } else {
                put(static_cast<float>(value.real()), static_cast<float>(value.imag()), place(i),
                    memory);
            }
        }
    }
    [[nodiscard]] Whole load(const std::byte* memory) const {
        Whole whole{extents, {}};
        for (Index i = 0; i < count(); ++i) {
            whole.values.push_back(precision == Precision::f64 ? get<double>(place(i), memory)
                                                               : get<float>(place(i), memory));
        }
        return whole;
    }
    /// Which bytes belong to the side's elements.
    [[nodiscard]] std::vector<bool> owned() const {
        std::vector<bool> result(static_cast<std::size_t>(bytes()), false);
        const Index size = Scalar{precision, complex}.bytes();
        for (Index i = 0; i < count(); ++i) {
            const auto first = result.begin() + place(i) * size;
            std::fill(first, first + size, true);
        }
        return result;
    }

  private:
    template <class T>
    void put(T re, T im, Index position, std::byte* memory) const {
        auto* reals = reinterpret_cast<T*>(memory);
        reals[complex ? 2 * position : position] = re;
        if (complex) reals[2 * position + 1] = im;
    }
    template <class T>
    [[nodiscard]] Exact get(Index position, const std::byte* memory) const {
        const auto* reals = reinterpret_cast<const T*>(memory);
        return complex ? Exact(reals[2 * position], reals[2 * position + 1])
                       : Exact(reals[position], 0);
    }
};

void draw_strides(Random& random, Side& side) {
    std::vector<std::size_t> order(side.extents.size());
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    side.strides.resize(side.extents.size());
    side.elements = random.between(1, 2);
    for (const std::size_t k : order) {
        side.strides[k] = side.elements;
        side.elements = side.elements * side.extents[k] + (random.once_in(4) ? 1 : 0);
    }
}

struct Trial {
    FftTask task;
    Side from;
    Side to;
    Whole input;
    Whole expected;
};

/// The data and the frequencies of a random problem on these extents.
void draw_values(Random& random, Trial& trial, const std::vector<Index>& extents) {
    const FftTask& task = trial.task;
    std::vector<int> axes(task.transformed.size());
    std::iota(axes.begin(), axes.end(), 0);
    const Index halved = extents[axes.size() - 1] / 2 + 1;
    Whole data = test::random_whole(extents, task.kind == Kind::c2c, random);
    Whole frequencies = test::dft(data, axes, task.kind == Kind::c2c ? task.sign : -1);
    if (task.kind != Kind::c2c) {
        frequencies = test::cropped(frequencies, static_cast<int>(axes.size()) - 1, halved);
    }
    trial.input = data;
    trial.expected = frequencies;
    if (task.kind == Kind::c2r) {
        long double n = 1;
        for (const Loop& loop : task.transformed) n *= static_cast<long double>(loop.extent);
        trial.input = frequencies;
        trial.expected = test::scaled(data, n);
    }
}

void set_sides(Random& random, Trial& trial, bool random_strides) {
    const FftTask& task = trial.task;
    trial.from = {task.kind != Kind::r2c, task.precision, trial.input.shape, {}, 1};
    trial.to = {task.kind != Kind::c2r, task.precision, trial.expected.shape, {}, 1};
    for (Side* side : {&trial.from, &trial.to}) {
        if (random_strides) {
            draw_strides(random, *side);
        } else {
            side->strides.assign(side->extents.size(), 1);
            side->elements = side->count();
        }
    }
    if (task.in_place) trial.to = trial.from;
    for (std::size_t k = 0; k < trial.from.extents.size(); ++k) {
        const std::size_t many = task.transformed.size();
        Loop& loop = k < many ? trial.task.transformed[k] : trial.task.looped[k - many];
        loop.from = trial.from.strides[k];
        loop.to = trial.to.strides[k];
    }
}

Trial random_trial(Random& random) {
    Trial trial;
    FftTask& task = trial.task;
    task.kind = random.pick<Kind>({Kind::c2c, Kind::r2c, Kind::c2r});
    task.sign = task.kind == Kind::r2c   ? -1
                : task.kind == Kind::c2r ? 1
                : random.once_in(2)      ? 1
                                         : -1;
    task.precision = random.once_in(2) ? Precision::f32 : Precision::f64;
    task.in_place = task.kind == Kind::c2c && random.once_in(3);
    task.may_destroy_input = random.once_in(2);
    std::vector<Index> extents;
    Index total = 1;
    const bool may_not_destroy = task.kind == Kind::c2r && !task.may_destroy_input;
    const Index transformed = may_not_destroy ? 1 : random.between(1, 3);
    const Index looped = random.between(0, 3);
    for (Index k = 0; k < transformed + looped; ++k) {
        const Index n = random.between(1, 9);
        extents.push_back(total * n > 600 ? 1 : n);
        total *= extents.back();
        auto& loops = k < transformed ? task.transformed : task.looped;
        loops.push_back({extents.back(), 0, 0});
    }
    draw_values(random, trial, extents);
    set_sides(random, trial, true);
    return trial;
}

long double tolerance(Precision precision) { return precision == Precision::f64 ? 3e-15L : 2e-6L; }

std::vector<std::byte> bytes_of(const std::byte* data, Index bytes) { return {data, data + bytes}; }

/// Where none of the elements lies, the bytes are the same.
bool gaps_kept(const Side& side, const std::vector<std::byte>& before, const std::byte* now) {
    const std::vector<bool> owned = side.owned();
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!owned[i] && before[i] != now[i]) return false;
    }
    return true;
}

void check(const FftEngine& engine, Effort effort, const Trial& trial) {
    const FftTask& task = trial.task;
    const Buffer source(trial.from.bytes());
    const Buffer target(task.in_place ? 0 : trial.to.bytes());
    std::byte* to = task.in_place ? source.data() : target.data();
    // Planning leaves even not-a-numbers and gaps as they are.
    std::memset(source.data(), 0xab, static_cast<std::size_t>(trial.from.bytes()));
    std::memset(to, 0xab, static_cast<std::size_t>(trial.to.bytes()));
    trial.from.store(trial.input, source.data());
    const auto from_before = bytes_of(source.data(), trial.from.bytes());
    const auto to_before = bytes_of(to, trial.to.bytes());
    const auto plan = engine.plan(task, effort, source.data(), to);
    ASSERT_EQ(bytes_of(source.data(), trial.from.bytes()), from_before) << "planning wrote";
    ASSERT_EQ(bytes_of(to, trial.to.bytes()), to_before) << "planning wrote";

    for (int repetition = 0; repetition < 2; ++repetition) {
        trial.from.store(trial.input, source.data());
        plan->execute(source.data(), to);
        ASSERT_LT(test::relative_error(trial.to.load(to), trial.expected),
                  tolerance(task.precision));
        ASSERT_TRUE(gaps_kept(trial.to, to_before, to));
        ASSERT_TRUE(gaps_kept(trial.from, from_before, source.data()));
        if (!task.in_place && !task.may_destroy_input) {
            ASSERT_EQ(bytes_of(source.data(), trial.from.bytes()), from_before) << "input changed";
        }
    }
}

std::vector<std::string> built_in() {
    std::vector<std::string> names;
    for (const EngineInfo& info : engines()) {
        if (info.built_in) names.emplace_back(info.name);
    }
    return names;
}

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
                trial.task.kind = kind;
                trial.task.sign = sign;
                trial.task.transformed = {{n, 1, 1}};
                draw_values(random, trial, {n});
                set_sides(random, trial, false);
                SCOPED_TRACE(to_string(kind) + " " + std::to_string(n));
                check(engine(GetParam()), Effort::estimate, trial);
                if (HasFatalFailure()) return;
            }
        }
    }
}

std::string text_of(const FftTask& task) {
    std::string text = to_string(task.kind) + " " + to_string(task.precision);
    text += task.in_place ? " in place" : "";
    text += task.may_destroy_input ? " may destroy" : "";
    for (const auto* loops : {&task.transformed, &task.looped}) {
        text += loops == &task.looped ? " looped" : " transformed";
        for (const Loop& loop : *loops) {
            text += fmt::format(" {}:{}:{}", loop.extent, loop.from, loop.to);
        }
    }
    return text;
}

TEST_P(Engine, TransformsRandomStridedTasks) {
    Random random(2);
    for (int i = 0; i < 300; ++i) {
        const Trial trial = random_trial(random);
        SCOPED_TRACE(text_of(trial.task));
        check(engine(GetParam()), i % 10 == 0 ? Effort::measure : Effort::estimate, trial);
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, Engine, ::testing::ValuesIn(built_in()),
                         [](const auto& instance) { return instance.param; });

TEST(Engines, AreKnownByName) {
    EXPECT_EQ(resolve_engine("reference"), "reference");
    EXPECT_EQ(resolve_engine(""), built_in().front());
    EXPECT_EQ(engine("").name(), built_in().front());
    EXPECT_EQ(engine("reference").name(), "reference");
    test::expect_refused("engine warp", "'warp'", [] { resolve_engine("warp"); });
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

}  // namespace

}  // namespace weft::core
