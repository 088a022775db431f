#include "device/gpu/line_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/index.hpp"
#include "device/gpu/simple_lines.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

template <class T>
const T* kept(const std::vector<T>& table, KeepTable keep) {
    if (table.empty()) return nullptr;
    return reinterpret_cast<const T*>(keep(reinterpret_cast<const std::byte*>(table.data()),
                                           static_cast<Index>(table.size() * sizeof(T))));
}

/// A side's segments one by one, in bytes.
struct SideTables {
    std::vector<SegmentEntry> segments;
    std::vector<std::uint16_t> segment_of;
    std::vector<Index> strides;
};

SideTables tables_of(const std::vector<Segments>& side, Index unit, Index length) {
    constexpr std::uint16_t none = 0xffff;
    SideTables result;
    result.segment_of.assign(usize(length), none);
    for (const Segments& alike : side) {
        for (std::size_t j = 0; j < alike.begins.size(); ++j) {
            const LineSegment segment = alike.segment(j);
            const SegmentBegin& begin = alike.begins[j];
            for (Index e = segment.first; e < segment.first + segment.extent; ++e) {
                result.segment_of.at(usize(e)) = static_cast<std::uint16_t>(result.segments.size());
            }
            result.segments.push_back({(begin.offset - segment.first * segment.step) * unit,
                                       segment.step * unit, segment.lane_step * unit,
                                       static_cast<std::uint32_t>(begin.place)});
            for (auto stride = alike.strides.rbegin(); stride != alike.strides.rend(); ++stride) {
                result.strides.push_back(*stride * unit);
            }
        }
    }
    if (std::count(result.segment_of.begin(), result.segment_of.end(), none) != 0) {
        throw Error(ErrorCode::bad_request,
                    fmt::format("the segments of lines of {} elements do not hold all of them; "
                                "give each element a segment",
                                length));
    }
    return result;
}

bool lanes_are_first(const FusedLines& lines, const std::vector<Segments>& side) {
    const LineSegment& first = side.front().first;
    return lines.lanes > 1 && std::abs(first.lane_step) < std::abs(first.step);
}

LineSide side_of(const FusedLines& lines, const std::vector<Segments>& segments, Index unit,
                 Index length, KeepTable keep) {
    const SideTables tables = tables_of(segments, unit, length);
    LineSide side;
    side.lanes_first = lanes_are_first(lines, segments);
    side.segments = static_cast<std::uint32_t>(tables.segments.size());
    side.only = tables.segments.front();
    std::copy_n(tables.strides.begin(), std::min<std::size_t>(lines.loops.size(), most_line_loops),
                side.only_strides);
    side.segment = kept(tables.segments, keep);
    side.segment_of = kept(tables.segment_of, keep);
    side.strides = kept(tables.strides, keep);
    return side;
}

std::vector<int> places_of(const std::vector<Segments>& side) {
    std::vector<int> result;
    for (const Segments& alike : side) {
        for (const SegmentBegin& begin : alike.begins) result.push_back(begin.place);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

void set_passes(const std::vector<int>& radices, Index length, LineArguments& arguments) {
    std::uint32_t before = 1;
    std::uint32_t twiddles = 0;
    arguments.passes = static_cast<int>(radices.size());
    for (int p = 0; p < arguments.passes; ++p) {
        const auto radix = static_cast<std::uint32_t>(radices[usize(p)]);
        arguments.pass[p] = {static_cast<int>(radix),
                             Divider(static_cast<std::uint32_t>(length) / radix), Divider(before),
                             twiddles};
        if (before > 1) twiddles += before * (radix - 1);
        before *= radix;
    }
}

/// The steps of the loops, and in each of them the blocks of lanes.
void set_blocks(const FusedLines& lines, std::uint32_t lanes_log2, LineArguments& arguments) {
    constexpr Index most = 0x7fffffff;
    const Index lane_blocks = ((lines.lanes - 1) >> lanes_log2) + 1;
    Index blocks = lane_blocks;
    for (const Index extent : lines.loops) blocks = blocks > most ? blocks : blocks * extent;
    if (blocks > most || lines.lanes > most || lines.loops.size() > most_line_loops) {
        throw Error(ErrorCode::not_available,
                    fmt::format("{} lines in {} loops are too many for one kernel, which has {} "
                                "blocks and {} loops; use more ranks",
                                lines.lanes, lines.loops.size(), most, most_line_loops));
    }
    arguments.lanes = static_cast<std::uint32_t>(lines.lanes);
    arguments.lanes_log2 = lanes_log2;
    arguments.lane_blocks = Divider(static_cast<std::uint32_t>(lane_blocks));
    arguments.blocks = static_cast<std::uint32_t>(blocks);
    for (auto extent = lines.loops.rbegin(); extent != lines.loops.rend(); ++extent) {
        arguments.loops.extent[arguments.loops.count++] =
            Divider(static_cast<std::uint32_t>(*extent));
    }
}

}  // namespace

LineKernels::LineKernels(const FusedLines& given, KeepTable keep, Index most_shared)
    : precision_(given.line.precision) {
    const LineTransform& line = given.line;
    if (!has_line_kernel(line.length)) {
        throw Error(
            ErrorCode::not_available,
            fmt::format("no kernel transforms lines of {} elements: products of 2, 3, 5 and "
                        "7 up to {} are possible",
                        line.length, longest_line));
    }
    const FusedLines lines = simplified(given);
    empty_ = lines.lanes == 0;
    if (empty_) return;
    sides_.length = static_cast<std::uint32_t>(line.length);
    sides_.kind = line.kind;
    sides_.backward = line.sign > 0;
    sides_.from = side_of(lines, lines.from, line.source().bytes(), line.source_length(), keep);
    sides_.to = side_of(lines, lines.to, line.target().bytes(), line.target_length(), keep);
    set_places(lines, keep);

    const bool lanes_from = sides_.from.lanes_first;
    const bool lanes_to = sides_.to.lanes_first;
    const bool many = sides_.from.segments > 1 || sides_.to.segments > 1;
    const Index begins = many ? sides_.from.segments + sides_.to.segments : 0;
    const LinesToCut cut{precision_, line.length, lines.lanes,
                         lanes_from, lanes_to,    begins * Index{sizeof(std::byte*)},
                         most_shared};
    const LineThreads told = told_threads(radices_of(line.length, !lanes_from, !lanes_to));
    told_ = prepared(lines, cut, told, keep);
    set_passes(told.radices, line.length, told_.arguments);
    has_fixed_ = has_fixed_kernel(line.length);
    if (has_fixed_) fixed_ = prepared(lines, cut, fixed_threads(precision_, line.length), keep);
}

LineKernels::Prepared LineKernels::prepared(const FusedLines& lines, const LinesToCut& cut,
                                            const LineThreads& threads, KeepTable keep) const {
    const BlockOfLines block = block_of_lines(cut, threads);
    Prepared result{sides_, block.how};
    result.arguments.shared = block.layout;
    set_blocks(lines, block.lanes_log2, result.arguments);
    result.arguments.twiddles = kept(twiddle_table(precision_, threads.radices), keep);
    return result;
}

void LineKernels::set_places(const FusedLines& lines, KeepTable keep) {
    const std::vector<int> from = places_of(lines.from);
    const std::vector<int> to = places_of(lines.to);
    places_ = usize(std::max(from.back(), to.back())) + 1;
    if (lines.line.source().complex) complex_from_places_ = from;
    if (lines.line.target().complex) complex_to_places_ = to;
    if (places_ <= carried_places) return;
    const std::vector<std::byte*> none(places_, nullptr);
    place_table_ = const_cast<std::byte**>(kept(none, keep));
    sides_.places = place_table_;
}

bool LineKernels::is_narrow(const std::vector<int>& used, Index unit,
                            std::span<std::byte* const> places) const {
    return std::any_of(used.begin(), used.end(), [&](int place) {
        const std::byte* address = places[usize(place)];
        return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(unit) != 0;
    });
}

void LineKernels::put_places(cudaStream_t stream, std::span<std::byte* const> places) const {
    for (std::size_t first = 0; first < places_; first += carried_places) {
        PlaceAddresses some;
        some.first = static_cast<int>(first);
        some.count = static_cast<int>(std::min<std::size_t>(places_ - first, carried_places));
        std::copy_n(places.begin() + some.first, some.count, some.address);
        launch_places(some, place_table_, stream);
    }
}

void LineKernels::run(cudaStream_t stream, std::span<std::byte* const> places) const {
    if (empty_) return;
    if (places.size() < places_) {
        throw Error(ErrorCode::bad_request, fmt::format("lines in {} places were given {} "
                                                        "addresses; give one for each place",
                                                        places_, places.size()));
    }
    const Index unit = Scalar{precision_, true}.bytes();
    const bool narrow_from = is_narrow(complex_from_places_, unit, places);
    const bool narrow_to = is_narrow(complex_to_places_, unit, places);
    const bool is_fixed = has_fixed_ && !narrow_from && !narrow_to;
    LineArguments arguments = is_fixed ? fixed_.arguments : told_.arguments;
    arguments.from.narrow = narrow_from;
    arguments.to.narrow = narrow_to;
    if (place_table_ != nullptr) {
        put_places(stream, places);
    } else {
        std::copy_n(places.begin(), places_, arguments.place);
    }
    if (is_fixed) {
        launch_fixed_lines(precision_, arguments, fixed_.how, stream);
    } else {
        launch_lines(precision_, arguments, told_.how, stream);
    }
}

}  // namespace weft::core::WEFT_GPU_TARGET
