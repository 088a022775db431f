// FFTW's own functions, behind those of the same names that this library puts before them.
#pragma once

#include "names.hpp"

namespace weft::fftw {

/// The address of `name` in the libraries that come after this one in the order of the dynamic
/// linker; null if there is none, or if WEFT_FFTW=alone hides FFTW's MPI library.
void* behind(const char* name);

}  // namespace weft::fftw

#define WEFT_FFTW_TEXT(name) #name
#define WEFT_FFTW_TEXT_OF(name) WEFT_FFTW_TEXT(name)
/// FFTW's own function, or null: WEFT_BEHIND(WEFT_FFTW(execute))(plan). Looked up once.
#define WEFT_BEHIND(function)                                          \
    ([] {                                                              \
        static const auto own = reinterpret_cast<decltype(&function)>( \
            ::weft::fftw::behind(WEFT_FFTW_TEXT_OF(function)));        \
        return own;                                                    \
    }())
