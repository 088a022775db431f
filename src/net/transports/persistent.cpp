#include "net/agree.hpp"
#include "net/mpi_counts.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_parts.hpp"

namespace weft::core {

namespace {

void free_request(MPI_Request& request) {
    if (!mpi_is_finalised() && request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

/// Requests made once, started together.
class PersistentParts : public PartsChannel {
  public:
    PersistentParts(const Ends& ends, const ExchangeTask& task) : PartsChannel(ends, task) {
        const auto [from, to] = *ends.fixed;
        MPI_Request* request = requests_.data();
        for (const MessagePart& part : receives_) {
            check_mpi(MPI_Recv_init(to + part.offset, part.count, part.type, part.peer, tag_, comm_,
                                    request++),
                      "MPI_Recv_init");
        }
        for (const MessagePart& part : sends_) {
            check_mpi(MPI_Send_init(from + part.offset, part.count, part.type, part.peer, tag_,
                                    comm_, request++),
                      "MPI_Send_init");
        }
    }
    ~PersistentParts() override {
        for (MPI_Request& request : requests_) free_request(request);
    }
    void start(const ExchangeBuffers& /*buffers*/) override {
        forget_arrivals();
        if (requests_.empty()) return;  // Open MPI 4.1 takes no empty list.
        check_mpi(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()),
                  "MPI_Startall");
    }
};

#if MPI_VERSION >= 4
/// One persistent collective.
class PersistentAlltoallv : public RequestChannel {
  public:
    PersistentAlltoallv(const Ends& ends, const ExchangeTask& task)
        : RequestChannel(ends, task), buffers_(*ends.fixed) {}
    ~PersistentAlltoallv() override { free_request(request_); }

    void connect() override {
        RequestChannel::connect();
        if (in_turn_) return;
        all_or_none(ends_.all.comm, [&] {
            check_mpi(MPI_Alltoallv_init(buffers_.from, sends_.counts.data(), sends_.offsets.data(),
                                         element_, buffers_.to, receives_.counts.data(),
                                         receives_.offsets.data(), element_, comm_, MPI_INFO_NULL,
                                         &request_),
                      "MPI_Alltoallv_init");
        });
    }
    void start(const ExchangeBuffers& /*buffers*/) override {
        if (in_turn_) return start_anew();
        check_mpi(MPI_Start(&request_), "MPI_Start");
    }

  private:
    /// On a communicator of several transforms. Requests made once would have to be made in one
    /// order with all that is started on it.
    void start_anew() {
        check_mpi(MPI_Ialltoallv(buffers_.from, sends_.counts.data(), sends_.offsets.data(),
                                 element_, buffers_.to, receives_.counts.data(),
                                 receives_.offsets.data(), element_, comm_, &request_),
                  "MPI_Ialltoallv");
    }

    ExchangeBuffers buffers_;
};
#endif

}  // namespace

std::unique_ptr<Channel> open_persistent(const Ends& ends, const ExchangeTask& task) {
    // A request is of its buffers: for any others there is none that could be made once.
    if (!ends.fixed) {
        const bool one_call = !task.on_arrival && CountedChannel::fits(task);
        return MPI_VERSION >= 4 && one_call ? open_ialltoallv(ends, task) : open_p2p(ends, task);
    }
#if MPI_VERSION >= 4
    if (!task.on_arrival && CountedChannel::fits(task)) {
        return std::make_unique<PersistentAlltoallv>(ends, task);
    }
#endif
    return std::make_unique<PersistentParts>(ends, task);
}

}  // namespace weft::core
