#include "run/started.hpp"

#include <iterator>
#include <utility>

#include "base/text.hpp"

namespace weft::core {

void Started::enter(Instance& instance) {
    const std::scoped_lock lock(mutex_);
    instance.thread_ = std::this_thread::get_id();
    instance.number_ = ++starts_;
    instances_.splice(instances_.end(), instance.own_);
}

void Started::leave(Instance& instance) {
    const std::scoped_lock lock(mutex_);
    instance.own_.splice(instance.own_.end(), instances_, instance.place_);
}

void Started::take_over(Instance& instance) {
    const std::scoped_lock lock(mutex_);
    instance.thread_ = std::this_thread::get_id();
}

Instance* Started::next(const Instance* instance) {
    const std::scoped_lock lock(mutex_);
    auto place = instance == nullptr ? instances_.begin() : std::next(instance->place_);
    while (place != instances_.end() && (*place)->thread_ != std::this_thread::get_id()) ++place;
    return place == instances_.end() ? nullptr : *place;
}

bool Started::is_only(const Instance& instance) {
    return next(nullptr) == &instance && next(&instance) == nullptr;
}

bool Started::settled(const Instance& wanted) {
    if (!wanted.complete_) return false;
    for (const Instance* one = next(nullptr); one != nullptr; one = next(one)) {
        if (one->number_ > wanted.number_) break;
        if (one->in_turn_) return false;
    }
    return true;
}

bool Started::advance(const Instance& wanted) {
    using Waiting = Instance::Waiting;
    bool moved = false;
    bool its_turn = true;
    for (Instance* one = next(nullptr); one != nullptr;) {
        Instance* const after = next(one);  // It leaves the list when it is complete.
        const bool enters = its_turn && one->number_ <= wanted.number_;
        moved = one->go_on(enters ? Waiting::in_calls : Waiting::never) || moved;
        its_turn = its_turn && one->complete_;
        one = after;
    }
    return moved;
}

Instance::Instance(std::shared_ptr<Started> all, bool in_turn)
    : all_(std::move(all)), in_turn_(in_turn), own_{this}, place_(own_.begin()) {}

Instance::~Instance() {
    if (!complete_) all_->leave(*this);
}

void Instance::require_complete() const {
    if (started_) {
        bad_request(
            "this Transform is started already; call wait() on it before it is started again");
    }
}

void Instance::start(const std::vector<Turn>& turns) {
    require_complete();
    turn_ = turns.data();
    end_ = turn_ + turns.size();
    begin_turn();
    started_ = true;
    complete_ = false;
    all_->enter(*this);
    go_on(Waiting::never);
}

bool Instance::test() {
    if (!started_) return true;
    if (!all_->settled(*this)) {
        all_->take_over(*this);
        all_->advance(*this);
        if (!all_->settled(*this)) return false;
    }
    conclude();
    return true;
}

void Instance::wait() {
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

bool Instance::advance() {
    if (!complete_) go_on(Waiting::never);
    return complete_;
}

void Instance::begin_turn() {
    if (turn_ != end_) turn_->executor->start(turn_->input, turn_->output);
}

Executor* Instance::executor() {
    while (turn_ != end_ && turn_->executor->done()) {
        ++turn_;
        begin_turn();
    }
    return turn_ != end_ ? turn_->executor : nullptr;
}

bool Instance::go_on(Waiting waiting) {
    bool moved = false;
    try {
        for (Executor* one = executor(); one != nullptr; one = executor()) {
            if (waiting == Waiting::always) {
                one->advance_blocking();
                continue;
            }
            if (waiting == Waiting::never && one->next_waits()) return moved;
            if (!one->advance()) return moved;
            moved = true;
        }
    } catch (...) {
        // It is told to whoever waits for this one, who may be waiting for another now.
        failure_ = std::current_exception();
        turn_->executor->abandon();
    }
    complete_ = true;
    all_->leave(*this);
    return true;
}

void Instance::conclude() {
    started_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace weft::core
