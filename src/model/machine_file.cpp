#include "model/machine_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "model/machine_reader.hpp"
#include "model/machine_texts.hpp"
#include "model/unique_json.hpp"

namespace weft::core {

namespace {

Link read_link(MachineReader reader) {
    Link link;
    link.latency = reader.number("latency");
    link.bandwidth = reader.number("bandwidth");
    link.overhead = reader.optional_number("overhead");
    link.by_size = reader.table("by_size");
    link.collective = reader.table("collective");
    reader.finish();
    return link;
}

Network read_network(MachineReader reader) {
    Network network;
    const std::string word = reader.word("shape");
    const auto* shape = std::find_if(network_shapes.begin(), network_shapes.end(),
                                     [&](const auto& each) { return each.first == word; });
    if (shape == network_shapes.end()) {
        reader.refuse_value(reader.full("shape"), word,
                            "there are full, tree, torus and dragonfly");
    }
    network.shape = shape->second;
    if (network.shape == Network::Shape::tree) {
        network.taper = reader.number("taper");
        network.leaf = reader.optional_integer("leaf").value_or(0);
    }
    if (network.shape == Network::Shape::torus) {
        network.dimensions = reader.integer("dimensions");
        network.link = reader.number("link");
        network.extents = reader.integers("extents");
    }
    if (network.shape == Network::Shape::dragonfly) network.blocks = reader.full_table("blocks");
    reader.finish();
    return network;
}

MemoryRates read_memory(MachineReader reader) {
    MemoryRates memory;
    memory.cache = reader.number("cache");
    memory.copy_rate = reader.number("copy_rate");
    memory.pack_rate = reader.number("pack_rate");
    memory.cache_rate = reader.optional_number("cache_rate");
    reader.finish();
    return memory;
}

EngineRates read_engine(MachineReader reader) {
    EngineRates rates;
    rates.rate = reader.number("rate");
    rates.rough = reader.number("rough", 1);
    rates.single = reader.number("single", 1);
    rates.instruction_set = reader.word("instruction_set", "");
    reader.finish();
    return rates;
}

HostLink read_host_link(MachineReader reader) {
    HostLink link;
    link.latency = reader.number("latency");
    link.to_device = reader.number("to_device");
    link.from_device = reader.number("from_device");
    link.pageable = reader.optional_number("pageable");
    link.shared_by = reader.optional_integer("shared_by").value_or(1);
    reader.finish();
    return link;
}

PeerLink read_peer_link(MachineReader reader) {
    PeerLink link;
    link.latency = reader.number("latency");
    link.bandwidth = reader.number("bandwidth");
    reader.finish();
    return link;
}

DeviceEngine read_device_engine(MachineReader reader) {
    DeviceEngine engine;
    engine.lines = reader.number("lines");
    engine.lanes = reader.number("lanes");
    engine.permuting = reader.number("permuting");
    engine.rate = reader.number("rate");
    engine.longest = reader.number("longest", engine.longest);
    engine.rough = reader.number("rough", 1);
    engine.single = reader.number("single", 1);
    reader.finish();
    return engine;
}

DirectLinks read_direct(MachineReader reader) {
    DirectLinks direct;
    direct.inside = read_link(reader.object("inside"));
    direct.between = read_link(reader.object("between"));
    reader.finish();
    return direct;
}

Devices read_devices(MachineReader reader) {
    Devices devices;
    devices.kind = reader.word("kind");
    devices.per_node = reader.integer("per_node");
    devices.launch = reader.number("launch");
    devices.host_link = read_host_link(reader.object("host_link"));
    if (const auto link = reader.optional_object("peer_link")) {
        devices.peer_link = read_peer_link(*link);
    }
    MachineReader memory = reader.object("memory");
    devices.copy_rate = memory.number("copy_rate");
    devices.pack_rate = memory.number("pack_rate");
    memory.finish();
    MachineReader engines = reader.object("engines");
    for (const std::string& name : engines.keys()) {
        devices.engines[name] = read_device_engine(engines.object(name));
    }
    devices.other_engines = reader.word("other_engines");
    if (const auto direct = reader.optional_object("direct")) devices.direct = read_direct(*direct);
    reader.finish();
    return devices;
}

void check_version(MachineReader& reader, std::string_view origin) {
    const std::string format = reader.word("format");
    if (format != machine_format) {
        bad_request(fmt::format("{}: format is '{}', not '{}': this is no description of a machine",
                                origin, format, machine_format));
    }
    const int version = reader.integer("version");
    if (version != machine_format_version) {
        bad_request(fmt::format(
            "{}: version is {}, but this weft reads version {}; take the weft that wrote the file, "
            "or write the file anew",
            origin, version, machine_format_version));
    }
}

}  // namespace

Machine parse_machine(std::string_view text, std::string_view origin) {
    const auto json = parse_unique(text, origin);
    Machine machine;
    MachineReader reader(json, "", origin, machine);
    check_version(reader, origin);
    machine.name = reader.word("name");
    machine.summary = reader.word("summary", "");
    machine.ranks_per_node = reader.integer("ranks_per_node");
    machine.inside = read_link(reader.object("inside"));
    machine.between = read_link(reader.object("between"));
    machine.injection = reader.optional_number("injection");
    machine.contention = reader.table("contention");
    machine.collective_batch = reader.optional_integer("collective_batch");
    if (const auto network = reader.optional_object("network")) {
        machine.network = read_network(*network);
    }
    machine.memory = read_memory(reader.object("memory"));
    MachineReader engines = reader.object("engines");
    for (const std::string& name : engines.keys()) {
        machine.engines[name] = read_engine(engines.object(name));
    }
    machine.other_engines = reader.word("other_engines");
    if (const auto devices = reader.optional_object("devices")) {
        machine.devices = read_devices(*devices);
    }
    reader.finish();
    validate(machine, origin);
    return machine;
}

std::vector<std::string> machine_names() {
    std::vector<std::string> names;
    for (const auto& [name, text] : machine_texts()) names.emplace_back(name);
    return names;
}

Machine named_machine(std::string_view name) {
    for (const auto& [each, text] : machine_texts()) {
        if (each == name) return parse_machine(text, fmt::format("machines/{}.json", name));
    }
    bad_request(
        fmt::format("machine '{}' is unknown; there are {}, and files by a path that ends in .json",
                    name, fmt::join(machine_names(), ", ")));
}

}  // namespace weft::core
