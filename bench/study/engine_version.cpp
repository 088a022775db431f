#include "study/engine_version.hpp"

#include <dlfcn.h>

#include <array>

#include "weft/version.hpp"

namespace weft::study {

namespace {

/// Asked by name, because only an engine's own file includes its library's header, and because a
/// library may be loaded by the engine and not be linked.
template <class T>
T* symbol(const char* name) {
    return reinterpret_cast<T*>(dlsym(RTLD_DEFAULT, name));
}

std::string mkl_version() {
    using Ask = void(char*, int);
    auto* ask = symbol<Ask>("MKL_Get_Version_String");
    if (ask == nullptr) ask = symbol<Ask>("mkl_get_version_string");
    if (ask == nullptr) return "";
    std::array<char, 256> text{};
    ask(text.data(), static_cast<int>(text.size()) - 1);
    const std::string version(text.data());
    return version.substr(0, version.find_last_not_of(' ') + 1);
}

}  // namespace

std::string engine_version(std::string_view engine) {
    if (engine == "fftw") {
        const char* version = symbol<const char>("fftw_version");
        return version == nullptr ? "" : version;
    }
    if (engine == "mkl") return mkl_version();
    return engine == "native" || engine == "reference" ? "weft " + version() : "";
}

}  // namespace weft::study
