// A rank on the clock: what it has started, and what others have told it.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/transports.hpp"
#include "clock/clock.hpp"

namespace weft::core {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// Of a use of regions, that so many ranks have said something, and when the last word is there.
struct Told {
    std::uint32_t count = 0;
    double last = 0;
};
struct RegionTold {
    Told published;
    Told released;
};

/// A message whose sender has started it.
struct Clock::Sent {
    int from = 0;  ///< classes
    int to = 0;
    int peer = 0;  ///< the rank that `to` is run for
    int exchange = 0;
    std::uint32_t wave = 0;
    double bytes = 0;
    [[nodiscard]] bool is_announced() const {
        return bytes >= static_cast<double>(announced_bytes);
    }
};

/// One that travels to another node.
struct Clock::Message {
    Sent sent;
    Flight packet;  ///< as each of its packets begins
    double latency = 0;
    int to_send = 0;    ///< packets
    int to_arrive = 0;  ///< packets
    double through = 0;
};

struct Clock::Rank {
    struct Exchange {
        int wave = -1;            ///< that has begun last
        bool waves_on = false;    ///< it has not ended
        std::uint32_t next = 0;   ///< of the rank's messages: the next one that sets off
        std::uint32_t end = 0;    ///< of the wave's
        std::uint32_t held = 0;   ///< messages of the wave that wait for their receivers
        double under_way = 0;     ///< messages between nodes, if all ranks have as many
        double processor = 0;     ///< when it has time for the next message
        double left = 0;          ///< when all large messages that set off so far have left
        double complete = never;  ///< when all waves are through
        /// Where messages are asked for one by one: when, and how many they stand for.
        std::vector<std::pair<double, double>> arrivals{};
    };
    /// In one wave.
    struct Received {
        float count = 0;
        double last = 0;
    };

    Rank(Clock& clock, int of, int number, const RankScript& of_rank);

    int one;          ///< class
    int rank;         ///< number
    int in_half = 0;  ///< ranks of the class in the same half of the nodes
    RankScript script;
    std::vector<Exchange> exchanges;
    std::vector<Received> received;  ///< by wave, of all exchanges
    std::vector<Sent> held;          ///< messages to this rank that wait until it calls MPI
    std::vector<RegionTold> uses;
    std::map<int, std::uint32_t> last_use;  ///< by region
    std::vector<StagePrice> stages;
    double since = 0;       ///< when the operation at hand came up
    double scheduled = -1;  ///< when it goes on, as it has said last
    ClockBackend* backend;
    Executor executor;

  private:
    Rank(int of, int number, RankScript of_rank, std::unique_ptr<ClockBackend> made);
};

}  // namespace weft::core
