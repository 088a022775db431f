#include "net/mpi_counts.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

/// All slots are of one size; that of the rank itself is exchanged with them, as MPI has it. No
/// rank's buffers are empty: each has slots for all.
class Ialltoall : public RequestChannel {
  public:
    Ialltoall(const Ends& ends, const ExchangeTask& task)
        : RequestChannel(ends, task), count_(static_cast<int>(*task.slot)) {}

    void start(const ExchangeBuffers& buffers) override {
        check_mpi(MPI_Ialltoall(buffers.from, count_, element_, buffers.to, count_, element_, comm_,
                                &request_),
                  "MPI_Ialltoall");
    }

  private:
    int count_;
};

}  // namespace

std::unique_ptr<Channel> open_ialltoall(const Ends& ends, const ExchangeTask& task) {
    if (*task.slot > task.chunk) return open_alltoallw(ends, task);
    return std::make_unique<Ialltoall>(ends, task);
}

}  // namespace weft::core
