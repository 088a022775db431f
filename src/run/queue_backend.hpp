// Who does the operations of a program, in queues: the host, or the host with a device.
#pragma once

#include <cstddef>

#include "base/no_copy.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Does operations that a program counter (run/executor.hpp) issues in the program's order. Those
/// of one queue are done in that order. An operation of a queue that keeps no order with the others
/// is issued when all that it comes after (Operation::after) is done.
///
/// Example: transform (0, work), pack (1, work), start (2, exchange, after 1). The host does each
/// as it is issued. A device's queue takes 0 and 1, which are done later; before 2 the counter asks
/// whether 1 is done, or waits for it.
class QueueBackend : NoCopy {
  public:
    /// Waits for all that was issued.
    virtual ~QueueBackend() = default;

    /// Collective, once, after all ranks have made theirs: connects the channels, and looks up
    /// where other ranks' regions are. Throws on all ranks or none.
    virtual void connect() {}
    /// The caller's arrays, until others are given. Nothing is under way.
    virtual void set_arrays(std::byte* /*input*/, std::byte* /*output*/) {}
    /// A new time begins. Whether operations are done when they have been issued.
    virtual bool start() = 0;
    /// Does that operation, or puts it into a queue that does it later. Where it has to wait for
    /// other ranks it does so if it may block; otherwise nothing is done, and false is returned.
    virtual bool issue(std::size_t number, bool block) = 0;
    /// Issues all operations at once, if this is a time at which that can be done.
    virtual bool issue_all() { return false; }
    /// Whether operations of that queue are done after what they come after, whenever they are
    /// issued.
    [[nodiscard]] virtual bool keeps_order(Queue /*queue*/) const { return true; }
    /// Whether an operation that was issued is done; wait() waits until it is.
    [[nodiscard]] virtual bool done(std::size_t /*number*/) { return true; }
    virtual void wait(std::size_t /*number*/) {}
    /// Whether all operations of this time are done, which have been issued; waits if it may block.
    virtual bool finish(bool /*block*/) { return true; }

    /// Whether that operation may wait for other ranks even if it may not block.
    [[nodiscard]] virtual bool start_waits(std::size_t /*number*/) const { return false; }
    /// Detaches from exchanges in flight. Waits for all work that queues were given, because it
    /// refers to the caller's arrays.
    virtual void abandon() {}
    /// Once started: what is issued comes after all that the caller has put into its stream.
    virtual void follow_caller() {}
    /// Once all is issued: whether another program's work, issued from now on, comes after it.
    virtual bool hands_over() { return false; }
    /// After issue() or done() has thrown because a device failed: operations that are left
    /// exchange with the other ranks as they expect it, and compute nothing. False, and nothing is
    /// changed, if something else has failed, or they go on like that already.
    virtual bool carry_on_without_device() { return false; }
    /// Exchanges that a device does by itself are given up, since some rank has failed. What was
    /// issued is done.
    virtual void give_up_device_exchanges() {}
};

}  // namespace weft::core
