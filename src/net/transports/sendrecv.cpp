#include <algorithm>

#include "net/mpi_error.hpp"
#include "net/mpi_parts.hpp"

namespace weft::core {

namespace {

/// A task has one round only. Where one of its messages goes in more parts than the other, the rest
/// is sent to, or received from, nobody: both ends of a message know its parts.
class Sendrecv : public PartsChannel {
  public:
    using PartsChannel::PartsChannel;

    void start(const ExchangeBuffers& buffers) override {
        for (std::size_t i = 0; i < std::max(sends_.size(), receives_.size()); ++i) {
            const MessagePart out = i < sends_.size() ? sends_[i] : MessagePart{};
            const MessagePart in = i < receives_.size() ? receives_[i] : MessagePart{};
            check_mpi(MPI_Sendrecv(buffers.from + out.offset, out.count, out.type, out.peer, tag_,
                                   buffers.to + in.offset, in.count, in.type, in.peer, tag_, comm_,
                                   MPI_STATUS_IGNORE),
                      "MPI_Sendrecv");
        }
    }
    [[nodiscard]] bool start_waits() const override { return true; }
};

}  // namespace

std::unique_ptr<Channel> open_sendrecv(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<Sendrecv>(ends, task);
}

}  // namespace weft::core
