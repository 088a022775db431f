// The one exception type of weft. In collective calls every rank throws the same one.
#pragma once

#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)

namespace weft {

/// What kind of failure an Error reports. The values are the exit codes of the `weft` command.
enum class ErrorCode {
    wrong_result = 1,   ///< a check found a wrong transform
    bad_request = 2,    ///< an argument or a text is invalid, or ranks disagree
    not_available = 3,  ///< known, but not possible in this build or on this machine
    system = 4,         ///< MPI or the operating system failed (out of memory, MPI not initialised)
};

/// A failure with a message that quotes the values involved and says what to do.
class Error : public std::runtime_error {
  public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

  private:
    ErrorCode code_;
};

}  // namespace weft

#pragma GCC visibility pop
