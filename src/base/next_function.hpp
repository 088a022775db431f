// A function of another library, past functions of the same name that this library defines itself.
#pragma once

#include <dlfcn.h>

namespace weft::core {

/// The function of that name in the libraries behind the one that this code is linked into, or
/// `linked`, the one that the linker chose. libweft_fftw3_mpi defines some of FFTW's names for
/// programs that use FFTW; weft inside it must reach FFTW's own.
template <class Function>
Function* next_function(const char* name, Function* linked) {
    void* next = dlsym(RTLD_NEXT, name);
    return next == nullptr ? linked : reinterpret_cast<Function*>(next);
}

}  // namespace weft::core

#define WEFT_NEXT_FUNCTION(function) ::weft::core::next_function(#function, &function)
