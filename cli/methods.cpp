// weft methods: the exchange methods by name, what they need and whether they can run here.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/devices.hpp"
#include "columns.hpp"
#include "exchange/via.hpp"
#include "measure/json.hpp"
#include "net/mpi.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

std::string packing_text(core::Packing packing) {
    switch (packing) {
        case core::Packing::always:
            return "packs";
        case core::Packing::never:
            return "datatypes";
        case core::Packing::either:
            return "either";
        case core::Packing::region:
            return "none";
    }
    return "?";
}

/// Whether plans of the host can use it.
bool runs_here(const core::Transport& how) { return core::why_unavailable(how).empty(); }

/// The devices whose plans alone can use it.
std::vector<std::string> devices_of(const core::Transport& how) {
    std::vector<std::string> devices;
    for (const auto& info : core::known_devices()) {
        if (runs_here(how) || !core::why_unavailable(how, info.name).empty()) continue;
        devices.emplace_back(info.name);
    }
    return devices;
}

/// `yes`, `no`, or the devices.
std::string here_text(const core::Transport& how) {
    const std::vector<std::string> devices = devices_of(how);
    if (devices.empty()) return runs_here(how) ? "yes" : "no";
    return fmt::format("{}", fmt::join(devices, ","));
}

int print_methods_json() {
    Json all = Json::array();
    std::string elsewhere;
    for (const core::Method& method : core::methods()) {
        const core::Transport& how = method.via.how();
        const std::string reason = core::why_unavailable(how);
        Json one = {{"via", method.name},
                    {"here", runs_here(how)},
                    {"devices", devices_of(how)},
                    {"messages", packing_text(how.packing)},
                    {"summary", method.summary}};
        if (!reason.empty()) {
            one["needs"] = how.needs;
            one["why_not"] = reason;
        }
        all.push_back(one);
        if (!devices_of(how).empty()) {
            elsewhere += fmt::format(", {} on {}", method.name, here_text(how));
        }
    }
    const auto here =
        std::count_if(all.begin(), all.end(), [](const Json& one) { return one["here"] == true; });
    fmt::print("{}\n", Json{{"verdict", fmt::format("{} of {} methods can run here{}", here,
                                                    all.size(), elsewhere)},
                            {"methods", all}}
                           .dump(1));
    return 0;
}

int show_methods() {
    constexpr std::size_t indent = 44;
    fmt::print("{:<21} {:<10} {:<10} {}\n", "via", "here", "messages", "what it does");
    for (const core::Method& method : core::methods()) {
        const core::Transport& how = method.via.how();
        const std::string reason = core::why_unavailable(how);
        fmt::print("{:<21} {:<10} {:<10} {}\n", method.name, here_text(how),
                   packing_text(how.packing), wrapped(method.summary, indent));
        if (!reason.empty()) {
            fmt::print("{:<21} {}\n", "",
                       wrapped(fmt::format("needs {}: {}", how.needs, reason), 22));
        }
    }
    fmt::print(
        "\n"
        "p2p, send and persistent take any schedule, completion and rounds, as\n"
        "via=p2p(kway(4),some,rounds=8). sendrecv takes schedules; nccl takes schedules\n"
        "and rounds. via=auto times all methods when the plan is made and takes the\n"
        "fastest. The column `messages` says which values of pack= suit a method. packs:\n"
        "sender, receiver; datatypes: datatype; either: sender, receiver, datatype; none:\n"
        "fused (transforms write the memory that receivers read). Every method takes\n"
        "pack=fft. Methods that carry all messages at once, anywhere in memory, take\n"
        "pack=fused too.\n");
    return 0;
}

}  // namespace

Verb add_methods(CLI::App& app) {
    CLI::App* verb = app.add_subcommand(
        "methods", "List the exchange methods, what they need and whether they can run here");
    auto json = std::make_shared<bool>(false);
    verb->add_flag("--json", *json, "print one JSON document");
    verb->footer("Example: weft methods");
    return {verb, [json] { return *json ? print_methods_json() : show_methods(); },
            [] { return false; }};
}

}  // namespace weft::cli
