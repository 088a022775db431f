#include "exchange/subset.hpp"

#include <chrono>
#include <thread>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::cli {

namespace {

/// A barrier whose ranks ask now and then: MPI's own would spin.
void sleep_until_all_arrive(MPI_Comm comm) {
    constexpr std::chrono::milliseconds pause(2);
    MPI_Request request = MPI_REQUEST_NULL;
    core::check_mpi(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    for (int done = 0; done == 0;) {
        core::check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done == 0) std::this_thread::sleep_for(pause);
    }
}

}  // namespace

void on_first_ranks(int ranks, MPI_Comm comm, const std::function<void(MPI_Comm)>& work) {
    int rank = 0;
    core::check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    const bool works = rank < ranks;
    MPI_Comm first = MPI_COMM_NULL;
    core::check_mpi(MPI_Comm_split(comm, works ? 0 : MPI_UNDEFINED, rank, &first),
                    "MPI_Comm_split");
    core::Failure failure;
    if (works) {
        failure = core::attempt([&] { work(first); });
        MPI_Comm_free(&first);
    }
    sleep_until_all_arrive(comm);
    // Where all that worked failed alike, nobody needs to know which rank it was.
    int code = failure.happened ? static_cast<int>(failure.code) : 0;
    core::check_mpi(MPI_Bcast(&code, 1, MPI_INT, 0, comm), "MPI_Bcast");
    if (code != 0 && !works)
        failure = {true, static_cast<ErrorCode>(code), "the first ranks failed"};
    if (failure.happened) throw Error(failure.code, failure.message);
}

}  // namespace weft::cli
