#include "net/mpi.hpp"
#include "net/mpi_collective.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_type.hpp"

namespace weft::core {

namespace {

/// All slots are of one size; that of the rank itself is exchanged with them, as MPI has it.
class Alltoall : public Channel {
  public:
    Alltoall(const Ends& ends, const ExchangeTask& task)
        : ends_(ends),
          count_(static_cast<int>(*task.slot)),
          element_(element_type(task.element_bytes)) {}
    ~Alltoall() override { free_type(element_); }

    void connect() override { comm_ = comm_in_turn(ends_.group, ends_.all); }
    void start(const ExchangeBuffers& buffers) override {
        check_mpi(MPI_Alltoall(buffers.from, count_, element_, buffers.to, count_, element_, comm_),
                  "MPI_Alltoall");
    }
    [[nodiscard]] bool start_waits() const override { return true; }
    bool test() override { return true; }
    void wait() override {}

  private:
    Ends ends_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int count_;
    MPI_Datatype element_;
};

}  // namespace

std::unique_ptr<Channel> open_alltoall(const Ends& ends, const ExchangeTask& task) {
    if (*task.slot > task.chunk) return open_alltoallw(ends, task);
    return std::make_unique<Alltoall>(ends, task);
}

}  // namespace weft::core
