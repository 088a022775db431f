#include "api/described_machine.hpp"

#include "api/text_file.hpp"
#include "base/variables.hpp"
#include "model/machine_file.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft {

core::Machine described_machine(const std::string& name_or_path) {
    const bool path =
        name_or_path.ends_with(".json") || name_or_path.find('/') != std::string::npos;
    return path ? core::parse_machine(read_existing_text_file(name_or_path), name_or_path)
                : core::named_machine(name_or_path);
}

std::string machine_of_environment() { return core::variable("WEFT_MACHINE").value_or(""); }

std::optional<core::Machine> described_machine(MPI_Comm comm, const std::string& said) {
    std::string name_or_path = said;
    if (said.empty()) {
        const std::string here = machine_of_environment();
        if (!core::on_any_rank(comm, !here.empty())) return {};
        name_or_path = core::broadcast_text(comm, 0, here);
    }
    if (name_or_path.empty()) return {};
    const std::string text =
        core::told_by_first(comm, [&] { return core::to_json(described_machine(name_or_path)); });
    std::optional<core::Machine> machine;
    core::all_or_none(comm, [&] { machine = core::parse_machine(text, name_or_path); });
    return machine;
}

}  // namespace weft
