#include "net/agree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

int rank_of(MPI_Comm comm) {
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

/// The lowest rank whose flag is set; the number of ranks if there is none.
int lowest_with(MPI_Comm comm, bool flag) {
    int ranks = 0;
    check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    int lowest = flag ? rank_of(comm) : ranks;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return lowest;
}

std::string broadcast(MPI_Comm comm, int root, std::string text) {
    int length = static_cast<int>(text.size());
    check_mpi(MPI_Bcast(&length, 1, MPI_INT, root, comm), "MPI_Bcast");
    text.resize(static_cast<std::size_t>(length));
    check_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, root, comm), "MPI_Bcast");
    return text;
}

}  // namespace

Failure attempt(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return {true, error.code(), error.what()};
    } catch (const std::bad_alloc&) {
        return {true, ErrorCode::system, "not enough memory"};
    } catch (const std::exception& error) {
        return {true, ErrorCode::system, error.what()};
    } catch (...) {
        return {true, ErrorCode::system, "an unknown exception"};
    }
    return {};
}

void require_mpi(MPI_Comm comm) {
    int initialised = 0;
    int finalised = 0;
    MPI_Initialized(&initialised);
    if (initialised != 0) MPI_Finalized(&finalised);
    if (initialised == 0 || finalised != 0) {
        throw Error(ErrorCode::system,
                    initialised == 0 ? "MPI is not initialised: call MPI_Init before using weft"
                                     : "MPI is finalised: weft cannot be used after MPI_Finalize");
    }
    if (comm == MPI_COMM_NULL) {
        throw Error(ErrorCode::bad_request, "the communicator is MPI_COMM_NULL");
    }
    int inter = 0;
    check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    if (inter != 0) {
        throw Error(ErrorCode::bad_request,
                    "the communicator is an intercommunicator; merge it with MPI_Intercomm_merge");
    }
}

void all_or_none(MPI_Comm comm, const std::function<void()>& work) {
    Failure failure = attempt(work);
    int ranks = 0;
    check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    const int failed = lowest_with(comm, failure.happened);
    if (failed == ranks) return;
    const bool everywhere = lowest_with(comm, !failure.happened) == ranks;
    int code = static_cast<int>(failure.code);
    check_mpi(MPI_Bcast(&code, 1, MPI_INT, failed, comm), "MPI_Bcast");
    const std::string message = broadcast(comm, failed, failure.message);
    throw Error(static_cast<ErrorCode>(code),
                everywhere ? message : fmt::format("rank {}: {}", failed, message));
}

namespace {

/// A text, or of a long one what stands around that place.
std::string excerpt(const std::string& text, std::size_t place) {
    constexpr std::size_t around = 120;
    if (text.size() <= 4 * around) return text;
    const std::size_t begin = place < around ? 0 : std::min(place, text.size()) - around;
    const std::string part = text.substr(begin, 2 * around);
    return fmt::format("{}{}{}", begin > 0 ? ".." : "", part,
                       begin + part.size() < text.size() ? ".." : "");
}

}  // namespace

bool on_any_rank(MPI_Comm comm, bool here) {
    int any = here ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    return any != 0;
}

void require_same(MPI_Comm comm, const std::string& what, const std::string& text) {
    const std::string first = broadcast(comm, 0, text);
    int ranks = 0;
    check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    const int differing = lowest_with(comm, text != first);
    if (differing == ranks) return;
    const std::string other = broadcast(comm, differing, text);
    const auto place = static_cast<std::size_t>(
        std::mismatch(first.begin(), first.end(), other.begin(), other.end()).first -
        first.begin());
    throw Error(ErrorCode::bad_request,
                fmt::format("the ranks disagree on {}: rank 0 has '{}', rank {} has '{}'; give all "
                            "ranks the same",
                            what, excerpt(first, place), differing, excerpt(other, place)));
}

}  // namespace weft::core
