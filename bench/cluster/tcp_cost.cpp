#include "cluster/tcp_cost.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "measure/files.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "weft/error.hpp"

namespace weft::bench {

namespace {

constexpr std::size_t host_name_length = 256;
constexpr int patience_ms = 10'000;

[[noreturn]] void fail(const std::string& what) {
    throw Error(ErrorCode::system, what + ": " + std::strerror(errno));
}

class Socket {
  public:
    explicit Socket(int file = -1) : file_(file) {}
    Socket(Socket&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() {
        if (file_ >= 0) close(file_);
    }
    [[nodiscard]] int file() const { return file_; }

  private:
    int file_;
};

/// Where the receiver listens.
struct Place {
    std::array<char, host_name_length> host{};
    int port = 0;
};

Socket listen_at(Place& place) {
    Socket listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof(address);
    if (bind(listener.file(), any, length) != 0 || listen(listener.file(), 1) != 0 ||
        getsockname(listener.file(), any, &length) != 0) {
        fail("listening for TCP");
    }
    gethostname(place.host.data(), place.host.size() - 1);
    place.port = ntohs(address.sin_port);
    return listener;
}

Socket accept_from(const Socket& listener) {
    pollfd ready{listener.file(), POLLIN, 0};
    if (poll(&ready, 1, patience_ms) != 1) {
        throw Error(ErrorCode::system, "the first rank's TCP connection did not arrive");
    }
    Socket connection(accept4(listener.file(), nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.file() < 0) fail("accepting a TCP connection");
    return connection;
}

Socket connect_to(const Place& place) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int status =
        getaddrinfo(place.host.data(), std::to_string(place.port).c_str(), &hints, &found);
    if (status != 0) {
        throw Error(ErrorCode::system,
                    std::string(place.host.data()) + ": " + gai_strerror(status));
    }
    Socket connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const bool connected = connect(connection.file(), found->ai_addr, found->ai_addrlen) == 0;
    freeaddrinfo(found);
    if (!connected) fail(std::string("connecting to ") + place.host.data());
    return connection;
}

std::vector<char> piece() { return std::vector<char>(std::size_t{256} << 10, 1); }

void send_all(const Socket& connection, std::size_t bytes) {
    const std::vector<char> data = piece();
    while (bytes > 0) {
        const ssize_t sent =
            send(connection.file(), data.data(), std::min(bytes, data.size()), MSG_NOSIGNAL);
        if (sent <= 0) fail("sending by TCP");
        bytes -= static_cast<std::size_t>(sent);
    }
}

void receive_all(const Socket& connection, std::size_t bytes) {
    std::vector<char> data = piece();
    while (bytes > 0) {
        const ssize_t got = recv(connection.file(), data.data(), std::min(bytes, data.size()), 0);
        if (got == 0) throw Error(ErrorCode::system, "the sender ended its TCP connection");
        if (got < 0) fail("receiving by TCP");
        bytes -= static_cast<std::size_t>(got);
    }
}

double process_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Seconds of all processors of this machine since it started.
struct MachineSeconds {
    double softirq = 0;
    double busy = 0;

    MachineSeconds() {
        std::ifstream stat("/proc/stat");
        std::string name;
        double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, soft = 0;
        stat >> name >> user >> nice >> system >> idle >> waiting >> irq >> soft;
        const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
        softirq = (irq + soft) * tick;
        // Linux samples what a processor does, but measures how long it idles.
        const auto processors = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
        busy = processors * MPI_Wtime() - (idle + waiting) * tick;
    }
};

/// Whether all ranks' processes run under the same kernel, as on a virtual cluster.
bool one_machine(MPI_Comm comm) {
    const std::string boot = cli::read_file("/proc/sys/kernel/random/boot_id");
    std::vector<char> first(boot.begin(), boot.end());
    core::check_mpi(MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, comm),
                    "MPI_Bcast");
    return !core::on_any_rank(comm, !std::equal(first.begin(), first.end(), boot.begin()));
}

/// The connection between the two ranks at the ends; nothing on others.
Socket connection(MPI_Comm comm, int rank, int last) {
    Place place;
    Socket listener;
    core::all_or_none(comm, [&] {
        if (rank == last) listener = listen_at(place);
    });
    core::check_mpi(MPI_Bcast(&place, sizeof(place), MPI_CHAR, last, comm), "MPI_Bcast");
    Socket result;
    core::all_or_none(comm, [&] {
        if (rank == 0) result = connect_to(place);
        if (rank == last) result = accept_from(listener);
    });
    return result;
}

double sum(MPI_Comm comm, double value) {
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm),
                    "MPI_Allreduce");
    return value;
}

/// Until the receiver has everything, as it tells by a byte: MPI's barrier would spin, in the time
/// that is measured.
void await_receipt(const Socket& socket, bool sends) {
    if (sends) {
        receive_all(socket, 1);
    } else {
        send_all(socket, 1);
    }
}

/// A barrier that leaves the processors to those that measure.
void await_others(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    core::check_mpi(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    for (int complete = 0; complete == 0;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        core::check_mpi(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    }
}

}  // namespace

TcpCost tcp_cost(MPI_Comm comm, std::size_t bytes) {
    int rank = 0;
    int last = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &last);
    --last;
    const bool shared_kernel = one_machine(comm);
    const bool sends = rank == 0;
    const bool receives = rank == last;
    const Socket socket = connection(comm, rank, last);

    TcpCost cost;
    const core::Failure failure = core::attempt([&] {
        if (!sends && !receives) return;
        const double begin = MPI_Wtime();
        const double process = process_seconds();
        const MachineSeconds machine;
        if (sends) send_all(socket, bytes);
        if (receives) receive_all(socket, bytes);
        await_receipt(socket, sends);
        const MachineSeconds after;
        (sends ? cost.sender : cost.receiver) = process_seconds() - process;
        if (sends) cost.seconds = MPI_Wtime() - begin;
        if (sends || !shared_kernel) {
            cost.softirq = after.softirq - machine.softirq;
            cost.busy = after.busy - machine.busy;
        }
    });
    await_others(comm);
    core::all_or_none(comm, [&] {
        if (failure.happened) throw Error(failure.code, failure.message);
    });
    return {sum(comm, cost.seconds), sum(comm, cost.sender), sum(comm, cost.receiver),
            sum(comm, cost.softirq), sum(comm, cost.busy)};
}

}  // namespace weft::bench
