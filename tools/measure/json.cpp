#include "measure/json.hpp"

#include "fft/engine.hpp"
#include "measure/commit.hpp"
#include "measure/host.hpp"
#include "memory/processor.hpp"
#include "net/mpi_library.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {

namespace {

/// Of weft, its compiler and the libraries that its engines call.
Json versions() {
    Json all = {{"weft", version()}, {"compiler", compiler()}};
    for (const core::EngineInfo& info : core::engines()) {
        if (!info.built_in || info.name == "native" || info.name == "reference") continue;
        // A library that is opened when it is used may be gone.
        try {
            all[std::string(info.name)] = core::engine(info.name).description();
        } catch (const Error& error) {
            all[std::string(info.name)] = nullptr;
        }
    }
    return all;
}

}  // namespace

Json json(const Quartiles& seconds) {
    return {{"median", seconds.median}, {"q1", seconds.q1}, {"q3", seconds.q3}};
}

void add_origin(Json& record) {
    static const Json all_versions = versions();
    record["processor"] = core::processor_name();
    record["mpi"] = core::mpi_library();
    record["versions"] = all_versions;
    record["vectors"] = core::native_instruction_set();
    record["commit"] = commit().empty() ? Json(nullptr) : Json(commit());
}

void add_machine(Json& record, const Machine& machine) {
    add_origin(record);
    record["mpi"] = machine.mpi;
    record["processor"] = machine.processor;
    record["cores"] = machine.cores;
    record["nodes"] = machine.nodes;
    record["compiler"] = machine.compiler;
}

}  // namespace weft::cli
