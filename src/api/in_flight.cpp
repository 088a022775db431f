#include <mpi.h>

#include <thread>

#include "api/state.hpp"
#include "net/mpi_error.hpp"

namespace weft {

namespace {

using core::check_mpi;

/// What waits lets MPI work, and other processes.
class InFlightOfProcess : public core::InFlight {
  public:
    /// Of the process alone; nobody sends messages on it.
    MPI_Comm comm = MPI_COMM_NULL;

  private:
    static constexpr int patience = 200;  ///< looks before the core may be needed by others

    void let_others_work(int looks) const override {
        // Peers may wait for a message of this rank that MPI sends only when it is called.
        if (looks % 16 == 0) {
            int found = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE);
        }
        if (looks > patience) std::this_thread::yield();
    }
};

using Shared = std::shared_ptr<InFlightOfProcess>;

int delete_started(MPI_Comm /*comm*/, int /*key*/, void* attribute, void* /*extra*/) {
    auto* started = static_cast<Shared*>(attribute);
    const int status = MPI_Comm_free(&(*started)->comm);
    delete started;
    return status;
}

Shared made() {
    auto started = std::make_shared<InFlightOfProcess>();
    check_mpi(MPI_Comm_dup(MPI_COMM_SELF, &started->comm), "MPI_Comm_dup");
    return started;
}

/// The attribute is set with the key, so that threads do not set it twice.
int started_key() {
    static const int key = [] {
        int created = MPI_KEYVAL_INVALID;
        check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &delete_started, &created, nullptr),
                  "MPI_Comm_create_keyval");
        check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, created, new Shared(made())),
                  "MPI_Comm_set_attr");
        return created;
    }();
    return key;
}

}  // namespace

std::shared_ptr<core::InFlight> in_flight_of_process() {
    void* attribute = nullptr;
    int found = 0;
    check_mpi(
        MPI_Comm_get_attr(MPI_COMM_SELF, started_key(), static_cast<void*>(&attribute), &found),
        "MPI_Comm_get_attr");
    return *static_cast<Shared*>(attribute);
}

}  // namespace weft
