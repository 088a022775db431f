// Transforms between their start and their completion: each goes on whenever one is waited for.
#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/no_copy.hpp"
#include "net/ending.hpp"
#include "run/executor.hpp"

namespace weft::core {

class Execution;

/// The executions of a process that have been started and are not complete, in the order in which
/// they were started. Every thread advances its own; the list is all that threads share.
///
/// Ranks may wait for the same executions in different orders, and none of them waits for ever:
/// - Waiting for one transform advances every transform in flight, but for calls that wait.
/// - An exchange whose start waits within a call of MPI is entered only in its turn, when all that
///   was started before is complete. Whoever waits for an execution waits also for those of this
///   kind that were started before it, on every rank alike.
/// So the oldest execution that is not complete everywhere goes on wherever it has to: a rank that
/// is in a call for a younger one has completed it, and a rank that waits for a younger one enters
/// it. And who has completed what it waited for owes nothing to ranks that wait for the same.
class InFlight : NoCopy {
  public:
    virtual ~InFlight() = default;

  private:
    friend class Execution;

    /// What is done while none can go on, after so many looks at all of them.
    virtual void let_others_work(int looks) const = 0;

    void enter(Execution& execution);
    void leave(Execution& execution);
    /// From now on it is this thread's.
    void take_over(Execution& execution);
    /// The next one of this thread, after `execution` or the first; null if there is none.
    Execution* next(const Execution* execution);
    /// Whether it is the only one of this thread.
    bool is_only(const Execution& execution);
    /// Whether all is complete that one waits for with that execution.
    bool settled(const Execution& wanted);
    /// Takes each of this thread's as far as it can go while `wanted` is waited for; whether any of
    /// them got on.
    bool advance(const Execution& wanted);

    std::mutex mutex_;
    std::list<Execution*> executions_;
    std::uint64_t starts_ = 0;
};

/// One run of an executor, between two arrays; in place they are the one.
struct Turn {
    Executor* executor = nullptr;
    std::byte* input = nullptr;
    std::byte* output = nullptr;
};

/// A transform that may be started, as often as it is complete. It is used by one thread at a time;
/// by another than the one that started it only while that one is not in a call that advances it.
class Execution : NoCopy {
  public:
    /// `in_turn`, the same on all ranks: the starts of some exchanges wait. `ending`, on all ranks
    /// or on none, where devices compute, which may fail: then it is complete when it is on all
    /// ranks, and all throw what one has thrown.
    Execution(std::shared_ptr<InFlight> all, bool in_turn, std::unique_ptr<Ending> ending);
    /// Forgets it, complete or not.
    ~Execution();

    /// Throws Error(bad_request) unless what was started before has been waited for.
    void require_complete() const;
    /// Takes the turns one after the other, and does what needs no other rank. Until they are
    /// complete they stay as they are, and their executors stay. Throws as require_complete().
    void start(const std::vector<Turn>& turns);
    /// Advances all of this thread's; whether this one is complete, or none was started. Throws
    /// what its execution has thrown.
    bool test();
    void wait();
    /// Does what needs no other rank; whether it is complete, or none was started.
    bool advance();

  private:
    friend class InFlight;

    /// What may be waited for: nothing; other ranks within calls that start an exchange; all.
    enum class Waiting { never, in_calls, always };

    /// Whether it got on.
    bool go_on(Waiting waiting);
    /// Whether all turns were taken. `moved` becomes true if something was done.
    bool take_turns(Waiting waiting, bool& moved);
    /// Whether the next operation was done. If the device fails what is left goes on without it.
    bool advance(Executor& executor, bool block);
    /// Whether all ranks have ended; then all know of an error of one.
    bool all_have_ended(bool block);
    /// Of this rank, where it cannot go on: the others learn of it at their ends, for which it does
    /// not wait.
    void tell_of_failure();
    /// The first operation of that turn, if there is one.
    void begin(const Turn* turn);
    void conclude();

    std::shared_ptr<InFlight> all_;
    bool in_turn_;
    std::unique_ptr<Ending> ending_;
    bool asked_ = false;           ///< the ending, of this time
    const Turn* begin_ = nullptr;  ///< of the turns
    const Turn* turn_ = nullptr;
    const Turn* end_ = nullptr;  ///< of the turns
    bool started_ = false;       ///< and not yet told to be complete
    bool complete_ = true;
    std::uint64_t number_ = 0;  ///< of this start among all
    std::exception_ptr failure_;
    /// This one, while it is in no list: it goes from list to list, so that starting allocates
    /// nothing.
    std::list<Execution*> own_;
    std::list<Execution*>::iterator place_;
    std::thread::id thread_;
};

}  // namespace weft::core
