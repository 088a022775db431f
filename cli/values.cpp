#include "values.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "base/devices.hpp"
#include "base/mapped.hpp"
#include "base/text.hpp"
#include "clock/calls.hpp"
#include "exchange/via.hpp"
#include "fft/engine.hpp"
#include "model/machine_file.hpp"
#include "plan/fields.hpp"
#include "plan/names.hpp"

namespace weft::cli {

namespace {

using Values = std::vector<std::string>;

Values joined(Values some, const Values& others) {
    for (const std::string& one : others) {
        if (std::find(some.begin(), some.end(), one) == some.end()) some.push_back(one);
    }
    return some;
}

/// Of a list in help, `free, slab(0), ..`, its items, those with arguments as far as `slab(`.
Values listed(std::string_view text) {
    Values items;
    for (const std::string& item : core::split(text, ',')) {
        const std::string word(core::trim(item));
        const std::size_t open = word.find('(');
        if (open == 0 || word.starts_with("..")) continue;
        items = joined(items, {word.substr(0, open == std::string::npos ? open : open + 1)});
    }
    return items;
}

/// The list in the help of a field, which begins behind a colon if there is one.
Values listed_of(std::span<const core::Field> fields, std::string_view key) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const core::Field& one) { return one.key == key; });
    const std::size_t colon = field->summary.find(": ");
    return listed(field->summary.substr(colon == std::string_view::npos ? 0 : colon + 2));
}

Values methods() {
    Values names = {"auto"};
    for (const core::Method& method : core::methods()) {
        names.emplace_back(method.name);
        if (method.number != nullptr) names.push_back(std::string(method.name) + "(");
    }
    return names;
}

Values engines() {
    return joined({"auto"}, core::mapped(core::engines(), [](const core::EngineInfo& one) {
                      return std::string(one.name);
                  }));
}

Values devices() {
    return core::mapped(core::known_devices(),
                        [](const core::DeviceInfo& one) { return std::string(one.name); });
}

Values layouts() { return listed_of(core::problem_fields(), "in"); }

/// Options whose words are a list of names.
const std::map<std::string_view, std::function<Values()>>& by_option() {
    static const std::map<std::string_view, std::function<Values()>> table = {
        {"--kind",
         [] {
             Values kinds = core::all_names<Kind>();
             std::erase(kinds, "redistribute");  // a text's own
             return kinds;
         }},
        {"--kinds", core::all_names<AxisKind>},
        {"--precision", core::all_names<Precision>},
        {"--in", layouts},
        {"--out", layouts},
        {"--cut", core::all_names<CutRule>},
        {"--even-modes", core::all_names<EvenModes>},
        {"--decomposition", [] { return listed_of(core::choice_fields(), "decomposition"); }},
        {"--via", methods},
        {"--pack", core::all_names<Pack>},
        {"--carrier", core::all_names<Carrier>},
        {"--wire", core::all_names<Wire>},
        {"--space",
         [] {
             return joined({"host", "auto"}, devices());
         }},
        {"--tile",
         [] {
             return Values{"default", "none"};
         }},
        {"--engine", engines},
        {"--effort", core::all_names<Effort>},
        {"--reproducible", core::all_names<bool>},
        {"--tuning", core::all_names<TuningEffort>},
        {"--scale",
         [] {
             return Values{"none", "n", "symmetric"};
         }},
        {"--machine", core::machine_names},
        {"--device", devices},
        {"--against",
         [] {
             return Values{"fftw-mpi", "engine", "cufft", "cufftmp"};
         }},
        {"--calls",
         [] {
             return core::mapped(core::names_of_calls,
                                 [](const auto& one) { return std::string(one.first); });
         }},
        {"--class",
         [] {
             return Values{"S", "W", "A", "B", "C"};
         }},
        {"--net",
         [] {
             return Values{"mpi", "local"};
         }},
        {"--completion", [] {
             return Values{"bash", "zsh", "fish"};
         }}};
    return table;
}

}  // namespace

std::vector<std::string> values_of(const std::string& option) {
    const auto found = by_option().find(option);
    return found == by_option().end() ? Values{} : found->second();
}

}  // namespace weft::cli
