// via=isend-waitall: packed messages by MPI_Isend and MPI_Irecv, all waited for together
// ([duy] section 3.2, [ayala] table I).
#include <algorithm>
#include <vector>

#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_type.hpp"

namespace weft::core {

namespace {

/// One MPI message: at most `chunk` elements of a peer's message.
struct Part {
    int peer = 0;  ///< rank in the group
    Index offset = 0;
    int count = 0;
};

std::vector<Part> parts(const ExchangeTask& task, const std::vector<Message>& messages) {
    std::vector<Part> result;
    for (const Message& message : messages) {
        const int peer = static_cast<int>(place_in_group(task.group, message.peer));
        const Index count = message.count();
        for (Index done = 0; done < count; done += task.chunk) {
            result.push_back({peer, message.offset() + done,
                              static_cast<int>(std::min(task.chunk, count - done))});
        }
    }
    return result;
}

class IsendWaitall : public Channel {
  public:
    IsendWaitall(MPI_Comm comm, const ExchangeTask& task, const std::byte* from, std::byte* to)
        : comm_(comm),
          bytes_(task.element_bytes),
          from_(from),
          to_(to),
          sends_(parts(task, task.sends)),
          receives_(parts(task, task.receives)),
          requests_(sends_.size() + receives_.size(), MPI_REQUEST_NULL),
          element_(element_type(task.element_bytes)) {}
    ~IsendWaitall() override { free_type(element_); }
    IsendWaitall(const IsendWaitall&) = delete;
    IsendWaitall& operator=(const IsendWaitall&) = delete;

    // Messages between two ranks do not overtake each other, so one tag is enough.
    void start() override {
        MPI_Request* request = requests_.data();
        for (const Part& part : receives_) {
            check_mpi(MPI_Irecv(to_ + part.offset * bytes_, part.count, element_, part.peer, tag,
                                comm_, request++),
                      "MPI_Irecv");
        }
        for (const Part& part : sends_) {
            check_mpi(MPI_Isend(from_ + part.offset * bytes_, part.count, element_, part.peer, tag,
                                comm_, request++),
                      "MPI_Isend");
        }
    }
    bool test() override {
        int complete = 0;
        check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete,
                              MPI_STATUSES_IGNORE),
                  "MPI_Testall");
        return complete != 0;
    }
    void wait() override {
        check_mpi(
            MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
    }

  private:
    static constexpr int tag = 0;
    MPI_Comm comm_;
    Index bytes_;
    const std::byte* from_;
    std::byte* to_;
    std::vector<Part> sends_;
    std::vector<Part> receives_;
    std::vector<MPI_Request> requests_;
    MPI_Datatype element_;
};

}  // namespace

std::unique_ptr<Channel> open_isend_waitall(MPI_Comm comm, const ExchangeTask& task,
                                            const std::byte* from, std::byte* to) {
    return std::make_unique<IsendWaitall>(comm, task, from, to);
}

}  // namespace weft::core
