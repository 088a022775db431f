#include "testing/emulated/nccl/peers.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>

namespace weft::core::emulated {

namespace {

/// What ranks tell each other first.
struct Hello {
    int rank = 0;
    int ranks = 0;
};

struct Address {
    sockaddr_un where{};
    socklen_t bytes = 0;

    /// In the abstract namespace, of which nothing stays behind.
    Address(const std::string& name, int rank) {
        const std::string text = fmt::format("weft-nccl-{}-{}", name, rank);
        where.sun_family = AF_UNIX;
        std::memcpy(where.sun_path + 1, text.data(),
                    std::min(text.size(), sizeof(where.sun_path) - 1));
        bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    }
    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&where); }
};

[[noreturn]] void fail(ncclResult_t code, std::string text) {
    throw CommError{code, std::move(text)};
}

[[noreturn]] void fail_of_system(const char* call) {
    fail(ncclSystemError, fmt::format("{}: {}", call, std::strerror(errno)));
}

Socket new_socket() {
    Socket made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (made.number() < 0) fail_of_system("socket");
    return made;
}

/// Waits until there is something to read.
void await(const Socket& one, Clock::time_point end, const std::string& missing) {
    for (;;) {
        pollfd wanted{one.number(), POLLIN, 0};
        const int found = poll(&wanted, 1, 20);
        if (found > 0) return;
        if (found < 0 && errno != EINTR) fail_of_system("poll");
        if (Clock::now() > end) fail(ncclRemoteError, missing);
    }
}

Hello hello_from(const Socket& peer, Clock::time_point end, const std::string& missing) {
    Hello hello;
    await(peer, end, missing);
    const ssize_t got = recv(peer.number(), &hello, sizeof(hello), MSG_WAITALL);
    if (got != static_cast<ssize_t>(sizeof(hello))) fail(ncclRemoteError, missing);
    return hello;
}

void greet(const Socket& peer, const Hello& hello) {
    if (send(peer.number(), &hello, sizeof(hello), MSG_NOSIGNAL) < 0) fail_of_system("send");
}

Socket connected_to(const std::string& name, int rank, Clock::time_point end,
                    const std::string& missing) {
    const Address address(name, rank);
    for (;;) {
        Socket made = new_socket();
        if (connect(made.number(), address.get(), address.bytes) == 0) return made;
        if (errno != ECONNREFUSED && errno != EAGAIN && errno != EINTR) fail_of_system("connect");
        if (Clock::now() > end) fail(ncclRemoteError, missing);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace

Socket::~Socket() {
    if (number_ >= 0) close(number_);
}

Socket::Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

void Socket::end() const {
    if (number_ >= 0) (void)shutdown(number_, SHUT_RDWR);
}

std::vector<Socket> connect_peers(const std::string& name, int rank, int ranks,
                                  Clock::time_point end) {
    std::vector<Socket> peers(static_cast<std::size_t>(ranks));
    const std::string missing = fmt::format(
        "rank {}: not all of {} ranks have called ncclCommInitRank with this id", rank, ranks);
    const Socket listening = new_socket();
    const Address own(name, rank);
    if (bind(listening.number(), own.get(), own.bytes) != 0) {
        if (errno != EADDRINUSE) fail_of_system("bind");
        fail(ncclInvalidArgument, fmt::format("two ranks say that they are rank {}", rank));
    }
    if (listen(listening.number(), ranks) != 0) fail_of_system("listen");
    const auto keep = [&](int expected, Socket peer) {
        greet(peer, {rank, ranks});
        const Hello hello = hello_from(peer, end, missing);
        if (hello.ranks != ranks || (expected >= 0 && hello.rank != expected)) {
            fail(ncclInvalidArgument, fmt::format("rank {} of {} meets rank {} of {}", rank, ranks,
                                                  hello.rank, hello.ranks));
        }
        peers.at(static_cast<std::size_t>(hello.rank)) = std::move(peer);
    };
    for (int lower = 0; lower < rank; ++lower) {
        keep(lower, connected_to(name, lower, end, missing));
    }
    for (int higher = rank + 1; higher < ranks; ++higher) {
        await(listening, end, missing);
        Socket peer(accept4(listening.number(), nullptr, nullptr, SOCK_CLOEXEC));
        if (peer.number() < 0) fail_of_system("accept");
        keep(-1, std::move(peer));
    }
    return peers;
}

}  // namespace weft::core::emulated
