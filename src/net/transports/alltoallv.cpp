#include "net/mpi_collective.hpp"
#include "net/mpi_counts.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

class Alltoallv : public CountedChannel {
  public:
    using CountedChannel::CountedChannel;

    void connect() override { comm_ = comm_in_turn(ends_.group, ends_.all); }
    void start(const ExchangeBuffers& buffers) override {
        check_mpi(MPI_Alltoallv(buffers.from, sends_.counts.data(), sends_.offsets.data(), element_,
                                buffers.to, receives_.counts.data(), receives_.offsets.data(),
                                element_, comm_),
                  "MPI_Alltoallv");
    }
    [[nodiscard]] bool start_waits() const override { return true; }
    bool test() override { return true; }
    void wait() override {}
};

}  // namespace

std::unique_ptr<Channel> open_alltoallv(const Ends& ends, const ExchangeTask& task) {
    if (!CountedChannel::fits(task)) return open_alltoallw(ends, task);
    return std::make_unique<Alltoallv>(ends, task);
}

}  // namespace weft::core
