#include "behind.hpp"

#include <dlfcn.h>

#include <string_view>

#include "settings.hpp"

namespace weft::fftw {

void* behind(const char* name) {
    const bool of_mpi = std::string_view(name).find("_mpi_") != std::string_view::npos;
    if (of_mpi && settings().mode == Mode::alone) return nullptr;
    return dlsym(RTLD_NEXT, name);
}

}  // namespace weft::fftw
