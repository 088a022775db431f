#include "device/gpu/line_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// Below so many threads a block leaves a multiprocessor idle at its barriers.
constexpr Index enough_threads = 128;
constexpr Index warp = 32;

/// Divides n by a factor as often as it goes, and counts.
int take(Index& n, int factor) {
    int times = 0;
    for (; n % factor == 0; n /= factor) ++times;
    return times;
}

Index threads_for(Index length, const std::vector<int>& radices, Index lanes) {
    Index result = 1;
    for (const int radix : radices) {
        const Index held = held_butterflies(radix);
        result = std::max(result, (length / radix * lanes + held - 1) / held);
    }
    return (result + warp - 1) / warp * warp;
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
    result.insert(result.end(), static_cast<std::size_t>(twos), 2);
    for (const int factor : {7, 5, 3}) {
        result.insert(result.end(), static_cast<std::size_t>(take(length, factor)), factor);
    }
    std::sort(result.begin(), result.end(), std::greater<>());
    if (result.empty()) return {1};
    if (result.size() > 1) return result;
    if (elements_first_from) result.insert(result.begin(), 1);
    if (elements_first_to) result.push_back(1);
    return result;
}

BlockOfLines block_of_lines(Precision precision, Index length, const std::vector<int>& radices,
                            bool lanes_first, Index lanes, Index other_bytes, Index most_shared) {
    const Index unit = Scalar{precision, true}.bytes();
    const Index padded = length + (length - 1) / 8;
    const bool pads = padded * unit + other_bytes <= most_shared || length * unit > most_shared;
    const auto row = static_cast<std::uint32_t>(pads ? padded : length);
    // Odd, so that lines that are side by side meet all banks.
    const auto pitch = [&](std::uint32_t log2) { return log2 == 0 ? row : row | 1U; };
    const auto shared = [&](std::uint32_t log2) {
        return radices.size() == 1 ? other_bytes : (pitch(log2) << log2) * unit + other_bytes;
    };
    BlockOfLines block;
    block.pad_shift = pads ? 3 : 31;
    // Neighbours in memory make accesses of 64 bytes, or of 128 where threads are to spare.
    const Index adjacent = lanes_first ? 64 / unit : 1;
    for (; block.lanes_log2 < 10; ++block.lanes_log2) {
        const Index now = Index{1} << block.lanes_log2;
        const bool suffices =
            now >= adjacent && threads_for(length, radices, now) >= enough_threads;
        if (now >= lanes || suffices) break;
        if (shared(block.lanes_log2 + 1) > most_shared) break;
        if (threads_for(length, radices, 2 * now) > most_line_threads) break;
    }
    block.pitch = pitch(block.lanes_log2);
    block.how.threads =
        static_cast<unsigned>(threads_for(length, radices, Index{1} << block.lanes_log2));
    block.how.shared_bytes = static_cast<std::size_t>(shared(block.lanes_log2));
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
