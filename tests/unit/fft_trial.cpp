#include "unit/fft_trial.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "memory/buffer.hpp"

namespace weft::core::test {

namespace {

template <class T>
void put(const Exact& value, bool complex, Index position, std::byte* memory) {
    auto* reals = reinterpret_cast<T*>(memory);
    reals[complex ? 2 * position : position] = static_cast<T>(value.real());
    if (complex) reals[2 * position + 1] = static_cast<T>(value.imag());
}

template <class T>
Exact get(bool complex, Index position, const std::byte* memory) {
    const auto* reals = reinterpret_cast<const T*>(memory);
    return complex ? Exact(reals[2 * position], reals[2 * position + 1])
                   : Exact(reals[position], 0);
}

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

void set_sides(Trial& trial) {
    const FftTask& task = trial.task;
    trial.from = {task.line.source().complex, task.line.precision, trial.input.shape, {}, 1};
    trial.to = {task.line.target().complex, task.line.precision, trial.expected.shape, {}, 1};
}

/// MKL is less exact at some lengths with large prime factors: 4.5e-15 at 38.
long double tolerance(const FftEngine& engine, Precision precision) {
    const long double usual = precision == Precision::f64 ? 3e-15L : 2e-6L;
    return engine.name() == "mkl" ? 5 * usual : usual;
}

std::vector<std::byte> bytes_of(const std::byte* data, Index bytes) { return {data, data + bytes}; }

/// Where none of the elements lies, the bytes are the same.
bool gaps_kept(const Side& side, const std::vector<std::byte>& before, const std::byte* now) {
    const std::vector<bool> owned = side.owned();
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!owned[i] && before[i] != now[i]) return false;
    }
    return true;
}

}  // namespace

Index Side::count() const {
    return std::accumulate(extents.begin(), extents.end(), Index{1}, std::multiplies<>());
}

Index Side::bytes() const { return elements * Scalar{precision, complex}.bytes(); }

Index Side::place(Index number) const {
    const auto point = point_of(number, extents);
    return std::inner_product(point.begin(), point.end(), strides.begin(), Index{0});
}

void Side::store(const Whole& whole, std::byte* memory) const {
    for (Index i = 0; i < count(); ++i) {
        const Exact& value = whole.values[static_cast<std::size_t>(i)];
        if (precision == Precision::f64) {
            put<double>(value, complex, place(i), memory);
        } else {
            put<float>(value, complex, place(i), memory);
        }
    }
}

Whole Side::load(const std::byte* memory) const {
    Whole whole{extents, {}};
    for (Index i = 0; i < count(); ++i) {
        whole.values.push_back(precision == Precision::f64 ? get<double>(complex, place(i), memory)
                                                           : get<float>(complex, place(i), memory));
    }
    return whole;
}

std::vector<bool> Side::owned() const {
    std::vector<bool> result(static_cast<std::size_t>(bytes()), false);
    const Index size = Scalar{precision, complex}.bytes();
    for (Index i = 0; i < count(); ++i) {
        const auto first = result.begin() + place(i) * size;
        std::fill(first, first + size, true);
    }
    return result;
}

void Side::set_dense(const std::vector<std::size_t>& slowest_first) {
    strides.resize(extents.size());
    for (auto axis = slowest_first.rbegin(); axis != slowest_first.rend(); ++axis) {
        strides[*axis] = elements;
        elements *= extents[*axis];
    }
}

std::vector<std::string> built_in() {
    std::vector<std::string> names;
    for (const EngineInfo& info : engines()) {
        if (info.built_in) names.emplace_back(info.name);
    }
    return names;
}

std::string text_of(const FftTask& task) {
    std::string text = to_string(task.line.kind) + " " + to_string(task.line.precision);
    text += task.in_place ? " in place" : "";
    text += task.may_destroy_input ? " may destroy" : "";
    text += task.caches.far_from ? " far" : "";
    text += task.caches.far_to ? " far target" : "";
    text += task.caches.stream ? " streamed" : "";
    const auto add = [&](const char* name, const std::vector<Loop>& loops) {
        text += name;
        for (const Loop& loop : loops) {
            text += fmt::format(" {}:{}:{}", loop.extent, loop.from, loop.to);
        }
    };
    add(" transformed", task.axes());
    if (task.line.kind == Kind::r2r) {
        for (const AxisKind kind : task.axis_kinds()) text += " " + to_string(kind);
    }
    add(" looped", task.looped);
    return text;
}

void draw_values(Random& random, Trial& trial, const std::vector<Index>& extents) {
    const LineTransform& line = trial.task.line;
    std::vector<int> axes(trial.task.axes().size());
    std::iota(axes.begin(), axes.end(), 0);
    if (line.kind == Kind::r2r) {
        trial.input = trial.expected = random_whole(extents, false, random);
        const std::vector<AxisKind> kinds = trial.task.axis_kinds();
        for (const int axis : axes) {
            trial.expected =
                real_to_real(trial.expected, axis, kinds[static_cast<std::size_t>(axis)]);
        }
        return set_sides(trial);
    }
    const Index halved = extents[axes.size() - 1] / 2 + 1;
    Whole data = random_whole(extents, line.kind == Kind::c2c, random);
    Whole frequencies = dft(data, axes, line.kind == Kind::c2c ? line.sign : -1);
    if (line.kind != Kind::c2c) {
        frequencies = cropped(frequencies, static_cast<int>(axes.size()) - 1, halved);
    }
    trial.input = data;
    trial.expected = frequencies;
    if (line.kind == Kind::c2r) {
        long double n = 1;
        for (const Loop& axis : trial.task.axes()) n *= static_cast<long double>(axis.extent);
        trial.input = frequencies;
        trial.expected = scaled(data, n);
    }
    set_sides(trial);
}

void set_loops(Trial& trial) {
    FftTask& task = trial.task;
    std::vector<Loop> axes = task.axes();
    for (std::size_t k = 0; k < trial.from.extents.size(); ++k) {
        Loop& loop = k < axes.size() ? axes[k] : task.looped[k - axes.size()];
        loop.from = trial.from.strides[k];
        loop.to = trial.to.strides[k];
    }
    task.set_axes(axes);
}

namespace {

std::vector<AxisKind> random_kinds(Random& random, const std::vector<Loop>& axes) {
    std::vector<AxisKind> kinds;
    for (const Loop& axis : axes) {
        kinds.push_back(random.pick(real_kinds));
        if (kinds.back() == AxisKind::dct1 && axis.extent == 1) kinds.back() = AxisKind::dst1;
    }
    return kinds;
}

}  // namespace

Trial random_trial(Random& random) {
    Trial trial;
    FftTask& task = trial.task;
    LineTransform& line = task.line;
    line.kind = random.pick<Kind>({Kind::c2c, Kind::r2c, Kind::c2r});
    line.sign = line.kind == Kind::r2c   ? -1
                : line.kind == Kind::c2r ? 1
                : random.once_in(2)      ? 1
                                         : -1;
    line.precision = random.once_in(2) ? Precision::f32 : Precision::f64;
    task.in_place = line.kind == Kind::c2c && random.once_in(3);
    task.may_destroy_input = random.once_in(2);
    task.caches = {random.once_in(2), random.once_in(2), random.once_in(2)};
    std::vector<Index> extents;
    Index total = 1;
    const bool may_not_destroy = line.kind == Kind::c2r && !task.may_destroy_input;
    const Index transformed = may_not_destroy ? 1 : random.between(1, 3);
    const Index looped = random.between(0, 3);
    std::vector<Loop> axes;
    for (Index k = 0; k < transformed + looped; ++k) {
        const Index n = random.between(1, 9);
        extents.push_back(total * n > 600 ? 1 : n);
        total *= extents.back();
        auto& loops = k < transformed ? axes : task.looped;
        loops.push_back({extents.back(), 0, 0});
    }
    task.set_axes(axes);
    // Drawn from a copy, so that all else is drawn as it is for c2c.
    Random own = random;
    if (line.kind == Kind::c2c && own.once_in(3)) {
        line.kind = Kind::r2r;
        task.set_axis_kinds(random_kinds(own, axes));
    }
    draw_values(random, trial, extents);
    draw_strides(random, trial.from);
    draw_strides(random, trial.to);
    if (task.in_place) trial.to = trial.from;
    set_loops(trial);
    return trial;
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
        ASSERT_LT(relative_error(trial.to.load(to), trial.expected),
                  tolerance(engine, task.line.precision));
        // In place, complex numbers need the room that real lines leave between them.
        if (!task.in_place || !halves(task.line.kind)) {
            ASSERT_TRUE(gaps_kept(trial.to, to_before, to));
            ASSERT_TRUE(gaps_kept(trial.from, from_before, source.data()));
        }
        if (!task.in_place && !task.may_destroy_input) {
            ASSERT_EQ(bytes_of(source.data(), trial.from.bytes()), from_before) << "input changed";
        }
    }
}

}  // namespace weft::core::test
