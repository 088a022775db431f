#include "model/machine_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "model/machine_texts.hpp"

namespace weft::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_word = "weft machine";
constexpr int format_version = 1;

constexpr std::array<std::pair<std::string_view, Network::Shape>, 3> shapes = {{
    {"full", Network::Shape::full},
    {"tree", Network::Shape::tree},
    {"torus", Network::Shape::torus},
}};

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
    int integer(std::string_view key) {
        const Json& value = figure(key);
        if (!value.is_number_integer() || value.get<double>() > 1e9 || value.get<double>() < -1e9) {
            refuse_value(full(key), value, "a whole number below 1e9 is needed");
        }
        return value.get<int>();
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

/// JSON keeps the last of two equal keys; here the file contradicts itself.
Json parse_unique(std::string_view text, std::string_view origin) {
    std::vector<std::set<std::string>> open;
    std::string twice;
    const auto watch = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) open.emplace_back();
        if (event == Json::parse_event_t::object_end) open.pop_back();
        if (event == Json::parse_event_t::key &&
            !open.back().insert(parsed.get<std::string>()).second) {
            twice = parsed.get<std::string>();
        }
        return true;
    };
    Json json;
    try {
        json = Json::parse(text, watch);
    } catch (const Json::exception& error) {
        bad_request(fmt::format("{}: this is not JSON, or a part of it is missing: {}", origin,
                                error.what()));
    }
    if (!twice.empty()) {
        bad_request(fmt::format(
            "{}: the key {} is there twice in one object; leave one of them out", origin, twice));
    }
    return json;
}

Link read_link(Reader reader) {
    Link link;
    link.latency = reader.number("latency");
    link.bandwidth = reader.number("bandwidth");
    link.by_size = reader.table("by_size");
    reader.finish();
    return link;
}

Network read_network(Reader reader) {
    Network network;
    const std::string word = reader.word("shape");
    const auto* shape = std::find_if(shapes.begin(), shapes.end(),
                                     [&](const auto& each) { return each.first == word; });
    if (shape == shapes.end()) {
        reader.refuse_value(reader.full("shape"), word, "there are full, tree and torus");
    }
    network.shape = shape->second;
    if (network.shape == Network::Shape::tree) network.taper = reader.number("taper");
    if (network.shape == Network::Shape::torus) {
        network.dimensions = reader.integer("dimensions");
        network.link = reader.number("link");
    }
    reader.finish();
    return network;
}

MemoryRates read_memory(Reader reader) {
    MemoryRates memory;
    memory.cache = reader.number("cache");
    memory.copy_rate = reader.number("copy_rate");
    memory.pack_rate = reader.number("pack_rate");
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
    if (format != format_word) {
        bad_request(fmt::format("{}: format is '{}', not '{}': this is no description of a machine",
                                origin, format, format_word));
    }
    const int version = reader.integer("version");
    if (version != format_version) {
        bad_request(fmt::format(
            "{}: version is {}, but this weft reads version {}; take the weft that wrote the file, "
            "or write the file anew",
            origin, version, format_version));
    }
}

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
    to.put_table("by_size", link.by_size);
}

void write(Writer to, const Network& network) {
    const auto* shape = std::find_if(shapes.begin(), shapes.end(), [&](const auto& each) {
        return each.second == network.shape;
    });
    to.put("shape", std::string(shape->first));
    if (network.shape == Network::Shape::tree) to.put("taper", network.taper);
    if (network.shape == Network::Shape::torus) {
        to.put("dimensions", network.dimensions);
        to.put("link", network.link);
    }
}

void write(Writer to, const EngineRates& rates) {
    to.put("rate", rates.rate);
    to.put("rough", rates.rough);
    to.put("single", rates.single);
    if (!rates.instruction_set.empty()) to.put("instruction_set", rates.instruction_set);
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

std::string to_json(const Machine& machine) {
    Json json = {{"format", format_word}, {"version", format_version}};
    Writer to(json, "", machine);
    to.put("name", machine.name);
    to.put("summary", machine.summary);
    to.put("ranks_per_node", machine.ranks_per_node);
    write(to.object("inside"), machine.inside);
    write(to.object("between"), machine.between);
    if (machine.injection) to.put("injection", *machine.injection);
    to.put_table("contention", machine.contention);
    write(to.object("network"), machine.network);
    Writer memory = to.object("memory");
    memory.put("cache", machine.memory.cache);
    memory.put("copy_rate", machine.memory.copy_rate);
    memory.put("pack_rate", machine.memory.pack_rate);
    Writer engines = to.object("engines");
    for (const auto& [name, rates] : machine.engines) write(engines.object(name), rates);
    to.put("other_engines", machine.other_engines);
    return json.dump(2) + "\n";
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
