#include "measure/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "weft/error.hpp"

namespace weft::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Of Open MPI, PMIx, PRRTE, MPICH's Hydra and PMI. What users set for their jobs stays.
bool tells_a_job(std::string_view variable) {
    constexpr std::array<std::string_view, 21> beginnings = {"OMPI_COMM_WORLD_",
                                                             "OMPI_UNIVERSE_",
                                                             "OMPI_APP_CTX_",
                                                             "OMPI_ARGV=",
                                                             "OMPI_COMMAND=",
                                                             "OMPI_FILE_LOCATION=",
                                                             "OMPI_FIRST_RANKS=",
                                                             "OMPI_NUM_APP_CTX=",
                                                             "OMPI_MCA_ess",
                                                             "OMPI_MCA_orte_",
                                                             "OMPI_MCA_pmix=",
                                                             "OMPI_MCA_initial_wdir=",
                                                             "OMPI_MCA_shmem_RUNTIME",
                                                             "OMPI_MCA_mpi_oversubscribe",
                                                             "PMIX_",
                                                             "PRTE_LAUNCHED",
                                                             "PMI_",
                                                             "HYD",
                                                             "MPI_LOCAL",
                                                             "MPIR_CVAR_CH3_INTERFACE",
                                                             "MPIEXEC_"};
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view begin) { return variable.starts_with(begin); });
}

[[noreturn]] void cannot(const char* what) {
    throw Error(ErrorCode::system, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// The end of a pipe, closed with its owner.
struct End {
    int file = -1;
    End() = default;
    End(const End&) = delete;
    End& operator=(const End&) = delete;
    ~End() { close(); }
    void close() {
        if (file >= 0) ::close(file);
        file = -1;
    }
};

/// In the new process; calls only what is safe between fork and exec.
[[noreturn]] void become(const char* line, int output, char** environment) {
    setpgid(0, 0);
    cpu_set_t all;
    std::memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);  // Launchers bind a rank, and its children with it.
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    constexpr int not_found = 127;
    const std::array<const char*, 4> arguments = {"sh", "-c", line, nullptr};
    execve("/bin/sh", const_cast<char* const*>(arguments.data()), environment);
    _exit(not_found);
}

pid_t start(const std::string& line, End& output) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot("pipe2");
    output.file = ends[0];
    End input;
    input.file = ends[1];
    std::vector<char*> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (!tells_a_job(*variable)) environment.push_back(*variable);
    }
    environment.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) cannot("fork");
    if (child == 0) become(line.c_str(), input.file, environment.data());
    setpgid(child, child);  // Whichever of the two comes first.
    return child;
}

/// Whether the output ended before the limit did.
bool read_all(int file, Clock::time_point limit, std::string& text) {
    for (std::array<char, 4096> part{};;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(limit - Clock::now()).count();
        if (left <= 0) return false;
        pollfd waiting{file, POLLIN, 0};
        constexpr long long most = 1000;
        const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, most)));
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        const ssize_t count = read(file, part.data(), part.size());
        if (count <= 0) return true;
        text.append(part.data(), static_cast<std::size_t>(count));
    }
}

/// Its status, if it ends before the limit.
bool wait_until(pid_t child, Clock::time_point limit, int& status) {
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return true;
        if (ended < 0 && errno != EINTR) return true;
        if (Clock::now() >= limit) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace

Outcome run_command(const std::string& line, double seconds) {
    Outcome outcome;
    End output;
    const Clock::time_point limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                       std::chrono::duration<double>(seconds));
    const pid_t child = start(line, output);
    int status = 0;
    if (!read_all(output.file, limit, outcome.output) || !wait_until(child, limit, status)) {
        outcome.timed_out = true;
        // A launcher that is asked to end also ends its ranks, which may be in other groups.
        kill(-child, SIGTERM);
        if (!wait_until(child, Clock::now() + std::chrono::seconds(5), status)) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
        }
    }
    constexpr int by_signal = 128;
    outcome.code = WIFSIGNALED(status) ? by_signal + WTERMSIG(status) : WEXITSTATUS(status);
    return outcome;
}

}  // namespace weft::cli
