// One rank's program: operations on numbered buffers, in order. No MPI, no pointers.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/transforms.hpp"
#include "base/windows.hpp"
#include "base/work.hpp"

namespace weft::core {

/// What a buffer is bound to. `both` is the one array of an in-place transform. A `window` can be
/// read by the other ranks of the node; the n-th one of every rank's programs is the same memory.
enum class Role { input, output, both, work, window };

/// Every allocation starts at a multiple of this many bytes.
inline constexpr Index alignment = 64;

struct BufferSpec {
    Role role = Role::work;
    Index bytes = 0;
    bool shown = false;  ///< an output array to which others write
    /// The bytes up to where a next buffer may start.
    [[nodiscard]] Index room() const { return (bytes + alignment - 1) / alignment * alignment; }
    bool operator==(const BufferSpec&) const = default;
};

/// A batch of serial transforms from one buffer to another.
struct TransformOp {
    FftTask task;
    int from = 0;
    int to = 0;
    bool operator==(const TransformOp&) const = default;
};

/// A strided copy: pack, unpack, reorder.
struct CopyOp {
    CopyTask task;
    int from = 0;
    int to = 0;
    int peer = -1;  ///< the rank whose window `from` is; -1: this one
    bool operator==(const CopyOp&) const = default;
};

/// to = factor * from, for the real numbers of a slice; from and to may be the same buffer.
struct ScaleOp {
    Precision precision = Precision::f64;
    Slice slice;
    double factor = 1;
    int from = 0;
    int to = 0;
    bool operator==(const ScaleOp&) const = default;
};

/// Starts an exchange; the buffers belong to it until its DrainOp, what is received until it has
/// arrived. From a window others may read from now on, until it is claimed; their windows may be
/// read between the DrainOp and the ReleaseOp.
struct PostOp {
    ExchangeTask task;
    int from = 0;
    int to = 0;  ///< -1: nothing is received
    bool operator==(const PostOp&) const = default;
};

/// Waits for the exchange that operation number `post` started. Copies of onward[i] are run when
/// its receive number i has arrived, between two other buffers than it sends from ([duy]'s
/// Isend_Waitsome); with none all messages are waited for together.
struct DrainOp {
    std::size_t post = 0;
    std::vector<std::vector<CopyTask>> onward{};
    int from = 0;  ///< of the copies
    int to = 0;
    bool operator==(const DrainOp&) const = default;
};

/// Waits until nobody reads any longer what was last posted from a window, so that it may be
/// written again; or, if others write to it, until they have written.
struct ClaimOp {
    int window = 0;  ///< the buffer
    bool operator==(const ClaimOp&) const = default;
};

/// Tells those whose windows operation number `post` let this rank read, or write to, that it has.
struct ReleaseOp {
    std::size_t post = 0;
    bool operator==(const ReleaseOp&) const = default;
};

/// Looks after the exchanges that have been started and not drained yet, which may need it to go
/// on.
struct PollOp {
    bool operator==(const PollOp&) const = default;
};

/// An array that a fused operation works on: a buffer of this rank, or that window of another.
struct Place {
    int buffer = 0;
    int rank = -1;  ///< -1: this one
    bool operator==(const Place&) const = default;
};

/// A batch of serial transforms between two places; from_step and to_step elements on for each
/// repetition.
struct FusedBatch {
    FftTask task;
    int from = 0;
    int to = 0;
    Index from_step = 0;
    Index to_step = 0;
    bool operator==(const FusedBatch&) const = default;
};

/// Where a segment of the lines of a batch begins: in step i_k of each loop k, offset +
/// sum(i_k * strides[k]) elements after the start of that place.
struct SegmentBegin {
    int place = 0;
    Index offset = 0;
    std::vector<Index> strides;  ///< by loop
    bool operator==(const SegmentBegin&) const = default;
};

/// A batch of transforms of lines in segments, each of which lies in a place of its own: segment i
/// of a side of the tile begins where from[i] (to[i]) says, line after line as its lane_step says.
struct FusedLines {
    TileTask tile;
    std::vector<Index> loops{};  ///< extents, slowest first: the operation's loop, then others
    Index lanes = 1;             ///< lines in each step of the loops
    std::vector<SegmentBegin> from{};
    std::vector<SegmentBegin> to{};
    bool operator==(const FusedLines&) const = default;
};

/// One pass over memory: all of `work` for each of `repeat` steps of a loop, so that what one hands
/// to the next stays in the caches. Steps may be done in any order and by several threads, of which
/// each has its part of the scratch memory.
struct FusedOp {
    Index repeat = 1;
    std::vector<Place> places;
    std::vector<std::variant<FusedBatch, FusedLines>> work;
    int scratch = -1;  ///< the place which is scratch memory, so many bytes for each thread
    Index scratch_bytes = 0;
    bool operator==(const FusedOp&) const = default;
};

/// What an operation is done for. keep: copies elements that stay with the rank; reorder: copies
/// that serve no redistribution; exchange: messages, and what ranks tell each other of windows.
enum class Purpose { transform, pack, keep, unpack, reorder, scale, exchange, poll };

struct Operation {
    int stage = 0;  ///< the stage of the plan it serves
    Purpose purpose = Purpose::exchange;
    std::variant<TransformOp, CopyOp, ScaleOp, PostOp, DrainOp, ClaimOp, ReleaseOp, FusedOp, PollOp>
        what;
    bool operator==(const Operation&) const = default;
};

/// Theorems (property tests hold programs to them): every output element is written; sends match
/// receives in size and order; nothing is read before it is written; no buffer is overwritten while
/// live, by its own rank or one that reads it as a window, over successive executions; the input is
/// not written unless it is `both` or may be destroyed.
struct Program {
    int rank = 0;
    std::vector<BufferSpec> buffers;
    std::vector<Operation> operations;
    bool assisted = false;  ///< exchanges that have been posted are another thread's to look after

    /// Bytes of all work buffers, each rounded up to the alignment of allocations.
    [[nodiscard]] Index workspace_bytes() const;
    /// Of each window.
    [[nodiscard]] std::vector<Index> window_bytes() const;
    /// Which window a buffer is: 0 for the first one, output_window and input_window for arrays
    /// that are shown; -1: it is none.
    [[nodiscard]] int window_number(int buffer) const;
    bool operator==(const Program&) const = default;
};

/// What kind of operation it is, in a word.
std::string name(const Operation& operation);
std::string_view name_of(Purpose purpose);

/// One line per operation.
std::string to_string(const Program& program);

}  // namespace weft::core
