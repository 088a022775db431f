// MKL is opened with dlopen, not linked, because what it exports collides with others: it has
// functions of FFTW's names, which take the place of FFTW's or not as the order of the user's
// libraries falls, and a BLAS with integers of its own width. Opened, its names come after those of
// every library that the program has linked.
#include "fft/dfti.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "weft/error.hpp"

namespace weft::core {

namespace {

[[noreturn]] void not_available(const std::string& why) {
    throw Error(ErrorCode::not_available,
                fmt::format("engine 'mkl': {}; add its folder to LD_LIBRARY_PATH, or take another "
                            "engine",
                            why));
}

/// From where it was when weft was built, or else from where the system looks for libraries.
void* open_library(int flags) {
    const std::string_view path = WEFT_MKL_LIBRARY;
    void* library = dlopen(path.data(), flags);
    if (library != nullptr) return library;
    return dlopen(path.substr(path.rfind('/') + 1).data(), flags);
}

template <class Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) not_available(fmt::format("{} has no {}", WEFT_MKL_LIBRARY, name));
}

/// A library for MPI programs starts no threads: descriptors are limited to one, and an OpenMP of
/// MKL's choice is not even loaded beside the program's, unless the program uses MKL itself
/// (`loaded`) or its user has said otherwise.
void choose_sequential(void* library, bool loaded) {
    if (loaded || std::getenv("MKL_THREADING_LAYER") != nullptr) return;
    decltype(&MKL_Set_Threading_Layer) set_layer = nullptr;
    find(library, "MKL_Set_Threading_Layer", set_layer);
    set_layer(MKL_THREADING_SEQUENTIAL);
}

Dfti open_dfti() {
    const bool loaded = open_library(RTLD_LAZY | RTLD_NOLOAD) != nullptr;
    void* library = open_library(RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) not_available(fmt::format("MKL cannot be opened ({})", dlerror()));
    choose_sequential(library, loaded);
    Dfti result;
    find(library, "DftiCreateDescriptor", result.create);
    find(library, "DftiSetValue", result.set);
    find(library, "DftiCommitDescriptor", result.commit);
    find(library, "DftiComputeForward", result.forward);
    find(library, "DftiComputeBackward", result.backward);
    find(library, "DftiFreeDescriptor", result.free);
    find(library, "DftiErrorMessage", result.message);
    find(library, "MKL_Get_Version", result.version);
    return result;
}

}  // namespace

const Dfti& dfti() {
    static const Dfti functions = open_dfti();
    return functions;
}

}  // namespace weft::core
