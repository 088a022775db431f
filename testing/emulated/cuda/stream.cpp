#include "testing/emulated/cuda/stream.hpp"

#include <string>
#include <utility>

namespace weft::core::emulated {

void Stream::Task::operator()(const DeviceView& view) {
    struct Finish {
        std::atomic<bool>& finished;
        ~Finish() { finished = true; }
    };
    const Finish finish{finished};
    if (*failure != cudaSuccess) return;
    try {
        closure(view);
    } catch (...) {
        cudaError_t none = cudaSuccess;
        failure->compare_exchange_strong(none, cudaErrorLaunchFailure);
        throw;
    }
}

Stream::Stream(Device& device, int number, bool blocking, Failure& failure)
    : blocking_(blocking),
      failure_(failure),
      queue_(device.queue("stream " + std::to_string(number))) {}

Stream::~Stream() {
    queue_.reset();
    // One by one, since the destructor of a long list would call itself as often.
    while (oldest_ != nullptr) oldest_ = std::move(oldest_->next);
    while (spare_ != nullptr) spare_ = std::move(spare_->next);
}

// What never runs, because work before it has failed, stays until the stream is destroyed.
void Stream::free_finished() {
    while (oldest_ != nullptr && oldest_->finished) {
        std::unique_ptr<Task> task = std::move(oldest_);
        oldest_ = std::move(task->next);
        task->closure.reset();
        task->next = std::move(spare_);
        spare_ = std::move(task);
    }
    if (oldest_ == nullptr) newest_ = nullptr;
}

void Stream::put(const Closure& closure, std::string_view step) {
    free_finished();
    std::unique_ptr<Task> task = std::move(spare_);
    if (task == nullptr) {
        task = std::make_unique<Task>();
    } else {
        spare_ = std::move(task->next);
    }
    task->closure = closure;
    task->failure = &failure_;
    task->finished = false;
    Task& added = *task;
    (newest_ == nullptr ? oldest_ : newest_->next) = std::move(task);
    newest_ = &added;
    waits_ = false;
    queue_->launch(added, step);
}

const std::shared_ptr<Capture>& Stream::capture() {
    if (capture_ != nullptr && capture_->ended()) capture_.reset();
    return capture_;
}

void Stream::work(const Closure& work, std::string_view step) {
    const std::scoped_lock lock(mutex_);
    if (capture() != nullptr) {
        capture_->work(lane_, work, step);
    } else {
        put(work, step);
    }
}

void Stream::copy(const std::byte* from, std::byte* to, Index bytes) {
    const std::scoped_lock lock(mutex_);
    if (capture() != nullptr) {
        capture_->copy(lane_, {from, to, bytes});
        return;
    }
    waits_ = false;
    queue_->copy(from, to, bytes, "copy");
}

bool Stream::wait_captured(const Moment& moment) {
    if (moment.capture == nullptr && capture() == nullptr) return false;
    if (moment.capture == nullptr) {
        capture_->invalidate();
        throw Thrown{cudaErrorStreamCaptureIsolation};
    }
    if (moment.capture->ended()) throw Thrown{cudaErrorCapturedEvent};
    if (capture() != nullptr && capture_ != moment.capture) {
        capture_->invalidate();
        moment.capture->invalidate();
        throw Thrown{cudaErrorStreamCaptureMerge};
    }
    if (capture_ == nullptr) {
        lane_ = moment.capture->add_lane();
        capture_ = moment.capture;
    }
    capture_->wait(lane_, moment.mark);
    return true;
}

void Stream::wait_for(const Moment& moment) {
    const std::shared_ptr<Stream> other = moment.stream.lock();
    if (other == nullptr || other.get() == this) return;
    const std::scoped_lock lock(mutex_);
    if (wait_captured(moment) || moment.ticket == 0) return;
    queue_->wait_for(*other->queue_, moment.ticket);
    waits_ = true;
}

Stream::Moment Stream::now() {
    const std::scoped_lock lock(mutex_);
    if (capture() != nullptr) return {weak_from_this(), 0, capture_, capture_->mark(lane_)};
    return {weak_from_this(), last_ticket(), nullptr, 0};
}

DeviceQueue::Ticket Stream::last_ticket() {
    if (waits_) put(Closure([](const DeviceView& /*view*/) {}), "event");
    return queue_->last();
}

void Stream::fail() noexcept {
    // Failed work has said so itself; the queue throws without any when the device is lost.
    cudaError_t none = cudaSuccess;
    failure_.compare_exchange_strong(none, cudaErrorDevicesUnavailable);
}

bool Stream::has_run(const Moment& moment) {
    if (moment.capture != nullptr) throw Thrown{cudaErrorCapturedEvent};
    try {
        return queue_->done(moment.ticket);
    } catch (...) {
        fail();
        return true;
    }
}

void Stream::wait(const Moment& moment) {
    if (moment.capture != nullptr) throw Thrown{cudaErrorCapturedEvent};
    try {
        queue_->wait(moment.ticket);
    } catch (...) {
        fail();
    }
}

void Stream::drain() {
    Moment all;
    {
        const std::scoped_lock lock(mutex_);
        all.ticket = last_ticket();
    }
    wait(all);
}

std::shared_ptr<Capture> Stream::begin_capture() {
    const std::scoped_lock lock(mutex_);
    if (capture() != nullptr) throw Thrown{cudaErrorIllegalState};
    capture_ = std::make_shared<Capture>();
    lane_ = capture_->add_lane();
    return capture_;
}

std::shared_ptr<Capture> Stream::end_capture() {
    const std::scoped_lock lock(mutex_);
    if (capture() == nullptr) throw Thrown{cudaErrorIllegalState};
    if (lane_ != 0) {
        capture_->invalidate();
        throw Thrown{cudaErrorStreamCaptureUnmatched};
    }
    capture_->end();
    return std::exchange(capture_, nullptr);
}

std::shared_ptr<Capture> Stream::captured() {
    const std::scoped_lock lock(mutex_);
    return capture();
}

}  // namespace weft::core::emulated
