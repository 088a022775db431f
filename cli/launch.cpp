#include "launch.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <regex>

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
    // `$` means a match in what is put in.
    const std::string plain = std::regex_replace(program, std::regex("\\$"), "$$$$");
    return std::regex_replace(examples, std::regex("(^|\\s)weft(?=\\s)"), "$1" + plain);
}

}  // namespace weft::cli
