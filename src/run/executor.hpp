// The one executor: a program counter over a program's operations and what they come after.
//
// It issues operations to a backend (run/queue_backend.hpp): the host, which does each at once, or
// a device, whose queues do them later.
//
// Operations name buffers by number. One table says where each lies: work buffers and regions where
// they were bound, the caller's arrays where start() says, so one executor runs on any arrays of
// the same layout. Example: start(in, out) sets `in` and `out`; the forward slab transform of
// `weft explain '8x6x4; engine=reference' --ranks 2 --program` then goes in -> work2 (transform),
// work2 -> work1 (pack), work1 -> work0 (exchange), work2 -> out (keep), work0 -> out (unpack),
// out -> out (transform).
#pragma once

#include <memory>
#include <utility>

#include "net/net.hpp"
#include "run/bound.hpp"
#include "run/engine_plans.hpp"
#include "run/queue_backend.hpp"

namespace weft::core {

/// Runs one program on one rank. Everything is prepared in the constructor; running allocates
/// nothing. It stops where it would have to wait, so that ranks of one process can take turns.
class Executor {
  public:
    /// Local; the program's groups have been joined and its regions shared, and all ranks construct
    /// their executors in the same order. Local work is shared out among the team's threads, MPI is
    /// called by this one. Program, team and net outlive it. In place both arrays are the one.
    Executor(const Program& program, const Bound& bound, EnginePlans& plans, const Workers& workers,
             Net& net);
    Executor(const Program& program, std::unique_ptr<QueueBackend> backend)
        : program_(program), backend_(std::move(backend)) {}

    /// Collective, once, after all ranks have made theirs.
    void connect() { backend_->connect(); }
    /// Back to the first operation, on the arrays of the last time.
    void start() {
        next_ = 0;
        if (!idle_) abandon();
        idle_ = backend_->start();
    }
    /// On these: multiples of the engine's alignment, unless it was bound for any alignment, and
    /// those that it was bound to if it is fixed.
    void start(std::byte* input, std::byte* output) {
        if (!idle_) abandon();
        backend_->set_arrays(input, output);
        start();
    }
    void abandon() { backend_->abandon(); }
    /// Whether all of it has been issued, and another executor may use these queues, whose work
    /// comes after this one's.
    bool hands_over() { return issued() && backend_->hands_over(); }
    /// The number of the operation that comes next.
    [[nodiscard]] std::size_t next() const { return next_; }
    [[nodiscard]] bool done() const { return issued() && idle_; }
    /// Whether the next operation, or any, may wait for other ranks even in advance(): it starts an
    /// exchange by a call that waits.
    [[nodiscard]] bool next_waits() const { return !issued() && backend_->start_waits(next_); }
    [[nodiscard]] bool any_waits() const;
    /// Issues the next operation. Where it has to wait for other ranks, or for what it comes after,
    /// it does so if it may block; otherwise it is still the next one, and false is returned.
    bool advance(bool block = false);
    [[nodiscard]] QueueBackend& backend() const { return *backend_; }

  private:
    [[nodiscard]] bool issued() const { return next_ == program_.operations.size(); }
    /// Whether all is done that the next operation comes after; it waits if it may block.
    bool is_due(bool block);

    const Program& program_;
    std::unique_ptr<QueueBackend> backend_;
    std::size_t next_ = 0;
    bool idle_ = true;  ///< all that was issued is done
};

}  // namespace weft::core
