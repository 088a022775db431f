#include "launch.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace weft::cli {

namespace {

/// A variable that holds the number of launched processes, and whose it is.
struct Announcement {
    const char* variable;
    const char* launcher;
};

/// The launcher nearest to the process comes first: in a job of Slurm, whose variables stay, mpirun
/// may have started it.
constexpr std::array<Announcement, 3> announcements = {
    {{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun"},
     {"PMI_SIZE", "the mpiexec of MPICH or of one of its relatives"},
     {"SLURM_STEP_NUM_TASKS", "srun"}}};

#if defined(OPEN_MPI)
constexpr const char* built_with = "Open MPI";
constexpr const char* what_to_do =
    "start it with Open MPI's mpirun (Debian's mpirun.openmpi, or srun --mpi=pmix)";
#elif defined(I_MPI_VERSION)
constexpr const char* built_with = "Intel MPI";
constexpr const char* what_to_do = "start it with Intel MPI's mpirun";
#elif defined(MPICH_VERSION)
constexpr const char* built_with = "MPICH";
constexpr const char* what_to_do =
    "start it with MPICH's mpiexec (Debian's mpiexec.mpich, or srun --mpi=pmi2)";
#else
constexpr const char* built_with = "another MPI";
constexpr const char* what_to_do = "start it with the launcher of that MPI";
#endif

}  // namespace

int launched_rank() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
        const char* value = std::getenv(name);
        if (value != nullptr) return std::atoi(value);
    }
    return 0;
}

std::string launched_apart(int ranks) {
    if (ranks != 1) return "";
    for (const Announcement& announcement : announcements) {
        const char* value = std::getenv(announcement.variable);
        if (value == nullptr) continue;
        const int processes = std::atoi(value);
        if (processes <= 1) return "";
        return fmt::format(
            "{} processes were started by {} ({}={}), but each is alone: weft was built with {}; "
            "{}, or build weft with the launcher's MPI (docs/install.md)",
            processes, announcement.launcher, announcement.variable, processes, built_with,
            what_to_do);
    }
    return "";
}

std::string as_typed(const std::string& examples, const std::string& program) {
    constexpr std::string_view name = "weft";
    const auto blank = [&](std::size_t at) {
        return at >= examples.size() || examples[at] == ' ' || examples[at] == '\n';
    };
    std::string typed;
    std::size_t copied = 0;
    for (std::size_t at = examples.find(name); at != std::string::npos;
         at = examples.find(name, at + name.size())) {
        const bool is_word = (at == 0 || blank(at - 1)) && at + name.size() < examples.size() &&
                             blank(at + name.size());
        if (!is_word) continue;
        typed += examples.substr(copied, at - copied) + program;
        copied = at + name.size();
    }
    return typed + examples.substr(copied);
}

}  // namespace weft::cli
