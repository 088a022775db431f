// The sockets between the ranks of an emulated communicator.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "testing/emulated/nccl/nccl.hpp"

namespace weft::core::emulated {

/// What a call, or an exchange, has failed with.
struct CommError : std::exception {
    CommError() = default;
    CommError(ncclResult_t found, std::string why) : code(found), text(std::move(why)) {}
    [[nodiscard]] const char* what() const noexcept override { return text.c_str(); }

    ncclResult_t code = ncclSuccess;
    std::string text;
};

using Clock = std::chrono::steady_clock;

/// A socket that is closed when this is destroyed.
class Socket {
  public:
    Socket() = default;
    explicit Socket(int number) : number_(number) {}
    ~Socket();
    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&& other) noexcept;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    [[nodiscard]] int number() const { return number_; }
    /// Nothing can be sent any more, and the peer sees that it is the end.
    void end() const;

  private:
    int number_ = -1;
};

/// Collective over the ranks that give the same name: a socket to each of the others, by rank.
/// Throws CommError if they have not all come by then, or call with other numbers of ranks.
std::vector<Socket> connect_peers(const std::string& name, int rank, int ranks,
                                  Clock::time_point end);

}  // namespace weft::core::emulated
