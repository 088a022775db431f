// Start, end, and wisdom between ranks, in texts and in files: FFTW's own and, beside it, weft's.
#include <cstdlib>
#include <cstring>
#include <string>

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

// weft's lines travel in strings and in files that have a name. Streams and characters that go to
// the program (export_wisdom_to_file, export_wisdom) stay FFTW's own: what follows FFTW's wisdom
// there may be the program's.
WEFT_FFTW_PUBLIC char* WEFT_FFTW(export_wisdom_to_string)(void) {
    const auto own = WEFT_BEHIND(WEFT_FFTW(export_wisdom_to_string));
    char* fftw = own ? own() : nullptr;
    if (fftw == nullptr) return nullptr;
    const std::string text = export_wisdom();
    if (text.empty()) return fftw;
    const std::string both = behind_fftw(fftw, text);
    // The program calls free, as FFTW's manual says.
    auto* result = static_cast<char*>(std::malloc(both.size() + 1));
    if (result == nullptr) return fftw;
    std::memcpy(result, both.c_str(), both.size() + 1);
    std::free(fftw);
    return result;
}
WEFT_FFTW_PUBLIC int WEFT_FFTW(import_wisdom_from_string)(const char* text) {
    if (text != nullptr) import_wisdom(weft_part(text));
    const auto own = WEFT_BEHIND(WEFT_FFTW(import_wisdom_from_string));
    return own ? own(text) : 0;
}
WEFT_FFTW_PUBLIC int WEFT_FFTW(export_wisdom_to_filename)(const char* file) {
    const auto own = WEFT_BEHIND(WEFT_FFTW(export_wisdom_to_filename));
    const int written = own ? own(file) : 0;
    if (written != 0) export_wisdom_beside(file);
    return written;
}
WEFT_FFTW_PUBLIC int WEFT_FFTW(import_wisdom_from_filename)(const char* file) {
    if (file != nullptr) import_wisdom_beside(file);
    const auto own = WEFT_BEHIND(WEFT_FFTW(import_wisdom_from_filename));
    return own ? own(file) : 0;
}
