#include "device/emulated/stream.hpp"

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

void Stream::work(const Closure& work, std::string_view step) {
    const std::scoped_lock lock(mutex_);
    put(work, step);
}

void Stream::copy(const std::byte* from, std::byte* to, Index bytes) {
    const std::scoped_lock lock(mutex_);
    waits_ = false;
    queue_->copy(from, to, bytes, "copy");
}

void Stream::wait_for(const Moment& moment) {
    const std::shared_ptr<Stream> other = moment.stream.lock();
    if (other == nullptr || other.get() == this || moment.ticket == 0) return;
    const std::scoped_lock lock(mutex_);
    queue_->wait_for(*other->queue_, moment.ticket);
    waits_ = true;
}

Stream::Moment Stream::now() {
    const std::scoped_lock lock(mutex_);
    if (waits_) put(Closure([](const DeviceView& /*view*/) {}), "event");
    return {weak_from_this(), queue_->last()};
}

void Stream::fail() noexcept {
    // Failed work has said so itself; the queue throws without any when the device is lost.
    cudaError_t none = cudaSuccess;
    failure_.compare_exchange_strong(none, cudaErrorDevicesUnavailable);
}

bool Stream::has_run(const Moment& moment) {
    try {
        return queue_->done(moment.ticket);
    } catch (...) {
        fail();
        return true;
    }
}

void Stream::wait(const Moment& moment) {
    try {
        queue_->wait(moment.ticket);
    } catch (...) {
        fail();
    }
}

}  // namespace weft::core::emulated
