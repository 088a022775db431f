// FFTW's own functions, behind those of the same names that this library puts before them.
#pragma once

#include "names.hpp"

namespace weft::fftw {

/// The address of `name` in the libraries that come after this one in the order of the dynamic
/// linker; null if there is none, or if WEFT_FFTW=alone hides FFTW's MPI library.
void* behind(const char* name);

/// Looked up once for each type Name of functions that return a name.
template <class Function, class Name>
Function* found_behind(Name name) {
    static const auto function = reinterpret_cast<Function*>(behind(name()));
    return function;
}

}  // namespace weft::fftw

#define WEFT_FFTW_TEXT(name) #name
#define WEFT_FFTW_TEXT_OF(name) WEFT_FFTW_TEXT(name)
/// FFTW's own function, or null: WEFT_BEHIND(WEFT_FFTW(execute))(plan).
#define WEFT_BEHIND(function) \
    ::weft::fftw::found_behind<decltype(function)>([] { return WEFT_FFTW_TEXT_OF(function); })
