#include "device/gpu/line_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/index.hpp"
#include "device/gpu/line_shape.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

constexpr Index warp = 32;
/// Neighbours in memory that blocks read and write as one: 128 bytes, and twice as many where
/// blocks stay so small that a multiprocessor has three of them.
constexpr Index adjacent_bytes = 128;
constexpr Index comfortable_bytes = Index{76} << 10;

/// Divides n by a factor as often as it goes, and counts.
int take(Index& n, int factor) {
    int times = 0;
    for (; n % factor == 0; n /= factor) ++times;
    return times;
}

Index bytes_of_number(const LinesToCut& lines) { return Scalar{lines.precision, true}.bytes(); }

/// Where the lines of a block are in shared memory. A line that fits without gaps only has none.
SharedLayout layout_of(const LinesToCut& lines, const LineThreads& threads, Index lanes) {
    SharedLayout layout;
    if (threads.radices.size() == 1) return layout;
    const auto last = static_cast<std::uint32_t>(lines.length - 1);
    const auto count = static_cast<std::uint32_t>(lanes);
    const Index gaps = last >> gap_log2(threads.radices.front());
    const Index most = (lines.most_shared - lines.table_bytes) / bytes_of_number(lines);
    layout.gap = lines.length + gaps <= most || lines.length > most ? 1 : 0;
    const auto gap_numbers = static_cast<std::uint32_t>(layout.gap * gaps);
    // Odd steps: lines, or lanes of elements, that are side by side are in other banks.
    if (lines.lanes_first_from || lines.lanes_first_to) {
        layout.element = count | 1U;
    } else {
        layout.lane = (last + gap_numbers + 1) | 1U;
    }
    layout.numbers = last * layout.element + (count - 1) * layout.lane + gap_numbers + 1;
    return layout;
}

/// exp(-2 pi i k/n), computed in long double.
template <class Real>
void append_root(Index k, Index n, std::vector<std::byte>& table) {
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                              static_cast<long double>(n);
    const Real root[2] = {static_cast<Real>(std::cos(angle)), static_cast<Real>(-std::sin(angle))};
    const auto* bytes = reinterpret_cast<const std::byte*>(root);
    table.insert(table.end(), bytes, bytes + sizeof(root));
}

}  // namespace

bool has_line_kernel(Index length) {
    if (length < 1 || length > longest_line) return false;
    for (const int factor : {2, 3, 5, 7}) take(length, factor);
    return length == 1;
}

std::vector<int> radices_of(Index length, bool elements_first_from, bool elements_first_to) {
    std::vector<int> result;
    int twos = take(length, 2);
    for (; twos > 4 || twos == 3; twos -= 3) result.push_back(8);
    for (; twos >= 2; twos -= 2) result.push_back(4);
    result.insert(result.end(), usize(twos), 2);
    for (const int factor : {7, 5, 3}) {
        result.insert(result.end(), usize(take(length, factor)), factor);
    }
    std::sort(result.begin(), result.end(), std::greater<>());
    if (result.empty()) return {1};
    if (result.size() > 1) return result;
    if (elements_first_from) result.insert(result.begin(), 1);
    if (elements_first_to) result.push_back(1);
    return result;
}

bool has_fixed_kernel(Index length) {
#define WEFT_IS_LENGTH(n) \
    if (length == (n)) return true;
    WEFT_FIXED_LENGTHS(WEFT_IS_LENGTH)
#undef WEFT_IS_LENGTH
    return false;
}

LineThreads told_threads(std::vector<int> radices) { return {std::move(radices), 0}; }

LineThreads fixed_threads(Precision precision, Index length) {
    const LineShape shape = line_shape(static_cast<std::uint32_t>(length),
                                       static_cast<int>(Scalar{precision, true}.bytes()));
    return {{shape.radix, shape.radix + shape.passes}, static_cast<Index>(shape.threads)};
}

Index LineThreads::of_block(Index length, Index lanes) const {
    if (of_line != 0) return of_line * lanes;
    Index result = 1;
    for (const int radix : radices) {
        const Index held = held_butterflies(radix);
        result = std::max(result, (length / radix * lanes + held - 1) / held);
    }
    return (result + warp - 1) / warp * warp;
}

Index LineThreads::most() const { return of_line != 0 ? most_fixed_threads : most_line_threads; }

/// With fewer, a block leaves a multiprocessor idle at its barriers.
Index LineThreads::enough() const { return of_line != 0 ? 256 : 128; }

BlockOfLines block_of_lines(const LinesToCut& lines, const LineThreads& threads) {
    const Index unit = bytes_of_number(lines);
    const bool lanes_first = lines.lanes_first_from || lines.lanes_first_to;
    const auto shared = [&](Index lanes) {
        return static_cast<Index>(layout_of(lines, threads, lanes).numbers) * unit +
               lines.table_bytes;
    };
    Index lanes = 1;
    for (Index more = 2; lanes < lines.lanes; lanes = more, more *= 2) {
        if (shared(more) > lines.most_shared) break;
        if (threads.of_block(lines.length, more) > threads.most()) break;
        const Index adjacent = lanes_first ? lanes * unit : 2 * adjacent_bytes;
        if (adjacent < adjacent_bytes) continue;
        if (shared(more) > comfortable_bytes) break;
        if (adjacent < 2 * adjacent_bytes) continue;
        if (threads.of_block(lines.length, lanes) >= threads.enough()) break;
    }
    BlockOfLines block;
    block.lanes_log2 =
        static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(lanes)));
    block.layout = layout_of(lines, threads, lanes);
    block.how.threads = static_cast<unsigned>(threads.of_block(lines.length, lanes));
    block.how.shared_bytes = usize(shared(lanes));
    return block;
}

std::vector<std::byte> twiddle_table(Precision precision, const std::vector<int>& radices) {
    std::vector<std::byte> table;
    Index before = 1;
    for (const int radix : radices) {
        const Index n = radix * before;
        for (Index t = 1; t < radix && before > 1; ++t) {
            for (Index j = 0; j < before; ++j) {
                if (precision == Precision::f64) {
                    append_root<double>(j * t % n, n, table);
                } else {
                    append_root<float>(j * t % n, n, table);
                }
            }
        }
        before = n;
    }
    return table;
}

}  // namespace weft::core::WEFT_GPU_TARGET
