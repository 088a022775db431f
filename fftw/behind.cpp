#include "behind.hpp"

#include <dlfcn.h>

#include <string_view>

#include "settings.hpp"

namespace weft::fftw {

namespace {

/// RTLD_NEXT means the library that dlsym returns to, so this must not become a jump to dlsym with
/// which dlsym would return to the caller's caller, in another library: hence volatile.
void* next(const char* name) {
    void* volatile result = dlsym(RTLD_NEXT, name);
    return result;
}

}  // namespace

void* behind(const char* name) {
    const bool of_mpi = std::string_view(name).find("_mpi_") != std::string_view::npos;
    if (of_mpi && settings().mode == Mode::alone) return nullptr;
    return next(name);
}

}  // namespace weft::fftw

/// For weft's engines, which may be in a library of their own (src/base/next_function.hpp).
WEFT_FFTW_PUBLIC void* WEFT_FFTW_OWN(behind)(const char* name);
WEFT_FFTW_PUBLIC void* WEFT_FFTW_OWN(behind)(const char* name) { return weft::fftw::next(name); }
