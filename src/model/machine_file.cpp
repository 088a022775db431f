#include "model/machine_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/mapped.hpp"
#include "base/text.hpp"
#include "model/machine_fields.hpp"
#include "model/machine_texts.hpp"
#include "model/unique_json.hpp"

namespace weft::core {

namespace {

using Json = nlohmann::ordered_json;

/// Reads the keys of one object, each wrong one refused with its path. Those that are asked for are
/// known; finish() refuses the others.
class Reader {
  public:
    Reader(const Json& object, std::string path, std::string_view origin, Machine& machine)
        : object_(object), path_(std::move(path)), origin_(origin), machine_(machine) {
        if (!object.is_object()) refuse_value(path_, object, "an object in braces is needed");
    }

    template <class T>
    void figure(std::string_view key, T& value, const Range& range = {}) {
        value = read<T>(key, text_of(key));
        if constexpr (std::is_arithmetic_v<T>) within(full(key), value, range);
    }
    template <class T>
    void figure(std::string_view key, std::optional<T>& value, const Range& range) {
        if (has(key)) figure(key, value.emplace(), range);
    }
    template <class T>
    void usual(std::string_view key, T& value, const Range& range = {}) {
        if (has(key)) figure(key, value, range);
    }
    template <class T>
    void unless(const T& /*usual*/, std::string_view key, T& value, const Range& range = {}) {
        usual(key, value, range);
    }
    template <class T, class Names>
    void choice(std::string_view key, T& value, const Names& names, std::string_view advice) {
        std::string name;
        figure(key, name);
        const auto* found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& each) { return each.first == name; });
        if (found == names.end()) refuse_value(full(key), name, advice);
        value = found->second;
    }
    void list(std::string_view key, std::vector<int>& list, const Range& range,
              const Range& length) {
        if (!has(key)) return;
        const Json& value = text_of(key);
        if (!value.is_array() || value.empty()) {
            refuse_value(full(key), value, "a list of whole numbers is needed, as [8, 8, 4]");
        }
        for (const Json& each : value) list.push_back(read<int>(key, each));
        within("the number of " + full(key), static_cast<double>(list.size()), length);
        for (const int each : list) within(full(key), each, range);
    }
    void table(std::string_view key, Table& table, const Range& x, const Range& y) {
        if (!has(key)) return;
        const Json& value = text_of(key);
        const std::string advice = "a list of pairs of numbers is needed, as [[8, 1e-6]]";
        if (!value.is_array() || value.empty()) refuse_value(full(key), value, advice);
        for (const Json& pair : value) {
            if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() ||
                !pair[1].is_number()) {
                refuse_value(full(key), pair, advice);
            }
            table.push_back({pair[0].get<double>(), pair[1].get<double>()});
        }
        for (std::size_t i = 1; i < table.size(); ++i) {
            if (table[i].x > table[i - 1].x) continue;
            refuse(full(key), table[i].x,
                   fmt::format("it follows {:g}; list the points in ascending order, each once",
                               table[i - 1].x));
        }
        for (const TablePoint& point : table) {
            within(full(key), point.x, x);
            within(full(key), point.y, y);
        }
    }
    /// Of a table of seconds by bytes.
    void no_shorter(std::string_view key, const Table& table) const {
        for (std::size_t i = 1; i < table.size(); ++i) {
            if (table[i].y >= table[i - 1].y) continue;
            refuse(full(key), table[i].y, "a larger message takes less time; correct the table");
        }
    }
    void require(std::string_view key) { (void)member(key); }
    template <class T>
    void object(std::string_view key, T& value) {
        Reader reader(member(key), full(key), origin_, machine_);
        fields(reader, value);
        reader.finish();
    }
    template <class T>
    void object(std::string_view key, std::optional<T>& value) {
        if (has(key)) object(key, value.emplace());
    }
    /// By name, and whose rates stand for engines that are not there.
    template <class Engines>
    void engines(Engines& engines, std::string& others) {
        Reader reader(member("engines"), full("engines"), origin_, machine_);
        for (const auto& [name, value] : reader.object_.items()) reader.object(name, engines[name]);
        figure("other_engines", others);
        if (engines.contains(others)) return;
        bad_request(fmt::format(
            "{}: {} has no '{}', whose rates stand for engines that are not listed; list it, "
            "or name another one in other_engines",
            origin_, full("engines"), others));
    }
    /// Refuses keys that nobody has asked for.
    void finish() const {
        for (const auto& [key, value] : object_.items()) {
            if (known_.contains(key)) continue;
            bad_request(fmt::format("{}: the key {} is unknown; there are {}", origin_, full(key),
                                    fmt::join(known_, ", ")));
        }
    }
    void check_version() {
        std::string format;
        figure("format", format);
        if (format != machine_format) {
            bad_request(
                fmt::format("{}: format is '{}', not '{}': this is no description of a machine",
                            origin_, format, machine_format));
        }
        const int version = read<int>("version", text_of("version"));
        if (version != machine_format_version) {
            bad_request(
                fmt::format("{}: version is {}, but this weft reads version {}; take the "
                            "weft that wrote the file, or write the file anew",
                            origin_, version, machine_format_version));
        }
    }

    bool has(std::string_view key) {
        known_.insert(std::string(key));
        return object_.contains(key);
    }

  private:
    const Json& member(std::string_view key) {
        if (!has(key)) {
            bad_request(
                fmt::format("{}: the key {} is missing; add it (docs/model.md says what it means)",
                            origin_, full(key)));
        }
        return object_.at(std::string(key));
    }
    /// The value of a figure, whose source is noted.
    const Json& text_of(std::string_view key) {
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
    template <class T>
    [[nodiscard]] T read(std::string_view key, const Json& value) const {
        if constexpr (std::is_same_v<T, std::string>) {
            if (!value.is_string()) refuse_value(full(key), value, "a text in quotes is needed");
        } else if constexpr (std::is_same_v<T, double>) {
            if (!value.is_number()) refuse_value(full(key), value, "a number is needed");
        } else if (!value.is_number_integer() || value.get<double>() > 1e9 ||
                   value.get<double>() < -1e9) {
            refuse_value(full(key), value, "a whole number below 1e9 is needed");
        }
        return value.get<T>();
    }
    void within(const std::string& key, double value, const Range& range) const {
        const auto& [least, most, unit] = range;
        if (value >= least && value <= most) return;
        refuse(key, value, fmt::format("give {} from {:g} to {:g}", unit, least, most));
    }
    [[noreturn]] void refuse(const std::string& key, double value, std::string_view advice) const {
        bad_request(fmt::format("{}: {} is {:g}: {}", origin_, key, value, advice));
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

    const Json& object_;
    std::string path_;
    std::string_view origin_;
    Machine& machine_;
    std::set<std::string> known_;
};

}  // namespace

Machine parse_machine(std::string_view text, std::string_view origin) {
    const Json json = parse_unique(text, origin);
    Machine machine;
    Reader reader(json, "", origin, machine);
    reader.check_version();
    fields(reader, machine);
    reader.finish();
    if (machine.network.shape == Network::Shape::tree && !machine.injection) {
        bad_request(fmt::format(
            "{}: network.taper is a part of the injection, which is not given; add injection",
            origin));
    }
    return machine;
}

std::vector<std::string> machine_names() {
    return mapped(machine_texts(), [](const auto& one) { return std::string(one.first); });
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
