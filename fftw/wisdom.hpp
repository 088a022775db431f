// weft's wisdom beside FFTW's: between the ranks of a communicator, in texts and in files. Nothing
// is done with WEFT_FFTW=off.
#pragma once

#include <mpi.h>

#include <string>

namespace weft::fftw {

/// Collective. Rank 0 learns what the others know.
void gather_wisdom(MPI_Comm comm);

/// Collective. All ranks learn what rank 0 knows.
void broadcast_wisdom(MPI_Comm comm);

/// All that weft knows here, a line for each entry; an error is told on stderr and leaves nothing.
std::string export_wisdom();
/// Adds lines to what weft knows here; an error is told on stderr.
void import_wisdom(const std::string& text);

/// A text that FFTW reads as its own, with weft's lines behind.
std::string behind_fftw(std::string fftw, const std::string& text);
/// weft's lines of such a text; empty if there are none.
std::string weft_part(const std::string& text);

/// Writes `FILE.weft` beside FFTW's file, which stays as FFTW writes it; and reads it, if it is
/// there. What fails is told on stderr.
void export_wisdom_beside(const char* file);
void import_wisdom_beside(const char* file);

}  // namespace weft::fftw
