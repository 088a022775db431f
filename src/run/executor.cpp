#include "run/executor.hpp"

#include "run/device_backend.hpp"

namespace weft::core {

Executor::Executor(const Program& program, const Bound& bound, EnginePlans& plans,
                   const Workers& workers, Net& net)
    : Executor(program, make_backend(program, bound, plans, workers, net)) {}

bool Executor::any_waits() const {
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
        if (backend_->start_waits(i)) return true;
    }
    return false;
}

bool Executor::advance(bool block) {
    if (issued()) return idle_ = backend_->finish(block);
    if (next_ == 0 && backend_->issue_all()) {
        next_ = program_.operations.size();
        return true;
    }
    if (!backend_->keeps_order(program_.operations[next_].queue) && !is_due(block)) return false;
    if (!backend_->issue(next_, block)) return false;
    ++next_;
    return true;
}

bool Executor::is_due(bool block) {
    for (const std::size_t before : program_.operations[next_].after) {
        if (block) backend_->wait(before);
        if (!backend_->done(before)) return false;
    }
    return true;
}

}  // namespace weft::core
