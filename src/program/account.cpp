#include "program/account.hpp"

#include <cmath>

namespace weft::core {

namespace {

Index product(const std::vector<Loop>& loops) {
    Index n = 1;
    for (const Loop& loop : loops) n *= loop.extent;
    return n;
}

void add_flops(Index elements, Index length, bool real, Account& account) {
    if (length < 2) return;
    const double flops = 5 * static_cast<double>(elements) * std::log2(static_cast<double>(length));
    account.flops[length] += real ? flops / 2 : flops;
}

/// `reads`, `writes`: whether that side is memory at all.
void add(const FftTask& task, bool reads, bool writes, Account& account) {
    const Index lines = product(task.looped);
    const Index elements = lines * product(task.transformed);
    if (elements == 0) return;
    const Index length = task.transformed.back().extent;
    const Index halved = elements / length * (length / 2 + 1);
    if (reads) account.read += (task.kind == Kind::c2r ? halved : elements) * task.source().bytes();
    if (writes) {
        account.written += (task.kind == Kind::r2c ? halved : elements) * task.target().bytes();
    }
    for (const Loop& axis : task.transformed) {
        add_flops(elements, axis.extent, task.kind != Kind::c2c, account);
    }
}

Index elements(const std::vector<LinePart>& parts, const PartsTask& task, int scratch) {
    Index lines = 1;
    for (const Index extent : task.loops) lines *= extent;
    Index elements = 0;
    for (const LinePart& part : parts) {
        if (part.place != scratch) elements += lines * part.extent;
    }
    return elements;
}

void add(const PartsTask& task, int scratch, Account& account) {
    account.read += elements(task.from, task, scratch) * task.source().bytes();
    account.written += elements(task.to, task, scratch) * task.target().bytes();
    Index lines = 1;
    for (const Index extent : task.loops) lines *= extent;
    add_flops(lines * task.length, task.length, task.kind != Kind::c2c, account);
}

void add(const CopyTask& task, Account& account) {
    const Index bytes = product(task.loops) * task.element_bytes;
    account.read += bytes;
    account.written += bytes;
}

struct AccountOf {
    Account operator()(const TransformOp& op) const {
        Account account;
        add(op.task, true, true, account);
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
    Account operator()(const FinishOp& op) const {
        Account account;
        for (const auto& copies : op.onward) {
            for (const CopyTask& copy : copies) add(copy, account);
        }
        return account;
    }
    Account operator()(const FusedOp& op) const {
        Account account;
        for (const auto& work : op.work) {
            if (const auto* batch = std::get_if<FusedBatch>(&work)) {
                Account step;
                add(batch->task, batch->from != op.scratch, batch->to != op.scratch, step);
                account.read += op.repeat * step.read;
                account.written += op.repeat * step.written;
                for (const auto& [length, flops] : step.flops) {
                    account.flops[length] += static_cast<double>(op.repeat) * flops;
                }
            } else {
                add(std::get<PartsTask>(work), op.scratch, account);
            }
        }
        return account;
    }
    Account operator()(const PublishOp& /*op*/) const { return {}; }
    Account operator()(const AwaitOp& /*op*/) const { return {}; }
    Account operator()(const ReleaseOp& /*op*/) const { return {}; }
    Account operator()(const ReclaimOp& /*op*/) const { return {}; }
    Account operator()(const PollOp& /*op*/) const { return {}; }
};

}  // namespace

std::vector<Account> accounts(const Program& program) {
    std::vector<Account> result;
    result.reserve(program.operations.size());
    for (const Operation& operation : program.operations) {
        result.push_back(std::visit(AccountOf{}, operation.what));
    }
    return result;
}

}  // namespace weft::core
