// via=alltoallv: packed messages, one MPI_Alltoallv in the group ([ayala] Alg. 1).
#include <vector>

#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_type.hpp"

namespace weft::core {

namespace {

/// Counts and displacements by rank in the group, in elements.
struct Side {
    std::vector<int> counts;
    std::vector<int> offsets;

    Side(const Group& group, const std::vector<Message>& messages)
        : counts(group.ranks.size(), 0), offsets(group.ranks.size(), 0) {
        for (const Message& message : messages) {
            const std::size_t place = place_in_group(group, message.peer);
            counts[place] = static_cast<int>(message.count());
            offsets[place] = static_cast<int>(message.offset());
        }
    }
};

class Alltoallv : public Channel {
  public:
    Alltoallv(MPI_Comm comm, const ExchangeTask& task, const std::byte* from, std::byte* to)
        : comm_(comm),
          from_(from),
          to_(to),
          sends_(task.group, task.sends),
          receives_(task.group, task.receives),
          element_(element_type(task.element_bytes)) {}
    ~Alltoallv() override { free_type(element_); }
    Alltoallv(const Alltoallv&) = delete;
    Alltoallv& operator=(const Alltoallv&) = delete;

    void start() override {
        check_mpi(MPI_Alltoallv(from_, sends_.counts.data(), sends_.offsets.data(), element_, to_,
                                receives_.counts.data(), receives_.offsets.data(), element_, comm_),
                  "MPI_Alltoallv");
    }
    bool test() override { return true; }
    void wait() override {}

  private:
    MPI_Comm comm_;
    const std::byte* from_;
    std::byte* to_;
    Side sends_;
    Side receives_;
    MPI_Datatype element_;
};

}  // namespace

std::unique_ptr<Channel> open_alltoallv(MPI_Comm comm, const ExchangeTask& task,
                                        const std::byte* from, std::byte* to) {
    // Where a count or an offset of some rank does not fit into an int, all ranks let datatypes
    // hold it, on the same contiguous slices.
    if (task.largest > task.chunk) return open_alltoallw(comm, task, from, to);
    return std::make_unique<Alltoallv>(comm, task, from, to);
}

}  // namespace weft::core
