// Machine descriptions written as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "model/machine_fields.hpp"
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
    void figure(const std::string& key, const T& value, const Range& /*range*/ = {}) {
        put(key, value);
    }
    template <class T>
    void figure(const std::string& key, const std::optional<T>& value, const Range& /*range*/) {
        if (value) put(key, *value);
    }
    template <class T>
    void usual(const std::string& key, const T& value, const Range& /*range*/ = {}) {
        put(key, value);
    }
    template <class T>
    void unless(const T& usual, const std::string& key, const T& value,
                const Range& /*range*/ = {}) {
        if (value != usual) put(key, value);
    }
    template <class T, class Names>
    void choice(const std::string& key, T value, const Names& names, std::string_view /*advice*/) {
        put(key, std::find_if(names.begin(), names.end(), [&](const auto& each) {
                     return each.second == value;
                 })->first);
    }
    void list(const std::string& key, const std::vector<int>& list, const Range& /*range*/,
              const Range& /*length*/) {
        if (!list.empty()) put(key, list);
    }
    void table(const std::string& key, const Table& table, const Range& /*x*/, const Range& /*y*/) {
        if (table.empty()) return;
        Json pairs = Json::array();
        for (const TablePoint& point : table) pairs.push_back(Json::array({point.x, point.y}));
        put(key, pairs);
    }
    void no_shorter(std::string_view /*key*/, const Table& /*table*/) const {}
    void require(std::string_view /*key*/) const {}
    [[nodiscard]] bool has(std::string_view /*key*/) const { return true; }
    template <class T>
    void object(const std::string& key, T& value) {
        Writer writer = child(key);
        fields(writer, value);
    }
    template <class T>
    void object(const std::string& key, std::optional<T>& value) {
        if (value) object(key, *value);
    }
    template <class Engines>
    void engines(Engines& engines, const std::string& others) {
        Writer writer = child("engines");
        for (auto& [name, engine] : engines) writer.object(name, engine);
        put("other_engines", others);
    }

  private:
    [[nodiscard]] std::string full(const std::string& key) const {
        return path_.empty() ? key : path_ + "." + key;
    }
    template <class T>
    void put(const std::string& key, const T& value) {
        const auto source = machine_.sources.find(full(key));
        if (source == machine_.sources.end()) {
            object_[key] = value;
        } else {
            object_[key] = Json{{"value", value}, {"source", source->second}};
        }
    }
    Writer child(const std::string& key) {
        object_[key] = Json::object();
        return {object_[key], full(key), machine_};
    }

    Json& object_;
    std::string path_;
    const Machine& machine_;
};

}  // namespace

std::string to_json(Machine machine) {
    Json json = {{"format", machine_format}, {"version", machine_format_version}};
    Writer writer(json, "", machine);
    fields(writer, machine);
    return json.dump(2) + "\n";
}

}  // namespace weft::core
