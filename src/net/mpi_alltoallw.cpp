// via=alltoallw: nothing is packed, MPI moves subarrays ([ayala] Alg. 2).
#include <vector>

#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_type.hpp"

namespace weft::core {

namespace {

/// One type by rank in the group; peers without a message get none of an arbitrary type.
struct Side {
    std::vector<SliceType> owned;
    std::vector<MPI_Datatype> types;
    std::vector<int> counts;

    Side(const ExchangeTask& task, const std::vector<Message>& messages)
        : types(task.group.ranks.size(), MPI_BYTE), counts(task.group.ranks.size(), 0) {
        owned.reserve(messages.size());
        for (const Message& message : messages) {
            const std::size_t place = place_in_group(task.group, message.peer);
            owned.emplace_back(message.slices, task.element_bytes, task.chunk);
            types[place] = owned.back().get();
            counts[place] = 1;
        }
    }
};

class Alltoallw : public Channel {
  public:
    Alltoallw(MPI_Comm comm, const ExchangeTask& task, const std::byte* from, std::byte* to)
        : comm_(comm),
          from_(from),
          to_(to),
          sends_(task, task.sends),
          receives_(task, task.receives),
          offsets_(task.group.ranks.size(), 0) {}

    void start() override {
        check_mpi(
            MPI_Alltoallw(from_, sends_.counts.data(), offsets_.data(), sends_.types.data(), to_,
                          receives_.counts.data(), offsets_.data(), receives_.types.data(), comm_),
            "MPI_Alltoallw");
    }
    bool test() override { return true; }
    void wait() override {}

  private:
    MPI_Comm comm_;
    const std::byte* from_;
    std::byte* to_;
    Side sends_;
    Side receives_;
    std::vector<int> offsets_;
};

}  // namespace

std::unique_ptr<Channel> open_alltoallw(MPI_Comm comm, const ExchangeTask& task,
                                        const std::byte* from, std::byte* to) {
    return std::make_unique<Alltoallw>(comm, task, from, to);
}

}  // namespace weft::core
