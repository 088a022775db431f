#include "net/mpi_error.hpp"
#include "net/mpi_parts.hpp"

namespace weft::core {

namespace {

class PointToPoint : public PartsChannel {
  public:
    using PartsChannel::PartsChannel;

    void start() override {
        forget_arrivals();
        irecv_all();
        MPI_Request* request = send_requests();
        for (const MessagePart& part : sends_) {
            check_mpi(MPI_Isend(from_ + part.offset, part.count, part.type, part.peer, tag, comm_,
                                request++),
                      "MPI_Isend");
        }
    }
};

}  // namespace

std::unique_ptr<Channel> open_p2p(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<PointToPoint>(ends, task);
}

}  // namespace weft::core
