// cuFFTMp, opened at run time, as src/fft/dfti.cpp opens MKL and for the same reason.
#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "measure/cufftmp.hpp"
#include "weft/error.hpp"

namespace weft::cli::WEFT_GPU_TARGET {

namespace {

[[noreturn]] void not_available(const std::string& why) {
    throw Error(ErrorCode::not_available,
                fmt::format("--against cufftmp: {}; add the folders of cuFFTMp and NVSHMEM to "
                            "LD_LIBRARY_PATH, or leave it out",
                            why));
}

/// From where it was when weft was built, or else from where the system looks for libraries. What
/// it calls of its own it finds in itself, not in the cuFFT that is here already.
void* open_library() {
    constexpr int flags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
    const std::string path = WEFT_CUFFTMP_LIBRARY;
    void* library = dlopen(path.c_str(), flags);
    if (library == nullptr) library = dlopen(path.substr(path.rfind('/') + 1).c_str(), flags);
    if (library == nullptr) not_available(fmt::format("cuFFTMp cannot be opened ({})", dlerror()));
    return library;
}

template <class Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) not_available(fmt::format("{} has no {}", WEFT_CUFFTMP_LIBRARY, name));
}

CufftMp open_cufftmp() {
    void* library = open_library();
    CufftMp result{};
    find(library, "cufftCreate", result.create);
    find(library, "cufftDestroy", result.destroy);
    find(library, "cufftMpAttachComm", result.attach);
    find(library, "cufftMakePlan2d", result.make_2d);
    find(library, "cufftMakePlan3d", result.make_3d);
    find(library, "cufftXtMalloc", result.allocate);
    find(library, "cufftXtFree", result.free);
    find(library, "cufftXtExecDescriptor", result.execute);
    return result;
}

}  // namespace

const CufftMp& cufftmp() {
    static const CufftMp functions = open_cufftmp();
    return functions;
}

}  // namespace weft::cli::WEFT_GPU_TARGET
