#include "kernels/copy.hpp"

#include <algorithm>
#include <cstring>

#include "base/index.hpp"
#include "threads/team.hpp"

namespace weft::core {

Copy::Copy(const CopyTask& task)
    : outer_(merged_loops(task)),
      run_bytes_(task.element_bytes),
      from_offset_(task.from_offset * task.element_bytes),
      to_offset_(task.to_offset * task.element_bytes) {
    const auto dense = [&](const Loop& loop) {
        return loop.from == task.element_bytes && loop.to == task.element_bytes;
    };
    const auto take_inner = [&] {
        if (outer_.empty()) return;
        inner_ = outer_.back();
        outer_.pop_back();
    };
    row_ = &Copy::runs;
    if (outer_.empty()) return;
    if (dense(outer_.back())) {
        run_bytes_ = task.element_bytes * outer_.back().extent;
        outer_.pop_back();
        take_inner();
        return;
    }
    row_ = transpose_for(task.element_bytes);
    take_inner();
    if (outer_.empty()) return;
    const auto fastest = std::min_element(
        outer_.begin(), outer_.end(), [](const Loop& a, const Loop& b) { return a.from < b.from; });
    cross_ = *fastest;
    outer_.erase(fastest);
}

void Copy::execute(const std::byte* from, std::byte* to) const {
    descend(0, from + from_offset_, to + to_offset_);
}

void Copy::descend(std::size_t level, const std::byte* from, std::byte* to) const {
    if (level == outer_.size()) {
        row_(*this, from, to);
        return;
    }
    const Loop& loop = outer_[level];
    for (Index i = 0; i < loop.extent; ++i) {
        descend(level + 1, from + i * loop.from, to + i * loop.to);
    }
}

void Copy::runs(const Copy& copy, const std::byte* from, std::byte* to) {
    const Loop inner = copy.inner_;
    const auto bytes = usize(copy.run_bytes_);
    for (Index i = 0; i < inner.extent; ++i) {
        std::memcpy(to + i * inner.to, from + i * inner.from, bytes);
    }
}

template <std::size_t Bytes>
void Copy::transpose(const Copy& copy, const std::byte* from, std::byte* to) {
    // Tiles of 16 x 16: 256 bytes or more on either side, and few enough pages for the TLB.
    constexpr Index tile = 16;
    const std::size_t bytes = Bytes != 0 ? Bytes : usize(copy.run_bytes_);
    const Loop inner = copy.inner_;
    const Loop cross = copy.cross_;
    for (Index c0 = 0; c0 < cross.extent; c0 += tile) {
        const Index c1 = std::min(c0 + tile, cross.extent);
        for (Index i0 = 0; i0 < inner.extent; i0 += tile) {
            const Index i1 = std::min(i0 + tile, inner.extent);
            for (Index c = c0; c < c1; ++c) {
                const std::byte* source = from + c * cross.from;
                std::byte* target = to + c * cross.to;
                for (Index i = i0; i < i1; ++i) {
                    std::memcpy(target + i * inner.to, source + i * inner.from, bytes);
                }
            }
        }
    }
}

Copy::Row Copy::transpose_for(Index element_bytes) {
    switch (element_bytes) {
        case 4:
            return &Copy::transpose<4>;
        case 8:
            return &Copy::transpose<8>;
        case 16:
            return &Copy::transpose<16>;
        default:
            return &Copy::transpose<0>;
    }
}

namespace {

/// Of loops or runs, slowest first, the one to be cut: the first that leaves no thread idle for
/// long, or the one that leaves them least.
template <class Levels>
auto level_to_cut(Levels& levels, int parts) {
    return std::max_element(levels.begin(), levels.end(), [&](const auto& a, const auto& b) {
        return evenness(a.extent, parts) < evenness(b.extent, parts);
    });
}

/// body(part of the task)
template <class Body>
void cut_copy(const CopyTask& task, int parts, const Body& body) {
    const auto cut = level_to_cut(task.loops, parts);
    if (cut == task.loops.end()) return body(task);
    const auto loop = usize(cut - task.loops.begin());
    for_each_part(cut->extent, parts,
                  [&](Index begin, Index end) { body(part_of(task, loop, begin, end)); });
}

}  // namespace

std::vector<std::vector<Copy>> shared_copies(const std::vector<CopyTask>& tasks, int threads,
                                             Index small) {
    if (tasks.empty()) return {};
    Index bytes = 0;
    for (const CopyTask& task : tasks) bytes += bytes_of(task);
    std::vector<std::vector<Copy>> result(usize(bytes > small ? threads : 1));
    std::vector<Index> load(result.size(), 0);
    const auto give = [&](const CopyTask& task) {
        const auto least = std::min_element(load.begin(), load.end()) - load.begin();
        load[usize(least)] += bytes_of(task);
        result[usize(least)].emplace_back(task);
    };
    const auto parts = static_cast<int>(result.size());
    for (const CopyTask& task : tasks) {
        if (bytes_of(task) > small / parts) {
            cut_copy(task, parts, give);
        } else {
            give(task);
        }
    }
    return result;
}

std::vector<Slice> slices_in_parts(const Slice& slice, Precision precision, int parts,
                                   Index small) {
    std::vector<Slice> result;
    Slice part = slice;
    const auto cut = level_to_cut(part.runs, parts);
    const Index bytes = slice.count() * Scalar{precision, false}.bytes();
    if (parts == 1 || bytes <= small || cut == part.runs.end() || cut->extent < 2) return {slice};
    for_each_part(cut->extent, parts, [&](Index begin, Index end) {
        cut->extent = end - begin;
        part.offset = slice.offset + begin * cut->stride;
        result.push_back(part);
    });
    return result;
}

namespace {

template <class Real>
void scale_run(const Real* from, Real* to, const Run& run, Real factor) {
    if (run.stride == 1) {
        for (Index i = 0; i < run.extent; ++i) to[i] = from[i] * factor;
    } else {
        for (Index i = 0; i < run.extent; ++i) {
            to[i * run.stride] = from[i * run.stride] * factor;
        }
    }
}

/// The runs of the slice from `level` on, slowest first.
template <class Real>
void scale_runs(const Real* from, Real* to, const Slice& slice, std::size_t level, Real factor) {
    if (level >= slice.runs.size()) {
        *to = *from * factor;
    } else if (level + 1 == slice.runs.size()) {
        scale_run(from, to, slice.runs[level], factor);
    } else {
        const Run& run = slice.runs[level];
        for (Index i = 0; i < run.extent; ++i) {
            scale_runs(from + i * run.stride, to + i * run.stride, slice, level + 1, factor);
        }
    }
}

template <class Real>
void scale_slice(const std::byte* from, std::byte* to, const Slice& slice, double factor) {
    scale_runs(reinterpret_cast<const Real*>(from) + slice.offset,
               reinterpret_cast<Real*>(to) + slice.offset, slice, 0, static_cast<Real>(factor));
}

}  // namespace

void scale(Precision precision, const std::byte* from, std::byte* to, const Slice& slice,
           double factor) {
    if (precision == Precision::f64) {
        scale_slice<double>(from, to, slice, factor);
    } else {
        scale_slice<float>(from, to, slice, factor);
    }
}

namespace {

/// The runs of bytes from `level` on, slowest first; the last one is contiguous.
void clear_runs(std::byte* to, const std::vector<Run>& runs, std::size_t level) {
    const Run& run = runs[level];
    if (level + 1 == runs.size()) {
        std::memset(to, 0, usize(run.extent));
        return;
    }
    for (Index i = 0; i < run.extent; ++i) clear_runs(to + i * run.stride, runs, level + 1);
}

}  // namespace

void clear(std::byte* to, const Slice& slice, Index element_bytes) {
    std::vector<Run> runs = {{element_bytes, 1}};
    for (auto run = slice.runs.rbegin(); run != slice.runs.rend(); ++run) {
        if (run->extent == 1) continue;
        const Index stride = run->stride * element_bytes;
        if (runs.size() == 1 && stride == runs.front().extent) {
            runs.front().extent *= run->extent;
        } else {
            runs.insert(runs.begin(), {run->extent, stride});
        }
    }
    clear_runs(to + slice.offset * element_bytes, runs, 0);
}

}  // namespace weft::core
