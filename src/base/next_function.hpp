// A function of FFTW's, past functions of the same name that weft's own libraries define: those of
// libweft_fftw3_mpi (fftw/), which programs call in place of FFTW's.
#pragma once

#include <dlfcn.h>

#include <string_view>

namespace weft::core {

/// What libweft_fftw3_mpi, if it is in the process, finds behind itself; else null.
inline void* behind_interface(const char* name) {
    const bool single = std::string_view(name).starts_with("fftwf_");
    void* ask = dlsym(RTLD_DEFAULT, single ? "weft_fftwf_behind" : "weft_fftw_behind");
    return ask == nullptr ? nullptr : reinterpret_cast<void* (*)(const char*)>(ask)(name);
}

/// FFTW's own function of that name: the one behind the interface; or behind the library that this
/// code is linked into, which may be the interface, not yet known to others; or `linked`, the one
/// that the linker chose.
template <class Function>
Function* next_function(const char* name, Function* linked) {
    void* next = behind_interface(name);
    if (next == nullptr) next = dlsym(RTLD_NEXT, name);
    return next == nullptr ? linked : reinterpret_cast<Function*>(next);
}

}  // namespace weft::core

#define WEFT_NEXT_FUNCTION(function) ::weft::core::next_function(#function, &(function))
