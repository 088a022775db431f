#include "run/in_flight.hpp"

#include <iterator>
#include <utility>

#include "base/text.hpp"

namespace weft::core {

void InFlight::enter(Execution& execution) {
    const std::scoped_lock lock(mutex_);
    execution.thread_ = std::this_thread::get_id();
    execution.number_ = ++starts_;
    executions_.splice(executions_.end(), execution.own_);
}

void InFlight::leave(Execution& execution) {
    const std::scoped_lock lock(mutex_);
    execution.own_.splice(execution.own_.end(), executions_, execution.place_);
}

void InFlight::take_over(Execution& execution) {
    const std::scoped_lock lock(mutex_);
    execution.thread_ = std::this_thread::get_id();
}

Execution* InFlight::next(const Execution* execution) {
    const std::scoped_lock lock(mutex_);
    auto place = execution == nullptr ? executions_.begin() : std::next(execution->place_);
    while (place != executions_.end() && (*place)->thread_ != std::this_thread::get_id()) ++place;
    return place == executions_.end() ? nullptr : *place;
}

bool InFlight::is_only(const Execution& execution) {
    return next(nullptr) == &execution && next(&execution) == nullptr;
}

bool InFlight::settled(const Execution& wanted) {
    if (!wanted.complete_) return false;
    for (const Execution* one = next(nullptr); one != nullptr; one = next(one)) {
        if (one->number_ > wanted.number_) break;
        if (one->in_turn_) return false;
    }
    return true;
}

bool InFlight::advance(const Execution& wanted) {
    using Waiting = Execution::Waiting;
    bool moved = false;
    bool its_turn = true;
    for (Execution* one = next(nullptr); one != nullptr;) {
        Execution* const after = next(one);  // It leaves the list when it is complete.
        const bool enters = its_turn && one->number_ <= wanted.number_;
        moved = one->go_on(enters ? Waiting::in_calls : Waiting::never) || moved;
        its_turn = its_turn && one->complete_;
        one = after;
    }
    return moved;
}

Execution::Execution(std::shared_ptr<InFlight> all, bool in_turn, std::unique_ptr<Ending> ending)
    : all_(std::move(all)),
      in_turn_(in_turn),
      ending_(std::move(ending)),
      own_{this},
      place_(own_.begin()) {}

Execution::~Execution() {
    if (!complete_) all_->leave(*this);
}

void Execution::require_complete() const {
    if (started_) {
        bad_request(
            "this Transform is started already; call wait() on it before it is started again");
    }
}

void Execution::start(const std::vector<Turn>& turns) {
    require_complete();
    begin_ = turns.data();
    end_ = turns.data() + turns.size();
    asked_ = false;
    begin(turns.data());
    // Later turns come after the first, and after nothing that the caller puts in meanwhile.
    if (turn_ != end_) turn_->executor->backend().follow_caller();
    started_ = true;
    complete_ = false;
    all_->enter(*this);
    go_on(Waiting::never);
}

bool Execution::test() {
    if (!started_) return true;
    if (!all_->settled(*this)) {
        all_->take_over(*this);
        all_->advance(*this);
        if (!all_->settled(*this)) return false;
    }
    conclude();
    return true;
}

void Execution::wait() {
    if (!started_) return;
    all_->take_over(*this);
    for (int looks = 1; !all_->settled(*this); ++looks) {
        if (all_->is_only(*this)) {
            go_on(Waiting::always);
        } else if (all_->advance(*this)) {
            looks = 0;
        } else {
            all_->let_others_work(looks);
        }
    }
    conclude();
}

bool Execution::advance() {
    if (!complete_) go_on(Waiting::never);
    return complete_;
}

void Execution::begin(const Turn* turn) {
    turn_ = turn;
    if (turn_ == end_) return;
    turn_->executor->start(turn_->input, turn_->output);
    if (failure_) turn_->executor->backend().carry_on_without_device();
}

bool Execution::go_on(Waiting waiting) {
    bool moved = false;
    try {
        if (!take_turns(waiting, moved)) return moved;
        if (!all_have_ended(waiting == Waiting::always)) return moved;
    } catch (...) {
        // It is told to whoever waits for this one, who may be waiting for another now.
        failure_ = std::current_exception();
        if (turn_ != end_) turn_->executor->abandon();
        tell_of_failure();
    }
    complete_ = true;
    all_->leave(*this);
    return true;
}

bool Execution::take_turns(Waiting waiting, bool& moved) {
    for (; turn_ != end_; begin(turn_ + 1)) {
        Executor& executor = *turn_->executor;
        const bool last = turn_ + 1 == end_ || turn_[1].executor == turn_->executor;
        while (!executor.done() && (last || !executor.hands_over())) {
            if (waiting == Waiting::never && executor.next_waits()) return false;
            if (!advance(executor, waiting == Waiting::always)) return false;
            moved = true;
        }
    }
    return true;
}

bool Execution::advance(Executor& executor, bool block) {
    try {
        return executor.advance(block);
    } catch (...) {
        if (ending_ == nullptr || !executor.backend().carry_on_without_device()) throw;
        if (!failure_) failure_ = std::current_exception();
        return true;
    }
}

void Execution::tell_of_failure() {
    if (ending_ == nullptr || std::exchange(asked_, true)) return;
    try {
        ending_->begin(failure_);
    } catch (...) {  // NOLINT(bugprone-empty-catch): without MPI nobody can be told.
    }
}

bool Execution::all_have_ended(bool block) {
    if (ending_ == nullptr || begin_ == end_) return true;
    if (!std::exchange(asked_, true)) ending_->begin(failure_);
    if (!ending_->reached(block)) return false;
    failure_ = ending_->failure();
    // Of some rank: they are of no use any more, and are made anew by whoever binds next.
    for (const Turn* one = begin_; failure_ && one != end_; ++one) {
        one->executor->backend().give_up_device_exchanges();
    }
    return true;
}

void Execution::conclude() {
    started_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace weft::core
