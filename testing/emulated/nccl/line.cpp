#include "testing/emulated/nccl/line.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace weft::core::emulated {

void Line::begin() {
    sends_.clear();
    receives_.clear();
    queued_.clear();
    granted_ = offered_ = received_ = next_ = written_ = 0;
}

void Line::add_send(const Piece& piece) {
    sends_.push_back(piece);
    queued_.push_back({{Kind::offer, piece.bytes}, {}});
}

void Line::add_receive(const Piece& piece) {
    receives_.push_back(piece);
    queued_.push_back({{Kind::grant, piece.bytes}, {}});
}

// What this rank has to tell goes out before it looks at what the other one said: should that be
// wrong, the other one finds it as well.
bool Line::advance() {
    const bool wrote = write();
    match();
    return read() || wrote;
}

void Line::check_sizes(std::uint64_t sent, std::uint64_t received, bool sends) const {
    if (sent == received) return;
    throw CommError{ncclInvalidUsage,
                    fmt::format("rank {} sends {} bytes to rank {}, which receives {}",
                                sends ? rank_ : peer_, sent, sends ? peer_ : rank_, received)};
}

void Line::match() {
    std::size_t used = 0;
    for (; used < grants_.size() && granted_ < sends_.size(); ++used) {
        const Piece& piece = sends_[granted_++];
        check_sizes(piece.bytes, grants_[used], true);
        queued_.push_back({{Kind::data, piece.bytes}, piece});
    }
    grants_.erase(grants_.begin(), grants_.begin() + static_cast<std::ptrdiff_t>(used));
    used = 0;
    for (; used < offers_.size() && offered_ < receives_.size(); ++used) {
        check_sizes(offers_[used], receives_[offered_++].bytes, false);
    }
    offers_.erase(offers_.begin(), offers_.begin() + static_cast<std::ptrdiff_t>(used));
}

bool Line::write() {
    bool wrote = false;
    while (writes()) {
        const Queued& one = queued_[next_];
        const std::size_t all = sizeof(Frame) + one.data.bytes;
        const auto* frame = reinterpret_cast<const std::byte*>(&one.frame);
        const std::size_t some =
            written_ < sizeof(Frame)
                ? write_some(frame + written_, sizeof(Frame) - written_)
                : write_some(one.data.at + (written_ - sizeof(Frame)), all - written_);
        if (some == 0 && written_ < all) return wrote;
        wrote = true;
        written_ += some;
        if (written_ < all) continue;
        ++next_;
        written_ = 0;
    }
    return wrote;
}

bool Line::read() {
    bool got_on = false;
    while (reads()) {
        if (left_ > 0) {
            const Piece& piece = receives_[received_];
            const std::size_t some = read_some(piece.at + (piece.bytes - left_), left_);
            if (some == 0) return got_on;
            left_ -= some;
            if (left_ == 0) ++received_;
        } else {
            auto* frame = reinterpret_cast<std::byte*>(&incoming_);
            const std::size_t some =
                read_some(frame + incoming_bytes_, sizeof(Frame) - incoming_bytes_);
            if (some == 0) return got_on;
            incoming_bytes_ += some;
            if (incoming_bytes_ == sizeof(Frame)) {
                incoming_bytes_ = 0;
                take(incoming_);
            }
        }
        got_on = true;
    }
    return got_on;
}

void Line::take(const Frame& frame) {
    if (frame.kind == Kind::data) {
        left_ = frame.bytes;
        if (left_ == 0) ++received_;
        return;
    }
    (frame.kind == Kind::offer ? offers_ : grants_).push_back(frame.bytes);
    match();
}

std::size_t Line::read_some(void* to, std::size_t bytes) {
    const ssize_t got = recv(socket_.number(), to, bytes, MSG_DONTWAIT);
    if (got > 0) return static_cast<std::size_t>(got);
    const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (got == 0 || !later) fail_gone();
    return 0;
}

// To a peer that is gone nothing can be written, but what it has said before is still to be read.
std::size_t Line::write_some(const void* from, std::size_t bytes) {
    if (bytes == 0) return 0;
    const ssize_t put = send(socket_.number(), from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (put >= 0) return static_cast<std::size_t>(put);
    const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (!later && !reads()) fail_gone();
    return 0;
}

void Line::fail_gone() const {
    throw CommError{ncclRemoteError, fmt::format("rank {}: rank {} has failed, has given up its "
                                                 "communicator or has ended",
                                                 rank_, peer_)};
}

}  // namespace weft::core::emulated
