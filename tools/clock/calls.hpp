// The messages of one exchange as a rank starts them: in waves, each of which begins when the one
// before is through.
//
// Example: four ranks, of which each has something for each other one. MPI_Isend and MPI_Irecv are
// one wave of three messages. MPI_Alltoallv by pairwise exchange has three waves: rank 0 sends to
// 1, then to 2, then to 3, and receives from 3, then from 2, then from 1.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work.hpp"
#include "model/machine.hpp"

namespace weft::core {

/// Whose algorithms the collective calls of MPI follow. `machine`: so many messages at a time as
/// Machine::collective_batch says.
enum class CallsOf { machine, openmpi, mpich };
inline constexpr std::array<std::pair<std::string_view, CallsOf>, 3> names_of_calls = {
    {{"machine", CallsOf::machine}, {"openmpi", CallsOf::openmpi}, {"mpich", CallsOf::mpich}}};

struct SentMessage {
    int peer = 0;
    float bytes = 0;
    bool operator==(const SentMessage&) const = default;
};

struct Wave {
    std::uint32_t sends = 0;  ///< how many of the messages it sends
    std::uint32_t receives = 0;
    bool operator==(const Wave&) const = default;
};

struct Waves {
    std::vector<SentMessage> sends;  ///< wave after wave
    std::vector<Wave> waves;         ///< at least one
};

/// Of that rank. Algorithms of Open MPI 4.1: MPI_Alltoallv is linear (all messages at once) or
/// pairwise by the number of ranks; MPI_Alltoall is Bruck's for blocks below 200 bytes on more than
/// 12 ranks, linear below 3000, otherwise pairwise. Of MPICH: MPI_Alltoallv has 32 messages at a
/// time; MPI_Alltoall is Bruck's up to 256 bytes on 8 ranks or more, 32 at a time up to 32 KiB,
/// otherwise pairwise. Calls that return at once are linear. So do the selectors of SimGrid's SMPI.
Waves waves_of(const ExchangeTask& task, int rank, const Machine& machine, CallsOf calls);

}  // namespace weft::core
