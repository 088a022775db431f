#include "cluster/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "measure/race.hpp"
#include "net/mpi_error.hpp"
#include "weft/error.hpp"

namespace weft::bench {

namespace {

struct Ends {
    int rank = 0;
    int last = 0;

    explicit Ends(MPI_Comm comm) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &last);
        --last;
    }
    [[nodiscard]] bool is_end() const { return rank == 0 || rank == last; }
    [[nodiscard]] int other() const { return rank == 0 ? last : 0; }
};

void send(const std::vector<char>& message, int to, MPI_Comm comm) {
    core::check_mpi(
        MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, to, 0, comm),
        "MPI_Send");
}

void receive(std::vector<char>& message, int from, MPI_Comm comm) {
    core::check_mpi(MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_CHAR, from, 0,
                             comm, MPI_STATUS_IGNORE),
                    "MPI_Recv");
}

/// All messages of a stream, at most `window` of them under way in each direction.
void stream(const Ends& ends, std::vector<char>& message, std::size_t count, bool both_send,
            MPI_Comm comm) {
    constexpr std::size_t window = 4;
    const int length = static_cast<int>(message.size());
    const bool sends = ends.rank == 0 || both_send;
    const bool receives = ends.rank != 0 || both_send;
    // What arrives is not looked at.
    std::vector<char> arrived(receives ? message.size() * window : 0);
    for (std::size_t done = 0; done < count; done += window) {
        std::vector<MPI_Request> requests;
        for (std::size_t i = 0; i < std::min(window, count - done); ++i) {
            if (receives) {
                MPI_Irecv(arrived.data() + i * message.size(), length, MPI_CHAR, ends.other(), 0,
                          comm, &requests.emplace_back());
            }
            if (sends) {
                MPI_Isend(message.data(), length, MPI_CHAR, ends.other(), 0, comm,
                          &requests.emplace_back());
            }
        }
        core::check_mpi(
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
    }
}

}  // namespace

std::vector<double> one_way_seconds(MPI_Comm comm, std::size_t bytes, int repeat) {
    const Ends ends(comm);
    std::vector<char> message(bytes, 1);
    std::vector<double> seconds;
    constexpr int warm_up = 5;
    for (int i = -warm_up; i < repeat; ++i) {
        const double begin = MPI_Wtime();
        if (ends.rank == 0) {
            send(message, ends.last, comm);
            receive(message, ends.last, comm);
        } else if (ends.is_end()) {
            receive(message, 0, comm);
            send(message, 0, comm);
        }
        if (i >= 0) seconds.push_back((MPI_Wtime() - begin) / 2);
    }
    core::check_mpi(MPI_Bcast(seconds.data(), repeat, MPI_DOUBLE, 0, comm), "MPI_Bcast");
    return seconds;
}

std::vector<double> stream_seconds(MPI_Comm comm, std::size_t bytes, bool both_send, int repeat) {
    constexpr std::size_t message_bytes = std::size_t{4} << 20;
    const Ends ends(comm);
    std::vector<char> message(std::min(bytes, message_bytes), 1);
    const std::size_t count = bytes / message.size();
    std::vector<double> seconds;
    for (int i = -1; i < repeat; ++i) {
        const double one = cli::seconds_of_slowest(comm, ends.is_end(), [&] {
            if (ends.is_end()) stream(ends, message, count, both_send, comm);
        });
        if (i >= 0) seconds.push_back(one);
    }
    return seconds;
}

Transposition::Transposition(MPI_Comm comm, int size) : comm_(comm) {
    MPI_Comm_size(comm, &ranks_);
    const double block = static_cast<double>(size) * size * size / ranks_ / ranks_;
    if (block > std::numeric_limits<int>::max()) {
        throw Error(ErrorCode::bad_request,
                    fmt::format("size {} on {} ranks: blocks of more than {} numbers", size, ranks_,
                                std::numeric_limits<int>::max()));
    }
    block_ = static_cast<int>(block);
    const std::size_t length = static_cast<std::size_t>(block_) * static_cast<std::size_t>(ranks_);
    in_.assign(length, 1);
    out_.assign(length, 2);
}

void Transposition::run() {
    core::check_mpi(MPI_Alltoall(in_.data(), block_, MPI_C_DOUBLE_COMPLEX, out_.data(), block_,
                                 MPI_C_DOUBLE_COMPLEX, comm_),
                    "MPI_Alltoall");
}

MPI_Request Transposition::start() {
    MPI_Request request = MPI_REQUEST_NULL;
    core::check_mpi(MPI_Ialltoall(in_.data(), block_, MPI_C_DOUBLE_COMPLEX, out_.data(), block_,
                                  MPI_C_DOUBLE_COMPLEX, comm_, &request),
                    "MPI_Ialltoall");
    // The caller waits. NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
    return request;
}

std::size_t Transposition::block_bytes() const {
    return static_cast<std::size_t>(block_) * sizeof(std::complex<double>);
}

std::size_t Transposition::sent_bytes() const {
    return block_bytes() * static_cast<std::size_t>(ranks_ - 1);
}

}  // namespace weft::bench
