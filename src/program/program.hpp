// One rank's program: operations on numbered buffers, in order. No MPI, no pointers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/devices.hpp"
#include "base/fused_lines.hpp"
#include "base/transforms.hpp"
#include "base/work.hpp"

namespace weft::core {

/// What a buffer is bound to. `both` is the one array of an in-place transform. A `region` is
/// memory of weft's that the other ranks of the node read; the n-th one of every rank's programs is
/// work region n.
enum class Role { input, output, both, work, region };

/// Every allocation starts at a multiple of this many bytes.
inline constexpr Index alignment = 64;

struct BufferSpec {
    Role role = Role::work;
    Index bytes = 0;
    bool exposed = false;  ///< an array that other ranks read or write, as a region
    MemorySpace space = MemorySpace::host;
    /// The bytes up to where a next buffer may start.
    [[nodiscard]] Index room() const { return (bytes + alignment - 1) / alignment * alignment; }
    bool operator==(const BufferSpec&) const = default;
};

/// A batch of serial transforms from one buffer to another.
struct TransformOp {
    FftTask task;
    int from = 0;
    int to = 0;
    Index from_step = 0;  ///< elements on each time, where a fused pass repeats it
    Index to_step = 0;
    bool operator==(const TransformOp&) const = default;
};

/// A buffer of this rank, or the same region of another rank of the node.
struct BufferRef {
    int buffer = 0;
    std::optional<int> rank{};  ///< the other rank
    bool operator==(const BufferRef&) const = default;
};

/// A strided copy: pack, unpack, reorder.
struct CopyOp {
    CopyTask task;
    BufferRef from;
    int to = 0;
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

/// The real numbers of a slice at the same places of the other buffer, in half of the bytes or from
/// there (weft::Wire): of f64 numbers f32 ones, of f32 numbers bf16 ones.
struct ConvertOp {
    Precision precision = Precision::f64;  ///< of the whole numbers
    bool halves = true;                    ///< to half of the bytes
    Slice slice;
    int from = 0;
    int to = 0;
    bool operator==(const ConvertOp&) const = default;
};

/// to = 0, for the elements of slices: those that a redistribution brings from nobody.
struct ClearOp {
    Index element_bytes = 0;
    std::vector<Slice> slices;
    int to = 0;
    bool operator==(const ClearOp&) const = default;
};

/// Copies between the memory of the host and of the device, either way.
struct HopOp {
    std::vector<CopyTask> copies;
    int from = 0;
    int to = 0;
    bool operator==(const HopOp&) const = default;
};

/// Starts an exchange of messages; the buffers belong to it until its FinishOp, what is received
/// until it has arrived.
struct StartOp {
    ExchangeTask task;
    int from = 0;
    int to = 0;
    /// The copies that unpack receive number i, where messages are unpacked as they arrive ([duy]'s
    /// Isend_Waitsome): in arrivals[i]. Empty: OnwardOps unpack none of them.
    std::vector<std::vector<CopyTask>> arrivals{};
    bool operator==(const StartOp&) const = default;
};

/// Waits until the exchange that operation number `start` started is complete.
struct FinishOp {
    std::size_t start = 0;
    bool operator==(const FinishOp&) const = default;
};

/// Waits until one more message of the exchange has arrived, any of those that have not before: for
/// the `turn`-th time. An exchange has as many of them as receives, or none.
struct ArrivalOp {
    std::size_t start = 0;
    std::size_t turn = 0;
    bool operator==(const ArrivalOp&) const = default;
};

/// Takes the message onward that the ArrivalOp of that turn found: by its purpose it hops to the
/// same elements of a buffer of the device, or it is unpacked. Neither buffer is the one that the
/// exchange sends from. Example, two receives of which the second one arrives first:
///
///     arrival turn 0 (finds receive 1), onward turn 0 (unpacks by arrivals[1] of the start),
///     arrival turn 1 (finds receive 0), onward turn 1 (unpacks by arrivals[0])
struct OnwardOp {
    std::size_t start = 0;
    std::size_t turn = 0;
    int from = 0;
    int to = 0;
    bool operator==(const OnwardOp&) const = default;
};

/// From now on the other ranks may use this rank's region as the task says, until it is reclaimed.
///
/// A region is used so, on each of its ranks: its owner reclaims and writes it, publishes it,
/// awaits the others' publications, reads their regions and releases them. Where others write, its
/// owner publishes it when it needs nothing in it any longer, and finds what they wrote once it has
/// reclaimed it.
struct PublishOp {
    RegionTask task;
    int region = 0;  ///< the buffer
    bool operator==(const PublishOp&) const = default;
};

/// Waits until all whose regions this rank uses have published them, for the use that operation
/// number `publish` began here. Their regions may be used until this rank's ReleaseOp.
struct AwaitOp {
    std::size_t publish = 0;
    bool operator==(const AwaitOp&) const = default;
};

/// Tells all whose regions this rank uses, as operation number `publish` says, that it has.
struct ReleaseOp {
    std::size_t publish = 0;
    bool operator==(const ReleaseOp&) const = default;
};

/// Waits until all to whom a region was offered have released it, so that its owner may write it
/// again, or read what they wrote.
struct ReclaimOp {
    int region = 0;  ///< the buffer
    bool operator==(const ReclaimOp&) const = default;
};

/// Looks after the exchanges that have been started and not finished yet, which may need it to go
/// on.
struct PollOp {
    bool operator==(const PollOp&) const = default;
};

/// In each step of a fused pass, copies between a part of the array and scratch memory.
struct FusedCopy {
    CopyTask task;  ///< of the first step
    int from = 0;   ///< the number of a place
    int to = 0;
    Index from_step = 0;  ///< elements on each step
    Index to_step = 0;
    bool operator==(const FusedCopy&) const = default;
};

/// In each step of a fused pass, sets to zero what lies in scratch memory: elements that a
/// redistribution brings from nobody stay so.
struct FusedClear {
    Slice slice;
    Index element_bytes = 0;
    int place = 0;                ///< the number of one
    Box box;                      ///< what lies there in the first step
    std::optional<int> repeat{};  ///< the axis of the array along which the pass goes on
    bool operator==(const FusedClear&) const = default;
};

/// One pass over memory: all of `work` for each of `repeat` steps of a loop, so that what one hands
/// to the next stays in the caches. Steps may be done in any order and by several threads, of which
/// each has its part of the scratch memory.
struct FusedOp {
    Index repeat = 1;
    std::vector<BufferRef> places;  ///< all that it works on
    std::vector<std::variant<TransformOp, FusedLines, FusedCopy, FusedClear>> work;
    std::optional<int> scratch{};  ///< the buffer that is scratch memory
    Index scratch_bytes = 0;       ///< of it, for each thread
    bool operator==(const FusedOp&) const = default;
};

/// What an operation is done for. keep: copies elements that stay with the rank; reorder: copies
/// that serve no redistribution; exchange: messages, and what ranks tell each other of regions;
/// hop: between the host's memory and the device's.
enum class Purpose { transform, pack, keep, unpack, reorder, scale, exchange, poll, hop };

/// The queue that an operation is issued to. work: computing and copying; exchange: messages and
/// regions; hop: copies between the host's and the device's memory; hop_back: copies from the device
/// that run beside those. Without a device, one thread runs every operation in program order. With
/// one, work, hop and hop_back are streams of the device, and the host runs exchange. Every order
/// that keeps the order within each queue and `Operation::after` gives the same results.
enum class Queue { work, exchange, hop, hop_back };
inline constexpr std::size_t queues = 4;

/// The queue of operations that are done for it, unless another one is given.
constexpr Queue queue_of(Purpose purpose) {
    if (purpose == Purpose::hop) return Queue::hop;
    const bool exchanges = purpose == Purpose::exchange || purpose == Purpose::poll;
    return exchanges ? Queue::exchange : Queue::work;
}

struct Operation {
    int stage = 0;  ///< the stage of the plan it serves
    Purpose purpose = Purpose::exchange;
    std::variant<TransformOp, CopyOp, ScaleOp, FusedOp, StartOp, FinishOp, PublishOp, AwaitOp,
                 ReleaseOp, ReclaimOp, PollOp, HopOp, ArrivalOp, OnwardOp, ClearOp, ConvertOp>
        what;
    std::optional<int> tile{};  ///< that it serves, of those of all fields; none: all of them
    Queue queue = queue_of(purpose);
    /// The last operation of each other queue that has to be done before it, where there is one;
    /// ascending.
    std::vector<std::size_t> after{};
    Index times = 1;  ///< so many operations that are alike, in a sketch
    bool operator==(const Operation&) const = default;
};

/// Theorems (property tests hold programs to them): every output element is written; sends match
/// receives in size and order; nothing is read before it is written; no buffer is overwritten while
/// live, by its own rank or one that reads it as a region, over successive executions; the input is
/// not written unless it is `both` or may be destroyed.
struct Program {
    int rank = 0;
    std::vector<BufferSpec> buffers;
    std::vector<Operation> operations;
    bool assisted = false;  ///< exchanges that have been started are another thread's to look after
    /// Work buffers of the host are for staging then. A rank without elements has no others.
    bool on_device = false;

    /// Bytes of all work buffers, each rounded up to the alignment of allocations: those that
    /// transforms and copies work in, on the device if there is one.
    [[nodiscard]] Index workspace_bytes() const;
    /// Bytes of all work buffers on the host that data is staged in on its way from and to the
    /// device.
    [[nodiscard]] Index staging_bytes() const;
    bool operator==(const Program&) const = default;
};

/// What programs that run one after the other need besides the caller's arrays.
struct Memory {
    Index workspace_bytes = 0;
    std::vector<Index> region_bytes;  ///< of each work region
    Index staging_bytes = 0;          ///< on the host, for a device

    [[nodiscard]] Index all_region_bytes() const;
    bool operator==(const Memory&) const = default;
};
Memory memory_of(const Program& program);
Memory memory_of(const Program& forward, const Program& backward);
Memory memory_of(const Memory& forward, const Memory& backward);

/// The copies by which operation number `number`, an OnwardOp, takes that receive onward.
std::vector<CopyTask> onward_copies(const Program& program, std::size_t number,
                                    std::size_t receive);
/// From each slice to the same elements of another buffer.
std::vector<CopyTask> same_place_copies(const std::vector<Slice>& slices, Index element_bytes);
/// The operation (the step of a draft) that this one names: the one that started the exchange, or
/// published the region, that it is about; null if it names none.
std::size_t* named_step(Operation& operation);
/// What kind of operation it is, in a word.
std::string name(const Operation& operation);
std::string_view name_of(Purpose purpose);

/// One line per operation.
std::string to_string(const Program& program);

}  // namespace weft::core
