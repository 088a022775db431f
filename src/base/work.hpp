// The vocabulary of local work: what a program names and what kernels and nets do. (What engines do
// is in transforms.hpp.) Offsets, strides and extents count elements of the scalar concerned.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/regions.hpp"
#include "base/scalar.hpp"
#include "base/shared_list.hpp"
#include "base/transports.hpp"

namespace weft::core {

/// One loop of a strided operation: `extent` steps of `from` elements in the source and of `to`
/// elements in the destination.
struct Loop {
    Index extent = 1;
    Index from = 0;
    Index to = 0;
    bool operator==(const Loop&) const = default;
};

/// How many steps they make, one loop within the other: the product of the extents.
Index count_of(const std::vector<Loop>& loops);

/// The same steps in as few loops as they make, the slowest first: without loops of one step, and
/// loops that follow each other without a gap on both sides as one.
std::vector<Loop> merged(std::vector<Loop> loops);

/// One level of a strided region: `extent` steps of `stride` elements.
struct Run {
    Index extent = 1;
    Index stride = 1;
    bool operator==(const Run&) const = default;
};

/// A region of a buffer: all offset + sum(i_k * stride_k); runs are listed slowest first, in the
/// order in which the elements travel.
struct Slice {
    Index offset = 0;
    std::vector<Run> runs;
    [[nodiscard]] Index count() const;
    bool operator==(const Slice&) const = default;
};

/// Whether the elements of the slice, in order, are adjacent in memory.
bool contiguous(const Slice& slice);
/// Past its last element in memory.
Index end_of(const Slice& slice);

/// Where part i of n steps begins if `parts` share them evenly; n for i = parts.
template <class Integer, class Count>
constexpr Integer part_begin(Integer n, Count parts, Count i) {
    return n / parts * i + n % parts * i / parts;
}

/// The same of a loop's steps, if long loops are cut where tiles of any engine end.
constexpr Index cut_begin(Index extent, Index parts, Index i) {
    constexpr Index tile = 16;
    const Index grain = extent >= 4 * tile * parts ? tile : 1;
    return i == parts ? extent : part_begin(extent / grain, parts, i) * grain;
}

/// for all loops: to[..] = from[..]. Source and destination do not overlap.
struct CopyTask {
    std::vector<Loop> loops;  ///< slowest first
    Index element_bytes = 0;
    Index from_offset = 0;
    Index to_offset = 0;
    bool operator==(const CopyTask&) const = default;
};
/// Copies a slice to another one with the same extents.
CopyTask copy_task(const Slice& from, const Slice& to, Index element_bytes);
/// Bytes that a copy moves.
Index bytes_of(const CopyTask& task);
/// The loops of a copy with strides in bytes, slowest in the destination first; those of extent 1
/// are dropped, and those that continue each other on both sides merged.
std::vector<Loop> merged_loops(const CopyTask& task);
inline std::vector<Loop>& loops_of(CopyTask& task) { return task.loops; }
inline const std::vector<Loop>& loops_of(const CopyTask& task) { return task.loops; }

/// That part of a task (a copy, or transforms: base/transforms.hpp) which is done in the steps from
/// `begin` to `end` of one of its loops.
template <class Task>
Task part_of(Task task, std::size_t loop, Index begin, Index end) {
    Loop& cut = loops_of(task)[loop];
    cut.extent = end - begin;
    task.from_offset += begin * cut.from;
    task.to_offset += begin * cut.to;
    return task;
}

/// The ranks that exchange data among themselves in one redistribution. Groups of one redistribution partition all
/// ranks, and `key` is the same text on every rank; "all" if there is one group of all ranks.
struct Group {
    std::string key;
    SharedList<int> ranks;  ///< ascending, this rank included; shared, since each exchange has it
    bool operator==(const Group&) const = default;
};

/// What one rank sends to or receives from one peer: slices one after the other.
struct Message {
    int peer = 0;
    std::vector<Slice> slices;
    [[nodiscard]] Index count() const;
    /// Where a contiguous message starts.
    [[nodiscard]] Index offset() const { return slices.front().offset; }
    bool operator==(const Message&) const = default;
};

/// Whether the elements of the message, in order, are adjacent in memory.
bool contiguous(const Message& message);

/// A matrix whose rows are spread over the ranks of a group in blocks, `rows x columns` tuples of
/// so many bytes; transposed, its columns are.
struct MatrixTask {
    Index rows = 0;
    Index columns = 0;
    Index row_block = 0;
    Index column_block = 0;
    Index tuple_bytes = 0;
    bool operator==(const MatrixTask&) const = default;
};

/// One rank's part of a collective exchange between two of its buffers. Messages are listed in the
/// order in which they are best started; a rank has at most one for each peer.
struct ExchangeTask {
    TransportId transport = TransportId::alltoallv;
    Group group;
    Index element_bytes = 0;
    Index chunk = 0;    ///< the most elements that one MPI count may hold
    Index largest = 0;  ///< no rank's slice, offset included, exceeds this: the same on every rank
    std::vector<Message> sends;
    std::vector<Message> receives;
    bool on_arrival = false;  ///< arrivals may be asked for one by one; the same on every rank
    /// The elements of a slot, the same on every rank: the message for (of) the n-th rank of the
    /// group lies n slots from the buffer's start. Unset: messages lie anywhere.
    std::optional<Index> slot{};
    std::optional<MatrixTask> matrix{};  ///< what is to be transposed, where a transport asks so
    bool operator==(const ExchangeTask&) const = default;
};

/// What the other ranks do with a region.
enum class RegionAccess { read, write };

/// The part of a region that one other rank reads or writes, or that is read or written in the
/// region of one other rank: slices of the region of its owner.
struct PeerPart {
    int peer = 0;
    std::vector<Slice> slices;
    bool operator==(const PeerPart&) const = default;
};

/// One rank's part in a use of a region of every rank of its node: what the others read, or write,
/// in its own memory, and what it reads, or writes, in theirs. Nothing is sent.
///
/// Example: 8 x 6 x 4 in slabs on two ranks. Each has 96 elements in its region, first the 48 that
/// rank 0 reads, then the 48 that rank 1 reads. So rank 0 offers {1, 48 from element 48}, which is
/// what rank 1 uses of rank 0, and uses {1, 48 from element 0}, which rank 1 offers to it.
struct RegionTask {
    RegionId region;
    RegionAccess access = RegionAccess::read;
    Index element_bytes = 0;
    std::vector<PeerPart> offered;  ///< in this rank's region, by the rank that uses it
    std::vector<PeerPart> used;     ///< in other ranks' regions, by their owner
    bool operator==(const RegionTask&) const = default;
};

}  // namespace weft::core
