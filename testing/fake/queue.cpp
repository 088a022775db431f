#include "testing/fake/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "weft/error.hpp"

namespace weft::core {

namespace {

[[noreturn]] void throw_lost(const std::string& queue) {
    throw Error(ErrorCode::system,
                fmt::format("queue {}: the fake device is lost, as FakeOptions::lost_after asks "
                            "for; what is on it cannot be used any more",
                            queue));
}

bool runs_at_once(const FakeOptions& options, std::uint64_t number) {
    return options.late && number <= 64 && (options.seed >> (number - 1) & 1) != 0;
}

}  // namespace

FakeQueue::FakeQueue(FakeShared& shared, std::uint64_t number, std::string name)
    : shared_(shared),
      name_(std::move(name)),
      at_once_(runs_at_once(shared.options, number)),
      lane_(std::make_shared<FakeLane>(shared.options.late && !at_once_)),
      random_(shared.options.seed + mix(number)) {
    label_.name.set(name_);
    // Before the thread starts: nothing may throw while it runs.
    enlist();
    try {
        thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error& error) {
        delist();
        throw Error(ErrorCode::system, fmt::format("queue {}: no thread could be had ({}); use "
                                                   "fewer queues",
                                                   name_, error.what()));
    } catch (...) {
        delist();
        throw;
    }
}

FakeQueue::~FakeQueue() {
    delist();
    lane_->stop();
    thread_.join();
}

void FakeQueue::enlist() {
    const std::scoped_lock lock(shared_.mutex);
    shared_.streams.insert(fake_stream(*this));
}

void FakeQueue::delist() {
    const std::scoped_lock lock(shared_.mutex);
    shared_.streams.erase(fake_stream(*this));
}

FakeQueue::Ticket FakeQueue::put(FakeLane::Item item) {
    const int most = shared_.lost_after;
    if (++shared_.launches > most && most != FakeShared::never) {
        item.lost = true;
        shared_.lost = true;
    }
    shared_.arena.last_step.set(item.step);
    const Ticket ticket = lane_->put(std::move(item));
    if (at_once_) lane_->wait_until_run(ticket);
    return ticket;
}

FakeQueue::Ticket FakeQueue::launch(Work work, std::string_view step) {
    return put({FakeLane::Launch{work}, step});
}

FakeQueue::Ticket FakeQueue::copy(const std::byte* from, std::byte* to, Index bytes,
                                  std::string_view step) {
    return put({FakeLane::Copy{from, to, bytes}, step});
}

void FakeQueue::wait_for(DeviceQueue& other, Ticket ticket) {
    auto& queue = dynamic_cast<FakeQueue&>(other);
    queue.check_given_out(ticket);
    if (&queue == this || ticket == 0) return;
    lane_->put({FakeLane::Wait{queue.lane_, ticket}, {}});
}

void FakeQueue::check_given_out(Ticket ticket) const {
    if (ticket <= last()) return;
    throw Error(ErrorCode::bad_request,
                fmt::format("queue {}: there is no ticket {}, the last one is {}; wait for work "
                            "after it was put in",
                            name_, ticket, last()));
}

void FakeQueue::throw_what_failed(Ticket ticket) {
    if (const auto error = lane_->error(ticket)) std::rethrow_exception(error);
    if (shared_.lost) throw_lost(name_);
}

bool FakeQueue::done(Ticket ticket) {
    check_given_out(ticket);
    if (!lane_->has_run(ticket)) return false;
    throw_what_failed(ticket);
    return true;
}

// Throws only when the work has run, because the caller then frees what it refers to.
void FakeQueue::wait(Ticket ticket) {
    check_given_out(ticket);
    lane_->wait_until_run(ticket);
    throw_what_failed(ticket);
}

void FakeQueue::serve() {
    set_queue_label(&label_);
    while (const auto item = lane_->take()) {
        if (const auto* wait = std::get_if<FakeLane::Wait>(&item->what)) {
            // After an error too: whoever waits for this queue relies on what it waited for.
            wait->other->wait_until_run(wait->ticket);
            if (!error_) error_ = wait->other->error(wait->ticket);
            continue;
        }
        try {
            if (!error_) run(*item);
        } catch (...) {
            error_ = std::current_exception();
        }
        lane_->complete(item->ticket, error_);
    }
}

void FakeQueue::run(const FakeLane::Item& item) {
    if (item.lost) throw_lost(name_);
    label_.step.set(item.step);
    delay();
    if (const auto* launch = std::get_if<FakeLane::Launch>(&item.what)) launch->work(*this);
    if (const auto* copy = std::get_if<FakeLane::Copy>(&item.what)) run(*copy);
}

void FakeQueue::run(const FakeLane::Copy& copy) {
    const std::byte* from = DeviceView::reach(copy.from);
    std::byte* to = reach(copy.to);
    const Index piece = std::max<Index>(shared_.options.copy_piece, 1);
    for (Index at = 0; at < copy.bytes; at += piece) {
        if (at != 0) delay();
        std::memcpy(to + at, from + at, static_cast<std::size_t>(std::min(piece, copy.bytes - at)));
    }
}

void FakeQueue::delay() {
    const auto longest = shared_.options.longest_delay;
    if (shared_.options.late || longest.count() <= 0) return;
    const auto time = std::chrono::microseconds(random_.between(0, longest.count()));
    if (time.count() != 0) std::this_thread::sleep_for(time);
}

}  // namespace weft::core
