// Which one-dimensional transforms the study measures.
#include <optional>

#include "measure/host.hpp"
#include "study/contest.hpp"
#include "study/line_case.hpp"

namespace weft::study {

namespace {

/// Where the data of a case is to be: as many lines as fill a level, or so many wherever they fit.
struct Place {
    std::optional<Level> level{};
    Index batch = 0;
};

struct Transform {
    Kind kind;
    AxisKind axis = AxisKind::none;
};

/// All cases with one of each.
struct Block {
    std::vector<Transform> kinds;
    std::vector<Precision> precisions;
    std::vector<Pattern> patterns;
    std::vector<Place> places;
    std::vector<Index> lengths;
    Effort effort;
};

const std::vector<Pattern> dense = {{Order::lines, Order::lines},
                                    {Order::lanes, Order::lanes},
                                    {Order::lines, Order::lanes},
                                    {Order::lanes, Order::lines}};

std::vector<Pattern> apart() {
    std::vector<Pattern> result;
    for (const Index distance : {256, 257, 4096, 4100}) {
        result.push_back({Order::lanes, Order::lanes, distance});
        result.push_back({Order::lines, Order::lines, distance});
    }
    return result;
}

/// What both arrays of a batch that fills the level take.
Index capacity(Level level) {
    constexpr Index largest = Index{256} << 20;
    constexpr Index smallest_memory = Index{64} << 20;
    switch (level) {
        case Level::L1:
            return cli::cache_bytes(1) / 2;
        case Level::L2:
            return cli::cache_bytes(2) / 2;
        case Level::L3:
            return cli::cache_bytes(3) / 2;
        case Level::memory:
            break;
    }
    return std::clamp(4 * cli::cache_bytes(3), smallest_memory, largest);
}

Level level_of(Index bytes) {
    for (const Level level : {Level::L1, Level::L2, Level::L3}) {
        if (bytes <= capacity(level)) return level;
    }
    return Level::memory;
}

/// Sets batch and level; false where not one line fits. Lanes that are some distance apart cannot
/// be more than the distance.
bool put(LineCase& one, const Place& place) {
    one.batch = 1;
    one.batch = place.level ? capacity(*place.level) / data_bytes(one) : place.batch;
    const Index distance = one.pattern.distance;
    const bool lanes = one.pattern.from == Order::lanes;
    const bool crowded = distance != 0 && lanes && distance < one.batch;
    if (crowded) one.batch = distance;
    if (one.batch < 1 || (distance != 0 && !lanes && distance < one.length)) return false;
    one.filled = place.level.has_value() && !crowded;
    one.level = one.filled ? *place.level : level_of(data_bytes(one));
    const core::FftTask array = task(one);
    return span_bytes(array, false) + span_bytes(array, true) <= capacity(Level::memory);
}

bool left_in(const Options& options, const LineCase& one) {
    return wanted(options.groups, group(one.length)) &&
           wanted(options.patterns, to_string(one.pattern)) &&
           wanted(options.levels, to_string(one.level)) && wanted(options.kinds, kind_word(one)) &&
           wanted(options.precisions, to_string(one.precision));
}

void append(std::vector<LineCase>& cases, const Block& block, const Options& options) {
    const auto lengths = options.lengths.empty() ? block.lengths : options.lengths;
    for (const Index length : lengths) {
        for (const Transform& transform : block.kinds) {
            for (const Precision precision : block.precisions) {
                for (const Pattern& pattern : block.patterns) {
                    for (const Place& place : block.places) {
                        LineCase one{transform.kind, precision, length, pattern};
                        one.axis = transform.axis;
                        one.effort = block.effort;
                        if (!put(one, place) || !left_in(options, one)) continue;
                        if (options.effort != Effort::automatic) one.effort = options.effort;
                        cases.push_back(one);
                    }
                }
            }
        }
    }
}

/// Groups one after the other, so that a run that is cut short has whole ones.
std::vector<Index> every_length() {
    std::vector<Index> result;
    for (Index n = 8; n <= 4096; n *= 2) result.push_back(n);
    for (Index n = 11; n <= 251; ++n) {
        if (group(n) == "primes") result.push_back(n);
    }
    for (Index n = 9; n < 4096; ++n) {
        if (group(n) == "2-3-5-7") result.push_back(n);
    }
    return result;
}

const std::vector<Index> judged_sample = {16,   32, 64, 128, 256, 512, 1024, 12,
                                          20,   36, 60, 100, 180, 350, 480,  1000,
                                          2100, 11, 13, 31,  61,  101, 197,  251};
const std::vector<Index> fewer = {16, 64, 256, 1024, 12, 60, 360, 1000, 13, 31, 101, 251};
/// Lengths for which the period of dct1 or of dst1 is a product of small primes, too.
const std::vector<Index> r2r_lengths = {16,   64, 256, 1024, 17,   65, 257,
                                        1025, 15, 63,  255,  1023, 60, 360};
const std::vector<Index> few = {64, 240, 256, 1000, 1024};
const std::vector<Index> few_small = {8, 64, 101, 240, 256, 1024, 4096};

const std::vector<Transform> real_kinds = {{Kind::r2c}, {Kind::c2r}};
const std::vector<Transform> r2r_kinds = {{Kind::r2r, AxisKind::dct1}, {Kind::r2r, AxisKind::dct2},
                                          {Kind::r2r, AxisKind::dct3}, {Kind::r2r, AxisKind::dct4},
                                          {Kind::r2r, AxisKind::dst1}, {Kind::r2r, AxisKind::dst2},
                                          {Kind::r2r, AxisKind::dst3}, {Kind::r2r, AxisKind::dst4}};
const std::vector<Precision> both = {Precision::f64, Precision::f32};

std::vector<Block> quick_blocks() {
    return {{{{Kind::c2c}},
             {Precision::f64},
             dense,
             {{Level::L2}},
             {16, 64, 256, 1024, 12, 60, 1000, 13, 101},
             Effort::measure}};
}

/// What is judged comes first. FFTW_PATIENT takes seconds for a case, and a minute where arrays are
/// large, so that those are planned by FFTW_MEASURE.
std::vector<Block> sample_blocks() {
    const std::vector<Transform> c2c = {{Kind::c2c}};
    const std::vector<Precision> f64 = {Precision::f64};
    const std::vector<Pattern> orders = {dense[0], dense[1]};
    return {{c2c, f64, dense, {{Level::L2}}, judged_sample, Effort::patient},
            {c2c, {Precision::f32}, dense, {{Level::L2}}, judged_sample, Effort::patient},
            {real_kinds, both, dense, {{Level::L2}}, fewer, Effort::patient},
            {c2c, f64, dense, {{Level::L1}}, few, Effort::patient},
            {c2c, f64, {dense[0]}, {{{}, 1}}, few_small, Effort::patient},
            {c2c, f64, orders, {{{}, 16}}, few_small, Effort::patient},
            {c2c, f64, apart(), {{Level::L2}}, {64, 240, 256}, Effort::measure},
            {c2c, f64, dense, {{Level::memory}}, {64, 256, 1000}, Effort::measure},
            {r2r_kinds, both, orders, {{Level::L2}}, r2r_lengths, Effort::measure}};
}

std::vector<Block> full_blocks() {
    const std::vector<Index> lengths = every_length();
    const std::vector<Transform> all = {{Kind::c2c}, {Kind::r2c}, {Kind::c2r}};
    const std::vector<Place> levels = {{Level::L2}, {Level::L1}};
    return {{{{Kind::c2c}}, {Precision::f64}, dense, {{Level::L2}}, lengths, Effort::patient},
            {all, both, dense, levels, judged_sample, Effort::patient},
            {all, both, dense, {{Level::memory}}, few, Effort::measure},
            {all, both, {dense[0]}, {{{}, 1}}, lengths, Effort::patient},
            {all, both, {dense[0], dense[1]}, {{{}, 16}}, lengths, Effort::patient},
            {all, both, apart(), {{Level::L2}, {Level::memory}}, few, Effort::measure},
            {all, both, dense, levels, lengths, Effort::patient},
            {r2r_kinds, both, dense, levels, judged_sample, Effort::measure}};
}

std::vector<Block> blocks(Extent extent) {
    switch (extent) {
        case Extent::quick:
            return quick_blocks();
        case Extent::full:
            return full_blocks();
        case Extent::sample:
            break;
    }
    return sample_blocks();
}

}  // namespace

std::vector<LineCase> line_cases(const Options& options) {
    std::vector<LineCase> cases;
    for (const Block& block : blocks(options.extent)) append(cases, block, options);
    // Blocks overlap, and lengths that are given are those of all blocks.
    std::vector<LineCase> result;
    for (const LineCase& one : cases) {
        const auto same = [&](LineCase other) {
            other.effort = one.effort;
            other.filled = one.filled;
            return other == one;
        };
        if (std::none_of(result.begin(), result.end(), same)) result.push_back(one);
    }
    return result;
}

}  // namespace weft::study
