// One rank's program: operations on numbered buffers, in order. No MPI, no pointers.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/work.hpp"

namespace weft::core {

/// What a buffer is bound to. `both` is the one array of an in-place transform.
enum class Role { input, output, both, work };

/// Every allocation starts at a multiple of this many bytes.
inline constexpr Index alignment = 64;

struct BufferSpec {
    Role role = Role::work;
    Index bytes = 0;
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
/// arrived.
struct PostOp {
    ExchangeTask task;
    int from = 0;
    int to = 0;
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

struct Operation {
    int stage = 0;  ///< the stage of the plan it serves
    std::variant<TransformOp, CopyOp, ScaleOp, PostOp, DrainOp> what;
    bool operator==(const Operation&) const = default;
};

/// Theorems (property tests hold programs to them): every output element is written; sends match
/// receives in size and order; nothing is read before it is written; no buffer is overwritten while
/// live; the input is not written unless it is `both` or may be destroyed.
struct Program {
    int rank = 0;
    std::vector<BufferSpec> buffers;
    std::vector<Operation> operations;

    /// Bytes of all work buffers, each rounded up to the alignment of allocations.
    [[nodiscard]] Index workspace_bytes() const;
    bool operator==(const Program&) const = default;
};

/// One line per operation.
std::string to_string(const Program& program);

}  // namespace weft::core
