#include "measure/contender.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "weft/error.hpp"

namespace weft::cli {

std::string layout_text(const core::Layout& layout, int dims) {
    return core::to_string(layout.where, dims) + core::to_string(layout.format, dims);
}

void require_competitor(const std::string& name) {
    if (name == "engine" || name == "cufft" || name == "cufftmp") return;
    if (name != "fftw-mpi") {
        core::bad_request(
            fmt::format("--against '{}' is unknown; there are fftw-mpi, engine, cufft, cufftmp and "
                        "program:NAME=COMMAND",
                        name));
    }
#ifndef WEFT_WITH_FFTW_MPI
    throw Error(ErrorCode::not_available,
                "--against fftw-mpi: FFTW's MPI library is not in this build, which needs one of "
                "the same MPI (Debian has it for Open MPI only); without --against, weft is "
                "measured alone");
#endif
}

std::unique_ptr<Contender> competitor(const std::string& name, const std::string& text,
                                      MPI_Comm comm) {
    require_competitor(name);
    const Problem problem = core::parse_plan_request(text).problem;
    if (name != "engine" && core::keeps_part(problem)) {
        throw Error(ErrorCode::not_available,
                    fmt::format("--against {}: it transforms whole arrays; leave out modes and "
                                "inside",
                                name));
    }
    if (name == "engine") return engine_contender(text, comm);
    if (name == "cufft") return gpu_contender(text, comm);
    if (name == "cufftmp") return cufftmp_contender(text, comm);
#ifdef WEFT_WITH_FFTW_MPI
    return fftw_mpi_contender(problem, comm);
#else
    return nullptr;
#endif
}

#ifndef WEFT_WITH_FFTW_MPI
double fftw_mpi_patient_seconds(const Problem& /*problem*/, MPI_Comm /*comm*/) {
    require_competitor("fftw-mpi");
    return 0;
}
#endif

}  // namespace weft::cli
