// weft info: what this build and this machine have.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/devices.hpp"
#include "device/devices.hpp"
#include "exchange/via.hpp"
#include "fft/engine.hpp"
#include "measure/host.hpp"
#include "net/mpi_library.hpp"
#include "verbs.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {

namespace {

/// Whether MPI reaches the memory of a device, or that there is none here.
std::string reached_text(std::string_view device) {
    try {
        return core::device(device).mpi_reaches() ? "MPI reaches" : "staged";
    } catch (const Error&) {
        return "not here";
    }
}

int show() {
    fmt::print("weft       {}\ncompiler   {}\nMPI        {}\n", version(), compiler(),
               core::mpi_library());
    fmt::print("engines\n");
    for (const core::EngineInfo& info : core::engines()) {
        fmt::print("  {:<12} {:<13} {}\n", info.name, info.built_in ? "built in" : "not built in",
                   info.summary);
    }
    fmt::print("devices (space)\n");
    for (const core::DeviceInfo& info : core::device_table) {
        fmt::print("  {:<12} {:<13} {}\n", info.name, reached_text(info.name), info.summary);
    }
    fmt::print("exchange methods (via; see weft methods)\n");
    for (const core::Method& method : core::methods()) fmt::print("  {}\n", method.name);
    return 0;
}

}  // namespace

Verb add_info(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("info", "Show versions, engines, devices and exchange methods");
    verb->footer("Example: weft info");
    return {verb, show, [] { return false; }};
}

}  // namespace weft::cli
