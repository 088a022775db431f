#include "kept_comm.hpp"

namespace weft::fftw {

namespace {

using Kept = std::shared_ptr<const KeptComm>;

int forget(MPI_Comm /*comm*/, int /*key*/, void* value, void* /*extra*/) {
    delete static_cast<Kept*>(value);
    return MPI_SUCCESS;
}

int attribute() {
    static const int key = [] {
        int result = MPI_KEYVAL_INVALID;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &forget, &result, nullptr);
        return result;
    }();
    return key;
}

}  // namespace

KeptComm::~KeptComm() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (owned_ && finalised == 0) MPI_Comm_free(&comm_);
}

std::shared_ptr<const KeptComm> keep(MPI_Comm comm) {
    if (comm == MPI_COMM_WORLD) return std::make_shared<KeptComm>(comm, false);
    void* value = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, attribute(), static_cast<void*>(&value), &found);
    if (found != 0) return *static_cast<Kept*>(value);
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &duplicate);
    auto kept = std::make_shared<const KeptComm>(duplicate, true);
    MPI_Comm_set_attr(comm, attribute(), new Kept(kept));
    return kept;
}

}  // namespace weft::fftw
