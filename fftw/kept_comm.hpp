// A communicator that lives as long as the plans on it. FFTW's plans survive the program's
// MPI_Comm_free, so weft's must too.
#pragma once

#include <mpi.h>

#include <memory>

namespace weft::fftw {

class KeptComm {
  public:
    /// Owned: freed at the end, unless MPI is finalised by then.
    KeptComm(MPI_Comm comm, bool owned) : comm_(comm), owned_(owned) {}
    ~KeptComm();
    KeptComm(const KeptComm&) = delete;
    KeptComm& operator=(const KeptComm&) = delete;

    [[nodiscard]] MPI_Comm get() const { return comm_; }

  private:
    MPI_Comm comm_;
    bool owned_;
};

/// Collective. MPI_COMM_WORLD itself, which cannot be freed; else a duplicate, made once for each
/// communicator and freed when neither the communicator nor a plan needs it.
std::shared_ptr<const KeptComm> keep(MPI_Comm comm);

}  // namespace weft::fftw
