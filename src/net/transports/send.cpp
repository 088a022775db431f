#include "net/mpi_error.hpp"
#include "net/mpi_parts.hpp"

namespace weft::core {

namespace {

class Send : public PartsChannel {
  public:
    using PartsChannel::PartsChannel;

    // Every rank has posted its receives before it sends, so no send waits for another.
    void start(const ExchangeBuffers& buffers) override {
        forget_arrivals();
        irecv_all(buffers.to);
        for (const MessagePart& part : sends_) {
            check_mpi(
                MPI_Send(buffers.from + part.offset, part.count, part.type, part.peer, tag_, comm_),
                "MPI_Send");
        }
    }
    [[nodiscard]] bool start_waits() const override { return true; }
};

}  // namespace

std::unique_ptr<Channel> open_send(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<Send>(ends, task);
}

}  // namespace weft::core
