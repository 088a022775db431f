#include "base/index.hpp"
#include "net/mpi_counts.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

namespace {

/// Open MPI 4.1 counts its nonblocking collectives only on ranks that have something to do in them,
/// and confuses the next ones where others have not: so a rank without messages sends itself an
/// element. And it takes equal addresses for MPI_IN_PLACE, as those of a buffer without elements
/// and of the next one are: so what is empty lies apart.
class Ialltoallv : public RequestChannel {
  public:
    Ialltoallv(const Ends& ends, const ExchangeTask& task) : RequestChannel(ends, task) {
        nothing_.resize(2 * usize(task.element_bytes));
        if (task.sends.empty()) own_from_ = nothing_.data();
        if (task.receives.empty()) own_to_ = nothing_.data() + task.element_bytes;
        if (!task.sends.empty() || !task.receives.empty()) return;
        const auto own = usize(rank_in(ends_.group.comm));
        sends_.counts[own] = 1;
        receives_.counts[own] = 1;
    }

    void start(const ExchangeBuffers& buffers) override {
        const std::byte* from = own_from_ != nullptr ? own_from_ : buffers.from;
        std::byte* to = own_to_ != nullptr ? own_to_ : buffers.to;
        check_mpi(MPI_Ialltoallv(from, sends_.counts.data(), sends_.offsets.data(), element_, to,
                                 receives_.counts.data(), receives_.offsets.data(), element_, comm_,
                                 &request_),
                  "MPI_Ialltoallv");
    }

  private:
    std::vector<std::byte> nothing_;
    // Within it, in the place of buffers without elements; otherwise null.
    const std::byte* own_from_ = nullptr;
    std::byte* own_to_ = nullptr;
};

}  // namespace

std::unique_ptr<Channel> open_ialltoallv(const Ends& ends, const ExchangeTask& task) {
    if (!CountedChannel::fits(task)) return open_alltoallw(ends, task);
    return std::make_unique<Ialltoallv>(ends, task);
}

}  // namespace weft::core
