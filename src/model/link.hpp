// What messages between two ranks take, as figures of a machine's description.
//
// Units: seconds, bytes, bytes a second. Example: a latency of 1e-6 and a bandwidth of 23.5e9: a
// message of 4096 bytes takes 1e-6 + 4096 / 23.5e9 = 1.174e-6 seconds.
#pragma once

#include <optional>
#include <vector>

namespace weft::core {

/// A point of a table whose entries ascend in `x`.
struct TablePoint {
    double x = 0;
    double y = 0;
    bool operator==(const TablePoint&) const = default;
};
using Table = std::vector<TablePoint>;

/// Factors of a message's time beyond these are a mistake, or a clock that something stopped.
inline constexpr double least_factor = 1e-2;
inline constexpr double most_factor = 1e4;

/// Messages between two ranks, of which each rank sends one after the other.
struct Link {
    double latency = 0;    ///< seconds of a message besides its bytes
    double bandwidth = 1;  ///< of a rank
    /// Seconds that a rank itself spends on a message besides its bytes, at most the latency: of
    /// messages that are started together it waits for the latency once. Not known: for each.
    std::optional<double> overhead{};
    /// Seconds of a message by its bytes, where measured: linear in between, beyond the last point
    /// at `bandwidth`. Empty: latency + bytes / bandwidth.
    Table by_size{};
    /// Factor of the time that a message takes in one of MPI's collective calls, by its bytes: what
    /// MPI makes of them may be slower than messages sent one by one, or faster. Linear in the
    /// logarithm of the bytes in between, constant outside. Empty: 1.
    Table collective{};
    bool operator==(const Link&) const = default;
};

}  // namespace weft::core
