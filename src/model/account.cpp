#include "model/account.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace weft::core {

namespace {

/// Of each line, in the places that count.
template <class Counts>
Index elements(const FusedOp& op, const std::vector<Segments>& side, const Counts& counts) {
    Index elements = 0;
    for (const Segments& alike : side) {
        for (const SegmentBegin& one : alike.begins) {
            if (counts(op.places[usize(one.place)])) elements += alike.first.extent;
        }
    }
    return elements;
}

Index lines_of(const FusedLines& batch) {
    Index lines = batch.lanes;
    for (const Index extent : batch.loops) lines *= extent;
    return lines;
}

void add(const FusedOp& op, const FusedLines& batch, Account& account) {
    const LineTransform& line = batch.line;
    const Index lines = lines_of(batch);
    const auto in_memory = [&](const BufferRef& place) { return place.buffer != op.scratch; };
    account.read += lines * elements(op, batch.from, in_memory) * line.source().bytes();
    account.written += lines * elements(op, batch.to, in_memory) * line.target().bytes();
    account.add_flops(lines * line.length, line.length, line.kind != Kind::c2c);
}

void add(const CopyTask& task, Account& account) {
    const Index bytes = bytes_of(task);
    account.read += bytes;
    account.written += bytes;
}

struct AccountOf {
    const Program& program;
    std::size_t number;

    Account operator()(const TransformOp& op) const {
        Account account;
        account.add(op.task, true, true);
        return account;
    }
    Account operator()(const CopyOp& op) const {
        Account account;
        add(op.task, account);
        return account;
    }
    Account operator()(const ScaleOp& op) const {
        const Index bytes = op.slice.count() * (op.precision == Precision::f64 ? 8 : 4);
        return {bytes, bytes, {}};
    }
    Account operator()(const ConvertOp& op) const {
        const Index whole = op.slice.count() * (op.precision == Precision::f64 ? 8 : 4);
        return op.halves ? Account{whole, whole / 2, {}} : Account{whole / 2, whole, {}};
    }
    Account operator()(const ClearOp& op) const {
        Account account;
        for (const Slice& slice : op.slices) account.written += slice.count() * op.element_bytes;
        return account;
    }
    Account operator()(const StartOp& op) const {
        Account account;
        for (const Message& send : op.task.sends) {
            account.read += send.count() * op.task.element_bytes;
        }
        for (const Message& receive : op.task.receives) {
            account.written += receive.count() * op.task.element_bytes;
        }
        return account;
    }
    Account operator()(const FusedOp& op) const {
        Account account;
        for (const auto& work : op.work) {
            if (const auto* batch = std::get_if<TransformOp>(&work)) {
                Account step;
                step.add(batch->task, batch->from != op.scratch, batch->to != op.scratch);
                account.read += op.repeat * step.read;
                account.written += op.repeat * step.written;
                for (const auto& [length, flops] : step.flops) {
                    account.flops[length] += static_cast<double>(op.repeat) * flops;
                }
            } else if (const auto* copy = std::get_if<FusedCopy>(&work)) {
                const auto is_far = [&](int place) {
                    return op.places[usize(place)].buffer != op.scratch;
                };
                const Index bytes = op.repeat * bytes_of(copy->task);
                if (is_far(copy->from)) account.read += bytes;
                if (is_far(copy->to)) account.written += bytes;
            } else if (const auto* lines = std::get_if<FusedLines>(&work)) {
                add(op, *lines, account);
            }
        }
        return account;
    }
    /// Messages are as if they arrived in the order of the receives.
    Account operator()(const OnwardOp& op) const {
        Account account;
        for (const CopyTask& copy : onward_copies(program, number, op.turn)) add(copy, account);
        return account;
    }
    Account operator()(const HopOp& op) const {
        Account account;
        for (const CopyTask& copy : op.copies) account.read += bytes_of(copy);
        account.written = account.read;
        return account;
    }
    /// What waits, and what ranks tell each other.
    template <class Op>
    Account operator()(const Op& /*op*/) const {
        return {};
    }
};

}  // namespace

std::vector<Account> accounts(const Program& program) {
    std::vector<Account> result;
    result.reserve(program.operations.size());
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        result.push_back(std::visit(AccountOf{program, i}, program.operations[i].what));
    }
    return result;
}

Index far_bytes(const Operation& operation) {
    const auto is_far = [](const BufferRef& place) { return place.rank.has_value(); };
    if (const auto* copy = std::get_if<CopyOp>(&operation.what)) {
        return is_far(copy->from) ? bytes_of(copy->task) : 0;
    }
    const auto* pass = std::get_if<FusedOp>(&operation.what);
    if (pass == nullptr || std::none_of(pass->places.begin(), pass->places.end(), is_far)) return 0;
    Index bytes = 0;
    for (const auto& work : pass->work) {
        if (const auto* copy = std::get_if<FusedCopy>(&work)) {
            const bool far =
                is_far(pass->places[usize(copy->from)]) || is_far(pass->places[usize(copy->to)]);
            if (far) bytes += pass->repeat * bytes_of(copy->task);
        } else if (const auto* lines = std::get_if<FusedLines>(&work)) {
            const LineTransform& line = lines->line;
            bytes +=
                lines_of(*lines) * (elements(*pass, lines->from, is_far) * line.source().bytes() +
                                    elements(*pass, lines->to, is_far) * line.target().bytes());
        }
    }
    return bytes;
}

}  // namespace weft::core
