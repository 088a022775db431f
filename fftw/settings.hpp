// The environment variables of the FFTW interface (docs/fftw.md).
#pragma once

#include <string>

namespace weft::fftw {

/// WEFT_FFTW: `on`; `off`, every call is passed on to FFTW; `alone`, none is, as if FFTW's MPI
/// library were missing.
enum class Mode { on, off, alone };

struct Settings {
    Mode mode = Mode::on;
    bool log = false;    ///< WEFT_FFTW_LOG=1
    std::string choice;  ///< WEFT_FFTW_CHOICE: the text of a choice for all plans
};

/// Read once. A value that is none of these is reported on stderr and passed over.
const Settings& settings();

}  // namespace weft::fftw
