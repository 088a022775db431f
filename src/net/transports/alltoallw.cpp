#include <vector>

#include "net/mpi.hpp"
#include "net/mpi_collective.hpp"
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
    Alltoallw(const Ends& ends, const ExchangeTask& task)
        : ends_(ends),
          sends_(task, task.sends),
          receives_(task, task.receives),
          offsets_(task.group.ranks.size(), 0) {}

    void connect() override { comm_ = comm_in_turn(ends_.group, ends_.all); }
    void start(const ExchangeBuffers& buffers) override {
        check_mpi(MPI_Alltoallw(buffers.from, sends_.counts.data(), offsets_.data(),
                                sends_.types.data(), buffers.to, receives_.counts.data(),
                                offsets_.data(), receives_.types.data(), comm_),
                  "MPI_Alltoallw");
    }
    [[nodiscard]] bool start_waits() const override { return true; }
    bool test() override { return true; }
    void wait() override {}

  private:
    Ends ends_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    Side sends_;
    Side receives_;
    std::vector<int> offsets_;
};

}  // namespace

std::unique_ptr<Channel> open_alltoallw(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<Alltoallw>(ends, task);
}

}  // namespace weft::core
