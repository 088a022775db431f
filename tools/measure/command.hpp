// A line for the shell that is run to its end, or ended after some time.
#pragma once

#include <string>

namespace weft::cli {

struct Outcome {
    std::string output;  ///< stdout; stderr goes where this process's goes
    int code = 0;        ///< the exit code, or 128 and the signal that ended it
    bool timed_out = false;
};

/// Runs it by /bin/sh on all processors, without the variables by which launchers of MPI tell a
/// process its job: a launcher in the line starts a job of its own. After `seconds` ends it and all
/// that it started. Throws Error(system) if it cannot be started.
Outcome run_command(const std::string& line, double seconds);

}  // namespace weft::cli
