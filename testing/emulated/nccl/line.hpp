// What goes between two ranks of an emulated communicator: one group's sends and receives at a
// time.
//
// Both ends tell each other of each send (an offer) and of each receive (a grant), with its bytes,
// when its turn in the stream has come. The data of a send follow its grant. So a send ends only
// when the other rank receives, and both ends see sizes that differ. Offers and grants of groups
// that are the other rank's next, and not this one's yet, are kept.
#pragma once

#include <cstdint>
#include <vector>

#include "testing/emulated/nccl/peers.hpp"

namespace weft::core::emulated {

/// One send or receive, at an address that the host reaches.
struct Piece {
    std::byte* at = nullptr;
    std::size_t bytes = 0;
};

class Line {
  public:
    Line(Socket socket, int rank, int peer)
        : socket_(std::move(socket)), rank_(rank), peer_(peer) {}

    /// Before the next group: nothing is to be done yet.
    void begin();
    void add_send(const Piece& piece);
    void add_receive(const Piece& piece);
    /// Goes on as far as it can without waiting; whether it got on. Throws CommError.
    bool advance();
    [[nodiscard]] bool complete() const { return !reads() && !writes(); }
    /// What it waits for, as poll() has it.
    [[nodiscard]] int number() const { return socket_.number(); }
    [[nodiscard]] bool reads() const {
        return granted_ < sends_.size() || received_ < receives_.size();
    }
    [[nodiscard]] bool writes() const { return next_ < queued_.size(); }
    [[nodiscard]] int peer() const { return peer_; }
    void end() const { socket_.end(); }

  private:
    enum class Kind : std::uint64_t { offer, grant, data };
    struct Frame {
        Kind kind = Kind::offer;
        std::uint64_t bytes = 0;
    };
    /// A frame, and the data that follow it.
    struct Queued {
        Frame frame;
        Piece data;
    };

    void match();
    void check_sizes(std::uint64_t sent, std::uint64_t received, bool sends) const;
    bool write();
    bool read();
    void take(const Frame& frame);
    /// Of so many bytes there; 0: nothing to be had now.
    std::size_t read_some(void* to, std::size_t bytes);
    std::size_t write_some(const void* from, std::size_t bytes);
    [[noreturn]] void fail_gone() const;

    Socket socket_;
    int rank_;
    int peer_;
    // Of this group.
    std::vector<Piece> sends_;
    std::vector<Piece> receives_;
    std::size_t granted_ = 0;   ///< sends
    std::size_t offered_ = 0;   ///< receives
    std::size_t received_ = 0;  ///< receives
    std::vector<Queued> queued_;
    std::size_t next_ = 0;     ///< of those
    std::size_t written_ = 0;  ///< bytes of it
    std::size_t left_ = 0;     ///< bytes of data that are still to be read
    // Of this group or later ones.
    std::vector<std::uint64_t> offers_;
    std::vector<std::uint64_t> grants_;
    Frame incoming_;
    std::size_t incoming_bytes_ = 0;
};

}  // namespace weft::core::emulated
