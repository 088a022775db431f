// The steps of a program while it is made.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "program/program.hpp"
#include "program/storage.hpp"

namespace weft::core {

/// The purpose of operations that have one only: of all but copies.
constexpr Purpose purpose_of(const TransformOp& /*op*/) { return Purpose::transform; }
constexpr Purpose purpose_of(const FusedOp& /*op*/) { return Purpose::transform; }
constexpr Purpose purpose_of(const ScaleOp& /*op*/) { return Purpose::scale; }
constexpr Purpose purpose_of(const StartOp& /*op*/) { return Purpose::exchange; }
constexpr Purpose purpose_of(const FinishOp& /*op*/) { return Purpose::exchange; }
constexpr Purpose purpose_of(const PublishOp& /*op*/) { return Purpose::exchange; }
constexpr Purpose purpose_of(const AwaitOp& /*op*/) { return Purpose::exchange; }
constexpr Purpose purpose_of(const ReleaseOp& /*op*/) { return Purpose::exchange; }
constexpr Purpose purpose_of(const ReclaimOp& /*op*/) { return Purpose::exchange; }
constexpr Purpose purpose_of(const PollOp& /*op*/) { return Purpose::poll; }

/// Adds an operation that serves that stage of the plan.
template <class Op>
void append(std::vector<Operation>& operations, int stage, const Op& op) {
    operations.push_back({stage, purpose_of(op), op});
}

/// Adds copies between two buffers.
inline void append_copies(std::vector<Operation>& operations, int stage, Purpose purpose,
                          const std::vector<CopyTask>& copies, int from, int to, int peer = -1) {
    for (const CopyTask& copy : copies) {
        operations.push_back({stage, purpose, CopyOp{copy, from, to, peer}});
    }
}

/// The buffers of a step: of the value it makes, and of those before it, the newest first.
struct Places {
    int to = 0;
    int from = 0;
    int second = 0;
    int third = 0;
    int scratch = -1;  ///< what steps use within themselves; -1: none do
};

/// Collects the steps of a program as a chain of values; buffers are assigned at the end.
class Chain {
  public:
    using Emit = std::function<void(std::vector<Operation>&, const Places&)>;

    Chain(Index input_bytes, const ArrayUse& use) : use_(use), bytes_{input_bytes} {}

    /// A step that makes a value of `bytes` from the last one.
    void add(Index bytes, const StepNeeds& needs, Emit emit) {
        bytes_.push_back(bytes);
        needs_.push_back(needs);
        emits_.push_back(std::move(emit));
    }
    void need_scratch(Index bytes) { scratch_bytes_ = std::max(scratch_bytes_, bytes); }
    /// The buffers of the program; its operations are not made.
    [[nodiscard]] std::vector<BufferSpec> buffers() const { return storage().buffers; }
    [[nodiscard]] Program program(int rank) const {
        const Storage storage = this->storage();
        Program program{rank, storage.buffers, {}};
        const int scratch = scratch_bytes_ > 0 ? static_cast<int>(program.buffers.size()) - 1 : -1;
        for (std::size_t i = 0; i < emits_.size(); ++i) {
            const auto ago = [&](std::size_t values) {
                return storage.buffer_of[i + 1 - std::min(values, i + 1)];
            };
            emits_[i](program.operations, {ago(0), ago(1), ago(2), ago(3), scratch});
        }
        return program;
    }

  private:
    /// Of the values; scratch memory is the last buffer.
    [[nodiscard]] Storage storage() const {
        Storage result = place_values(bytes_, needs_, use_);
        if (scratch_bytes_ > 0) result.buffers.push_back({Role::work, scratch_bytes_});
        return result;
    }

    ArrayUse use_;
    std::vector<Index> bytes_;
    std::vector<StepNeeds> needs_;
    std::vector<Emit> emits_;
    Index scratch_bytes_ = 0;
};

}  // namespace weft::core
