// The programs of all ranks on an event clock, without data: `weft simulate`.
//
// Each rank has the executor of the product, with a backend (clock/backend.hpp) whose operations
// take what the model has for them. Messages pass links (clock/fabric.hpp). Events are taken in the
// order of their times, so a rank that computes longer lets others wait, messages of all ranks
// share links, and a message of 64 KiB or more sets off once its receiver has posted it and calls
// MPI: within a poll, a wait, or at any time where a thread makes progress. Smaller ones set off at
// once. MPI's collective calls send what its libraries send (clock/calls.hpp).
//
// Example: two ranks on two nodes, 1 us and 1 GB/s. Each computes for 5 us, sends 1000 bytes to the
// other one and waits: both end after 7 us.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "clock/backend.hpp"
#include "clock/fabric.hpp"
#include "clock/fold.hpp"
#include "clock/pool.hpp"
#include "run/executor.hpp"

namespace weft::core {

/// A message travels in at most so many packets, of no less than so many bytes but for the last.
inline constexpr int most_packets = 8;
inline constexpr double least_packet = 256;

/// An operation of a rank, or the time that it waits.
struct TracedOperation {
    int rank = 0;
    std::uint32_t operation = 0;
    double begin = 0;
    double end = 0;
};

class Clock {
  public:
    /// `traced`: so many of the ranks that are run keep spans.
    Clock(const Scripts& scripts, const Folded& folded, const Site& site, int traced);
    ~Clock();
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

    /// Throws Error(system) if ranks wait for each other.
    void run();

    /// By class: when the rank has ended, and its seconds by stage.
    [[nodiscard]] double ended(int one) const;
    [[nodiscard]] const std::vector<StagePrice>& stages(int one) const;
    [[nodiscard]] const std::vector<TracedOperation>& spans() const { return spans_; }
    [[nodiscard]] std::uint64_t events() const { return sequence_; }
    /// Of all ranks, inside nodes and between them.
    [[nodiscard]] double messages() const { return sent_messages_; }
    [[nodiscard]] double bytes() const { return sent_bytes_; }

  private:
    friend class ClockBackend;

    enum class What {
        rank,     ///< a rank goes on
        wave,     ///< the next wave of an exchange begins
        message,  ///< the next message of a wave sets off
        packet,   ///< the next packet of a message sets off
        link,     ///< packets that wait for a link pass it
    };
    struct Event {
        double at;
        std::uint64_t sequence;
        What what;
        int one;       ///< the class of the rank, or the number of the message or link
        int exchange;  ///< of the rank
        bool operator>(const Event& other) const {
            return at != other.at ? at > other.at : sequence > other.sequence;
        }
    };
    struct Sent;
    struct Message;
    struct Rank;

    void add(double at, int one, What what = What::rank, int exchange = 0);
    void take(const Event& event);
    void go_on(Rank& rank, double now);
    /// Adds what the operation took to its stage.
    void account(Rank& rank, std::size_t number);
    /// The next wave of an exchange; when the rank's processor has started its messages.
    double begin_wave(Rank& rank, int exchange, double now);
    /// Messages inside the node are copied, the next one to another node will set off.
    void schedule(Rank& rank, int exchange);
    [[nodiscard]] double copy_seconds(const Rank& rank, int exchange, double bytes) const;
    /// That message of the rank, in the wave that has begun.
    [[nodiscard]] Sent sent(const Rank& rank, int exchange, std::uint32_t number) const;
    void set_off(const Sent& sent, double now);
    void carry(const Sent& sent, double now);
    void send_packet(int message, double now);
    void enter(int packet, double now);
    void serve(int link, double now);
    /// The message has arrived.
    void land(int message);
    void arrive(const Sent& sent, double at);
    void end_wave_if_through(Rank& rank, int exchange);
    /// The rank calls MPI: messages set off that wait for that.
    void look(Rank& rank, double now);
    /// A rank of the node hears of the use of a region.
    void tell(int rank, std::uint32_t use, bool released, double now);

    const Folded& folded_;
    Site site_;
    Fabric fabric_;
    Pool<Message> messages_;
    int traced_;
    std::vector<std::unique_ptr<Rank>> ranks_;  ///< by class
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t sequence_ = 0;
    double sent_messages_ = 0;
    double sent_bytes_ = 0;
    std::vector<TracedOperation> spans_;
};

}  // namespace weft::core
