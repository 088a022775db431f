// The messages of an exchange as MPI sends them from rank to rank.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "net/mpi.hpp"
#include "net/mpi_type.hpp"

namespace weft::core {

/// One MPI message: at most `chunk` elements of a contiguous message, or all of a strided one.
struct MessagePart {
    int peer = MPI_PROC_NULL;  ///< rank in the group
    Index offset = 0;          ///< in bytes
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    int message = 0;  ///< the number of the task's message that it is a part of
};

/// All parts of one rank in the order of the task, and the requests of those that MPI carries:
/// first of the receives, then of the sends. Messages between two ranks do not overtake each other,
/// so one tag is enough for a net.
class PartsChannel : public Channel {
  public:
    PartsChannel(const Ends& ends, const ExchangeTask& task);
    ~PartsChannel() override;

    bool test() override;
    void wait() override;
    std::optional<std::size_t> arrival(bool block) override;

  protected:
    /// No message has arrived yet.
    void forget_arrivals();
    void irecv_all(std::byte* to);
    [[nodiscard]] MPI_Request* send_requests() { return requests_.data() + receives_.size(); }

    MPI_Comm comm_;
    int tag_;
    std::vector<MessagePart> sends_;
    std::vector<MessagePart> receives_;
    std::vector<MPI_Request> requests_;

  private:
    std::vector<MessagePart> parts(const ExchangeTask& task, const std::vector<Message>& messages);

    MPI_Datatype element_;
    std::vector<SliceType> strided_;
    std::vector<int> parts_of_message_;
    std::vector<int> missing_;    ///< parts of each message that have not arrived
    std::vector<int> completed_;  ///< parts that MPI told of last
    int told_ = 0;
    int looked_at_ = 0;
};

}  // namespace weft::core
