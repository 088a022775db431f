// Machine descriptions written as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/machine_file.hpp"

namespace weft::core {

namespace {

using Json = nlohmann::ordered_json;

/// Writes the keys of one object.
class Writer {
  public:
    Writer(Json& object, std::string path, const Machine& machine)
        : object_(object), path_(std::move(path)), machine_(machine) {}

    template <class T>
    void put(const std::string& key, const T& value) {
        const auto source = machine_.sources.find(path_.empty() ? key : path_ + "." + key);
        if (source == machine_.sources.end()) {
            object_[key] = value;
        } else {
            object_[key] = Json{{"value", value}, {"source", source->second}};
        }
    }
    void put_table(const std::string& key, const Table& table) {
        if (table.empty()) return;
        Json pairs = Json::array();
        for (const TablePoint& point : table) pairs.push_back(Json::array({point.x, point.y}));
        put(key, pairs);
    }
    Writer object(const std::string& key) {
        object_[key] = Json::object();
        return {object_[key], path_.empty() ? key : path_ + "." + key, machine_};
    }

  private:
    Json& object_;
    std::string path_;
    const Machine& machine_;
};

void write(Writer to, const Link& link) {
    to.put("latency", link.latency);
    to.put("bandwidth", link.bandwidth);
    if (link.overhead) to.put("overhead", *link.overhead);
    to.put_table("by_size", link.by_size);
    to.put_table("collective", link.collective);
}

void write(Writer to, const Network& network) {
    const auto* shape =
        std::find_if(network_shapes.begin(), network_shapes.end(),
                     [&](const auto& each) { return each.second == network.shape; });
    to.put("shape", std::string(shape->first));
    if (network.shape == Network::Shape::tree) {
        to.put("taper", network.taper);
        if (network.leaf > 0) to.put("leaf", network.leaf);
    }
    if (network.shape == Network::Shape::torus) {
        to.put("dimensions", network.dimensions);
        to.put("link", network.link);
        if (!network.extents.empty()) to.put("extents", network.extents);
    }
    to.put_table("blocks", network.blocks);
}

void write(Writer to, const EngineRates& rates) {
    to.put("rate", rates.rate);
    to.put("rough", rates.rough);
    to.put("single", rates.single);
    if (!rates.instruction_set.empty()) to.put("instruction_set", rates.instruction_set);
}

void write(Writer to, const HostLink& link) {
    to.put("latency", link.latency);
    to.put("to_device", link.to_device);
    to.put("from_device", link.from_device);
    if (link.pageable) to.put("pageable", *link.pageable);
    if (link.shared_by > 1) to.put("shared_by", link.shared_by);
}

void write(Writer to, const PeerLink& link) {
    to.put("latency", link.latency);
    to.put("bandwidth", link.bandwidth);
}

void write(Writer to, const DeviceEngine& engine) {
    to.put("lines", engine.lines);
    to.put("lanes", engine.lanes);
    to.put("permuting", engine.permuting);
    to.put("rate", engine.rate);
    to.put("longest", engine.longest);
    to.put("rough", engine.rough);
    to.put("single", engine.single);
}

void write(Writer to, const Devices& devices) {
    to.put("kind", devices.kind);
    to.put("per_node", devices.per_node);
    to.put("launch", devices.launch);
    write(to.object("host_link"), devices.host_link);
    if (devices.peer_link) write(to.object("peer_link"), *devices.peer_link);
    Writer memory = to.object("memory");
    memory.put("copy_rate", devices.copy_rate);
    memory.put("pack_rate", devices.pack_rate);
    Writer engines = to.object("engines");
    for (const auto& [name, engine] : devices.engines) write(engines.object(name), engine);
    to.put("other_engines", devices.other_engines);
    if (!devices.direct) return;
    Writer direct = to.object("direct");
    write(direct.object("inside"), devices.direct->inside);
    write(direct.object("between"), devices.direct->between);
}

}  // namespace

std::string to_json(const Machine& machine) {
    Json json = {{"format", machine_format}, {"version", machine_format_version}};
    Writer to(json, "", machine);
    to.put("name", machine.name);
    to.put("summary", machine.summary);
    to.put("ranks_per_node", machine.ranks_per_node);
    write(to.object("inside"), machine.inside);
    write(to.object("between"), machine.between);
    if (machine.injection) to.put("injection", *machine.injection);
    to.put_table("contention", machine.contention);
    if (machine.collective_batch) to.put("collective_batch", *machine.collective_batch);
    write(to.object("network"), machine.network);
    Writer memory = to.object("memory");
    memory.put("cache", machine.memory.cache);
    memory.put("copy_rate", machine.memory.copy_rate);
    memory.put("pack_rate", machine.memory.pack_rate);
    if (machine.memory.cache_rate) memory.put("cache_rate", *machine.memory.cache_rate);
    Writer engines = to.object("engines");
    for (const auto& [name, rates] : machine.engines) write(engines.object(name), rates);
    to.put("other_engines", machine.other_engines);
    if (machine.devices) write(to.object("devices"), *machine.devices);
    return json.dump(2) + "\n";
}

}  // namespace weft::core
