#include <algorithm>

#include "base/transports.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_parts.hpp"

namespace weft::core {

namespace {

class PointToPoint : public PartsChannel {
  public:
    PointToPoint(const Ends& ends, const ExchangeTask& task)
        : PartsChannel(ends, task),
          announces_(std::any_of(task.sends.begin(), task.sends.end(), [&](const Message& message) {
              return message.count() * task.element_bytes >= announced_bytes;
          })) {}

    // Small messages should find their receives posted, or are copied once more. Large ones are
    // announced first: over UCX (MPICH) those whose receive is posted already, when they are
    // announced, hardly move while ranks compute, whoever polls (bench/README.md).
    void start(const ExchangeBuffers& buffers) override {
        forget_arrivals();
        if (announces_) isend_all(buffers.from);
        irecv_all(buffers.to);
        if (!announces_) isend_all(buffers.from);
    }

  private:
    void isend_all(const std::byte* from) {
        MPI_Request* request = send_requests();
        for (const MessagePart& part : sends_) {
            check_mpi(MPI_Isend(from + part.offset, part.count, part.type, part.peer, tag_, comm_,
                                request++),
                      "MPI_Isend");
        }
    }

    bool announces_;
};

}  // namespace

std::unique_ptr<Channel> open_p2p(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<PointToPoint>(ends, task);
}

}  // namespace weft::core
