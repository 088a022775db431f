// What `weft bench` times: a library's transform of a problem, with arrays of its own.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/layout.hpp"
#include "measure/labels.hpp"
#include "measure/profile.hpp"
#include "model/account.hpp"
#include "weft/box.hpp"

namespace weft::cli {

/// How a library does it, as far as it tells.
struct Description {
    std::string library;
    std::string engine;
    std::vector<Index> grid;  ///< the process grid
    std::string in;           ///< layouts, as weft's texts name them
    std::string out;
    bool in_place = false;
    std::string plan;
    std::optional<Index> workspace_bytes{};  ///< of the rank that has most
    std::optional<Index> moved_bytes{};      ///< that leave their rank in one transform
    int threads = 1;                         ///< of each rank
    std::string version{};                   ///< where JSON's `versions` do not have it
};

/// A layout as a Description names it: `slab(0)@012`.
std::string layout_text(const core::Layout& layout, int dims);

/// A box of this rank's elements and where the host finds them; the batch, if there is one, is the
/// last axis.
struct LocalPiece {
    core::StoredBox stored;
    core::Scalar scalar;
    std::byte* data;
};

/// One operation of a transform on this rank, with the median of its seconds.
struct AccountedOperation {
    int stage = 0;
    std::string name;
    double seconds = 0;
    core::Account account;
};

/// All of them, and what they are measured by.
struct AccountedRun {
    std::vector<AccountedOperation> operations;
    std::string engine;
    Precision precision = Precision::f64;
    Index copied_bytes = 0;  ///< of the input, whose copy is one pass over memory
};

/// All functions but `pieces`, `put` and `fetch` are collective.
class Contender {
  public:
    Contender() = default;
    Contender(const Contender&) = delete;
    Contender& operator=(const Contender&) = delete;
    virtual ~Contender() = default;

    [[nodiscard]] virtual Description description() const = 0;
    virtual void run(bool backward) = 0;
    /// One run, part by part; nothing from libraries that cannot be looked into.
    virtual std::optional<Profile> profile(bool /*backward*/) { return {}; }
    /// Some runs, operation by operation; nothing from libraries that cannot be looked into.
    virtual AccountedRun account(bool /*backward*/, int /*repeat*/) { return {}; }
    /// One run, operation by operation; nothing from libraries that cannot be looked into.
    virtual std::vector<TimedOperation> timeline(bool /*backward*/) { return {}; }
    /// What this rank holds of the input or of the output of `forward`.
    [[nodiscard]] virtual std::vector<LocalPiece> pieces(bool output) const = 0;
    /// Where the arrays are a device's: takes what the host has written into pieces there, and
    /// brings from there what the host is to read.
    virtual void put(bool /*output*/) {}
    virtual void fetch(bool /*output*/) {}
    /// Fills the arrays with zeros, which stay zeros however often they are transformed.
    virtual void clear() = 0;
};

/// Where a transform's arrays come from: weft::allocate; anywhere else; memory of the host that the
/// plan's device reaches fast; memory of that device.
enum class Arrays { of_weft, of_the_caller, pinned, of_the_device };

/// weft's own transform of a text `PROBLEM[; CHOICE]`.
std::unique_ptr<Contender> weft_contender(const std::string& text, MPI_Comm comm,
                                          Arrays arrays = Arrays::of_weft);

/// FFTW's MPI transforms, planned with FFTW_MEASURE, in place. Throws Error(not_available) that
/// says why, if they cannot do the problem; only where weft was built with them.
std::unique_ptr<Contender> fftw_mpi_contender(const Problem& problem, MPI_Comm comm);

/// Collective. The seconds that FFTW-MPI takes to plan both directions with FFTW_PATIENT, having
/// learned nothing before. Throws Error(not_available) that says why, if it cannot do the problem
/// or is not in this build.
double fftw_mpi_patient_seconds(const Problem& problem, MPI_Comm comm);

/// The text's serial engine itself, on one rank. Throws Error(not_available) on more, or if the
/// transform is not one call of the engine.
std::unique_ptr<Contender> engine_contender(const std::string& text, MPI_Comm comm);

/// cuFFT's own plan of all axes (or hipFFT's) on the device of the text's space, on one rank, from
/// natural order to natural order. Throws Error(not_available) that says why, if it cannot do the
/// problem or this build has not got it.
std::unique_ptr<Contender> gpu_contender(const std::string& text, MPI_Comm comm);

/// Collective. cuFFTMp's plan of all axes on the devices of the text's space, in place, from slabs
/// of axis 0 to slabs of axis 1. Throws Error(not_available) that says why, if it cannot do the
/// problem or is not in this build.
std::unique_ptr<Contender> cufftmp_contender(const std::string& text, MPI_Comm comm);

/// Throws Error(bad_request) if there is no competitor of that name, and Error(not_available) if it
/// is not in this build.
void require_competitor(const std::string& name);

/// The competitor of that name for a text `PROBLEM[; CHOICE]`. Throws as above.
std::unique_ptr<Contender> competitor(const std::string& name, const std::string& text,
                                      MPI_Comm comm);

}  // namespace weft::cli
