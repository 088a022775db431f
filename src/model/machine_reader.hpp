// The keys of a machine's description, read one by one, each wrong one refused with its path.
//
// Example: reader.object("between").number("latency") gives the figure, whose source, if it says
// one, is noted as that of between.latency.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "model/machine.hpp"

namespace weft::core {

/// Reads the keys of one object. Those that are read are known; finish() refuses the others.
class MachineReader {
  public:
    using Json = nlohmann::ordered_json;

    MachineReader(const Json& object, std::string path, std::string_view origin, Machine& machine)
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
    std::optional<MachineReader> optional_object(std::string_view key) {
        known_.insert(std::string(key));
        return has(key) ? std::optional(object(key)) : std::nullopt;
    }
    /// An object within this one.
    MachineReader object(std::string_view key) {
        return {member(key), full(key), origin_, machine_};
    }
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

}  // namespace weft::core
