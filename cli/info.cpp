// weft info: what this build and this machine have.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/devices.hpp"
#include "device/devices.hpp"
#include "exchange/via.hpp"
#include "fft/engine.hpp"
#include "measure/host.hpp"
#include "measure/json.hpp"
#include "net/device_comms.hpp"
#include "net/device_reach.hpp"
#include "net/mpi_library.hpp"
#include "verbs.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {

namespace {

/// Whether MPI reaches the memory of a device or its messages are staged, and why.
struct Found {
    std::string state;
    std::string why{};
};
Found found(std::string_view device) {
    try {
        const core::DeviceReach& reach = core::device_reach(core::device(device));
        return {reach.reaches ? "MPI reaches" : "staged", reach.why};
    } catch (const Error& error) {
        return {"not here", error.what()};
    }
}

/// Whether MPI claims to reach some device, which is then tried with messages.
bool claims_to_reach() {
    return std::any_of(core::known_devices().begin(), core::known_devices().end(),
                       [](const auto& info) {
                           try {
                               return core::claimed_reach(core::device(info.name)).reaches;
                           } catch (const Error&) {
                               return false;
                           }
                       });
}

/// The instruction sets that the native engine is compiled for: `AVX3, AVX2 (not here), SCALAR`.
std::string vectors_text() {
    const auto sets = core::native_instruction_sets();
    std::vector<std::string> names;
    names.reserve(sets.size());
    for (const core::InstructionSet& one : sets) {
        names.push_back(fmt::format("{}{}", one.name, one.here ? "" : " (not here)"));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

int show() {
    fmt::print("weft       {}\ncompiler   {}\nMPI        {}\nvectors    {}\n", version(),
               compiler(), core::mpi_library(), vectors_text());
    fmt::print("engines\n");
    for (const core::EngineInfo& info : core::engines()) {
        fmt::print("  {:<12} {:<13} {}\n", info.name, info.built_in ? "built in" : "not built in",
                   info.summary);
    }
    fmt::print("devices (space)\n");
    for (const core::DeviceInfo& info : core::known_devices()) {
        const Found here = found(info.name);
        fmt::print("  {:<12} {:<13} {}\n", info.name, here.state, info.summary);
        if (!here.why.empty()) fmt::print("  {:<12} because {}\n", "", here.why);
    }
    for (const core::DeviceInfo& info : core::known_devices()) {
        const std::string why = core::why_no_device_comms(info.name);
        if (core::is_built_in(info.name)) {
            fmt::print("  {:<12} {}\n", info.name,
                       why.empty() ? "has via=nccl" : "has no via=nccl: " + why);
        }
    }
    fmt::print("exchange methods (via; see weft methods)\n");
    for (const core::Method& method : core::methods()) fmt::print("  {}\n", method.name);
    return 0;
}

/// What `show` says, as one document.
int print_info_json() {
    Json all = {{"weft", version()},          {"compiler", compiler()},
                {"mpi", core::mpi_library()}, {"vectors", Json::array()},
                {"engines", Json::array()},   {"devices", Json::array()},
                {"methods", Json::array()}};
    for (const core::InstructionSet& one : core::native_instruction_sets()) {
        all["vectors"].push_back({{"name", one.name}, {"here", one.here}});
    }
    for (const core::EngineInfo& info : core::engines()) {
        all["engines"].push_back(
            {{"name", info.name}, {"built_in", info.built_in}, {"summary", info.summary}});
    }
    for (const core::DeviceInfo& info : core::known_devices()) {
        const Found here = found(info.name);
        Json one = {{"name", info.name}, {"state", here.state}, {"summary", info.summary}};
        one["why"] = here.why.empty() ? Json(nullptr) : Json(here.why);
        const std::string why = core::why_no_device_comms(info.name);
        one["nccl"] = core::is_built_in(info.name) && why.empty();
        if (core::is_built_in(info.name) && !why.empty()) one["no_nccl_because"] = why;
        all["devices"].push_back(one);
    }
    for (const core::Method& method : core::methods()) all["methods"].push_back(method.name);
    add_origin(all["origin"]);
    fmt::print("{}\n", all.dump(1));
    return 0;
}

}  // namespace

Verb add_info(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("info", "Show versions, engines, devices and exchange methods");
    auto json = std::make_shared<bool>(false);
    verb->add_flag("--json", *json, "print one JSON document");
    verb->footer("Example: weft info");
    return {verb, [json] { return *json ? print_info_json() : show(); }, claims_to_reach};
}

}  // namespace weft::cli
