// Start, end, and wisdom between ranks: FFTW's own and, beside it, weft's.
#include "behind.hpp"
#include "names.hpp"
#include "wisdom.hpp"

using namespace weft::fftw;

WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(init)(void) {
    if (const auto own = WEFT_BEHIND(WEFT_FFTW_MPI(init))) own();
}
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(cleanup)(void) {
    if (const auto own = WEFT_BEHIND(WEFT_FFTW_MPI(cleanup))) own();
}

WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(gather_wisdom)(MPI_Comm comm) {
    if (const auto own = WEFT_BEHIND(WEFT_FFTW_MPI(gather_wisdom))) own(comm);
    gather_wisdom(comm);
}
WEFT_FFTW_PUBLIC void WEFT_FFTW_MPI(broadcast_wisdom)(MPI_Comm comm) {
    if (const auto own = WEFT_BEHIND(WEFT_FFTW_MPI(broadcast_wisdom))) own(comm);
    broadcast_wisdom(comm);
}
