#include "model/machine_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "model/machine_texts.hpp"
#include "model/unique_json.hpp"

namespace weft::core {

namespace {

using Json = nlohmann::ordered_json;

/// Reads the keys of one object. Those that are read are known; finish() refuses the others.
class Reader {
  public:
    Reader(const Json& object, std::string path, std::string_view origin, Machine& machine)
        : object_(object), path_(std::move(path)), origin_(origin), machine_(machine) {
        if (!object.is_object()) refuse_value(path_, object, "an object in braces is needed");
    }

    [[nodiscard]] bool has(std::string_view key) const { return object_.contains(key); }
    double number(std::string_view key) {
        const Json& value = figure(key);
        if (!value.is_number()) refuse_value(full(key), value, "a number is needed");
        return value.get<double>();
    }
    std::optional<double> optional_number(std::string_view key) {
        known_.insert(std::string(key));
        return has(key) ? std::optional(number(key)) : std::nullopt;
    }
    double number(std::string_view key, double otherwise) {
        return optional_number(key).value_or(otherwise);
    }
    int integer(std::string_view key) { return whole_number(key, figure(key)); }
    std::optional<int> optional_integer(std::string_view key) {
        known_.insert(std::string(key));
        return has(key) ? std::optional(integer(key)) : std::nullopt;
    }
    /// A list that may be missing.
    std::vector<int> integers(std::string_view key) {
        known_.insert(std::string(key));
        std::vector<int> result;
        if (!has(key)) return result;
        const Json& value = figure(key);
        if (!value.is_array() || value.empty()) {
            refuse_value(full(key), value, "a list of whole numbers is needed, as [8, 8, 4]");
        }
        for (const Json& each : value) result.push_back(whole_number(key, each));
        return result;
    }
    std::string word(std::string_view key) {
        const Json& value = figure(key);
        if (!value.is_string()) refuse_value(full(key), value, "a text in quotes is needed");
        return value.get<std::string>();
    }
    std::string word(std::string_view key, const std::string& otherwise) {
        known_.insert(std::string(key));
        return has(key) ? word(key) : otherwise;
    }
    Table table(std::string_view key) {
        known_.insert(std::string(key));
        Table result;
        if (!has(key)) return result;
        const Json& value = figure(key);
        const std::string advice = "a list of pairs of numbers is needed, as [[8, 1e-6]]";
        if (!value.is_array() || value.empty()) refuse_value(full(key), value, advice);
        for (const Json& pair : value) {
            if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() ||
                !pair[1].is_number()) {
                refuse_value(full(key), pair, advice);
            }
            result.push_back({pair[0].get<double>(), pair[1].get<double>()});
        }
        return result;
    }
    /// A table that may not be missing.
    Table full_table(std::string_view key) {
        (void)member(key);
        return table(key);
    }
    /// An object within this one, that may be missing.
    std::optional<Reader> optional_object(std::string_view key) {
        known_.insert(std::string(key));
        return has(key) ? std::optional(object(key)) : std::nullopt;
    }
    /// An object within this one.
    Reader object(std::string_view key) { return {member(key), full(key), origin_, machine_}; }
    /// The keys that this object has.
    [[nodiscard]] std::vector<std::string> keys() const {
        std::vector<std::string> result;
        for (const auto& [key, value] : object_.items()) result.push_back(key);
        return result;
    }
    /// Refuses keys that nobody has asked for.
    void finish() const {
        for (const auto& [key, value] : object_.items()) {
            if (known_.contains(key)) continue;
            bad_request(fmt::format("{}: the key {} is unknown; there are {}", origin_, full(key),
                                    fmt::join(known_, ", ")));
        }
    }
    [[noreturn]] void refuse_value(std::string_view path, const Json& value,
                                   std::string_view advice) const {
        std::string text = value.dump();
        if (text.size() > 60) text = text.substr(0, 57) + "...";
        bad_request(fmt::format("{}: {} is {}: {}", origin_, path.empty() ? "the whole text" : path,
                                text, advice));
    }
    [[nodiscard]] std::string full(std::string_view key) const {
        return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
    }

  private:
    const Json& member(std::string_view key) {
        known_.insert(std::string(key));
        if (!has(key)) {
            bad_request(
                fmt::format("{}: the key {} is missing; add it (docs/model.md says what it means)",
                            origin_, full(key)));
        }
        return object_.at(std::string(key));
    }
    [[nodiscard]] int whole_number(std::string_view key, const Json& value) const {
        if (!value.is_number_integer() || value.get<double>() > 1e9 || value.get<double>() < -1e9) {
            refuse_value(full(key), value, "a whole number below 1e9 is needed");
        }
        return value.get<int>();
    }
    /// The value of a figure, whose source is noted.
    const Json& figure(std::string_view key) {
        const Json& value = member(key);
        if (!value.is_object()) return value;
        if (!value.contains("value") || !value.contains("source") || value.size() != 2 ||
            !value["source"].is_string()) {
            refuse_value(full(key), value,
                         R"(a figure is a value, or {"value": .., "source": ".."})");
        }
        machine_.sources[full(key)] = value["source"].get<std::string>();
        return value["value"];
    }

    const Json& object_;
    std::string path_;
    std::string_view origin_;
    Machine& machine_;
    std::set<std::string> known_;
};

Link read_link(Reader reader) {
    Link link;
    link.latency = reader.number("latency");
    link.bandwidth = reader.number("bandwidth");
    link.overhead = reader.optional_number("overhead");
    link.by_size = reader.table("by_size");
    link.collective = reader.table("collective");
    reader.finish();
    return link;
}

Network read_network(Reader reader) {
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

MemoryRates read_memory(Reader reader) {
    MemoryRates memory;
    memory.cache = reader.number("cache");
    memory.copy_rate = reader.number("copy_rate");
    memory.pack_rate = reader.number("pack_rate");
    memory.cache_rate = reader.optional_number("cache_rate");
    reader.finish();
    return memory;
}

EngineRates read_engine(Reader reader) {
    EngineRates rates;
    rates.rate = reader.number("rate");
    rates.rough = reader.number("rough", 1);
    rates.single = reader.number("single", 1);
    rates.instruction_set = reader.word("instruction_set", "");
    reader.finish();
    return rates;
}

void check_version(Reader& reader, std::string_view origin) {
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
    const Json json = parse_unique(text, origin);
    Machine machine;
    Reader reader(json, "", origin, machine);
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
    Reader engines = reader.object("engines");
    for (const std::string& name : engines.keys()) {
        machine.engines[name] = read_engine(engines.object(name));
    }
    machine.other_engines = reader.word("other_engines");
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
