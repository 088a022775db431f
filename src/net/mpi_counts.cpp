#include "net/mpi_counts.hpp"

#include "net/mpi_collective.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_type.hpp"

namespace weft::core {

Counts::Counts(const Group& group, const std::vector<Message>& messages)
    : counts(group.ranks.size(), 0), offsets(group.ranks.size(), 0) {
    for (const Message& message : messages) {
        const std::size_t place = place_in_group(group, message.peer);
        counts[place] = static_cast<int>(message.count());
        offsets[place] = static_cast<int>(message.offset());
    }
}

CountedChannel::CountedChannel(const Ends& ends, const ExchangeTask& task)
    : ends_(ends),
      sends_(task.group, task.sends),
      receives_(task.group, task.receives),
      element_(element_type(task.element_bytes)) {}

CountedChannel::~CountedChannel() { free_type(element_); }

void RequestChannel::connect() {
    const ExchangeComm found = exchange_comm(ends_.group, ends_.all);
    comm_ = found.comm;
    in_turn_ = found.in_turn;
}

bool RequestChannel::test() {
    int complete = 0;
    check_mpi(MPI_Test(&request_, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    return complete != 0;
}

void RequestChannel::wait() {
    // Channels that derive from this one start it.
    check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE),  // NOLINT(clang-analyzer-optin.mpi*)
              "MPI_Wait");
}

}  // namespace weft::core
