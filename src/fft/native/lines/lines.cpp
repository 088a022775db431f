#include "fft/native/lines/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>

namespace weft::core::native {

namespace {

/// Loops without those of one step, slowest first, those that are one loop joined.
std::vector<Loop> simplified(std::vector<Loop> loops) {
    loops.erase(std::remove_if(loops.begin(), loops.end(),
                               [](const Loop& loop) { return loop.extent == 1; }),
                loops.end());
    std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
        return std::pair(std::abs(a.to), std::abs(a.from)) >
               std::pair(std::abs(b.to), std::abs(b.from));
    });
    std::vector<Loop> result;
    result.reserve(loops.size());
    for (const Loop& loop : loops) {
        Loop* last = result.empty() ? nullptr : &result.back();
        if (last != nullptr && last->from == loop.extent * loop.from &&
            last->to == loop.extent * loop.to) {
            *last = {last->extent * loop.extent, loop.from, loop.to};
        } else {
            result.push_back(loop);
        }
    }
    return result;
}

/// How well the steps of a loop serve as lanes: full tiles first, then adjacent ones.
double lane_quality(const Loop& loop, Index lanes) {
    const Index tiles = (loop.extent + lanes - 1) / lanes;
    const double filled = static_cast<double>(loop.extent) / static_cast<double>(tiles * lanes);
    const double adjacent = (loop.from == 1 ? 0.25 : 0) + (loop.to == 1 ? 0.25 : 0);
    return filled + adjacent;
}

Loop take_lane_loop(std::vector<Loop>& loops, Index lanes) {
    if (loops.empty()) return {};
    const auto best =
        std::max_element(loops.begin(), loops.end(), [&](const Loop& a, const Loop& b) {
            return lane_quality(a, lanes) < lane_quality(b, lanes);
        });
    const Loop result = *best;
    loops.erase(best);
    return result;
}

/// body(from, to) at each step of the loops, of which the last is the fastest.
template <class T, class Body>
void for_each_step(std::span<const Loop> loops, const T* from, T* to, const Body& body) {
    if (loops.empty()) return body(from, to);
    const Loop loop = loops.front();
    const std::span<const Loop> faster = loops.subspan(1);
    for (Index i = 0; i < loop.extent; ++i) {
        const T* source = from + i * loop.from;
        T* target = to + i * loop.to;
        if (faster.empty()) {
            body(source, target);
        } else {
            for_each_step(faster, source, target, body);
        }
    }
}

}  // namespace

template <class T>
Lines<T>::Lines(const FftTask& task, const Kernels<T>& kernels, std::unique_ptr<TilePlan> tiles)
    : tiles_(std::move(tiles)), far_from_(task.caches.far_from) {
    std::vector<Loop> loops = simplified(task.looped);
    lane_ = in_numbers(take_lane_loop(loops, kernels.lanes), task.line);
    for (const Loop& loop : loops) {
        const Loop numbers = in_numbers(loop, task.line);
        const bool within = std::abs(numbers.from) < std::abs(lane_.from) &&
                            std::abs(numbers.to) < std::abs(lane_.to);
        (within ? inner_ : outer_).push_back(numbers);
    }
}

template <class T>
bool can_stream(const Kernels<T>& kernels, const Lanes<T>& to) {
    constexpr Index line = 64;
    const auto aligned = [](Index bytes) { return bytes % line == 0; };
    const Index vector = kernels.lanes * static_cast<Index>(sizeof(T));
    return to.lanes >= kernels.lanes && to.lane_step == 2 && aligned(vector) &&
           aligned(to.step * static_cast<Index>(sizeof(T))) &&
           aligned(static_cast<Index>(reinterpret_cast<std::uintptr_t>(to.data)));
}

template <class T>
void Lines<T>::execute(const T* from, T* to) {
    const Index most = tiles_->lines();
    for_each_step(outer_, from, to, [&](const T* first, T* result) {
        for (Index i = 0; i < lane_.extent; i += most) {
            const Index count = std::min(most, lane_.extent - i);
            for_each_step(inner_, first + i * lane_.from, result + i * lane_.to,
                          [&](const T* one, T* its) { execute_tile(one, its, count); });
        }
    });
    tiles_->complete();
}

template <class T>
void Lines<T>::execute_tile(const T* from, T* to, Index count) {
    const auto* source = reinterpret_cast<const std::byte*>(from);
    const auto* next = reinterpret_cast<const std::byte*>(from + count * lane_.from);
    auto* target = reinterpret_cast<std::byte*>(to);
    tiles_->execute(&source, &target, count, far_from_ ? &next : nullptr);
}

Loop lane_loop(const FftTask& task, Index lanes) {
    std::vector<Loop> loops = simplified(task.looped);
    return take_lane_loop(loops, lanes);
}

Index in_one_set(Index elements, Index step) {
    constexpr Index way_bytes = 4096;
    return elements * std::gcd(step, way_bytes) / way_bytes;
}

Index most_lines(const FftTask& task) {
    Index lines = 1;
    for (const Loop& loop : task.looped) lines = std::max(lines, loop.extent);
    return lines;
}

bool are_few(const FftTask& task, Index lanes) {
    return !task.line.reproducible && 2 * most_lines(task) <= lanes;
}

template bool can_stream(const Kernels<float>&, const Lanes<float>&);
template bool can_stream(const Kernels<double>&, const Lanes<double>&);
template class Lines<float>;
template class Lines<double>;

}  // namespace weft::core::native
