#include "tune/wisdom_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "model/unique_json.hpp"
#include "weft/choice.hpp"
#include "weft/error.hpp"
#include "weft/problem.hpp"

namespace weft::core {

namespace {

using Json = nlohmann::ordered_json;

/// The members of one object; all throw Error(bad_request) that names the member.
class Members {
  public:
    Members(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
        if (!object.is_object()) {
            bad_request(
                fmt::format("{} is not an object in braces",
                            path_.empty() ? "the line" : path_.substr(0, path_.size() - 1)));
        }
    }
    [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }
    [[nodiscard]] Members object(const char* key) const { return {at(key), path_ + key + "."}; }
    [[nodiscard]] const Json& list(const char* key) const {
        if (!at(key).is_array()) refuse(key, "a list in brackets is needed");
        return at(key);
    }
    [[nodiscard]] std::string text(const char* key) const {
        if (!at(key).is_string()) refuse(key, "a text in quotes is needed");
        return at(key).get<std::string>();
    }
    [[nodiscard]] std::string text(const char* key, const char* otherwise) const {
        return has(key) ? text(key) : otherwise;
    }
    [[nodiscard]] int count(const char* key, int least) const {
        const Json& value = at(key);
        constexpr double most = 1e9;
        if (!value.is_number_integer() || value.get<double>() < least ||
            value.get<double>() > most) {
            refuse(key, fmt::format("a whole number from {} to 1e9 is needed", least));
        }
        return value.get<int>();
    }
    [[nodiscard]] double seconds(const char* key) const {
        const Json& value = at(key);
        if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
            refuse(key, "seconds, at least 0, are needed");
        }
        return value.get<double>();
    }
    [[noreturn]] void refuse(const char* key, const std::string& advice) const {
        bad_request(fmt::format("{}{} is {}: {}", path_, key, at(key).dump(), advice));
    }

  private:
    [[nodiscard]] const Json& at(const char* key) const {
        if (!has(key)) bad_request(fmt::format("the key {}{} is missing", path_, key));
        return object_.at(key);
    }

    const Json& object_;
    std::string path_;
};

void check_format(const Members& line) {
    const std::string format = line.text("format");
    if (format != wisdom_format) {
        bad_request(fmt::format("format is '{}', not '{}'", format, wisdom_format));
    }
    const int version = line.count("version", 0);
    if (version != wisdom_format_version) {
        bad_request(fmt::format("version {} is {} than this weft's {}; tune again", version,
                                version < wisdom_format_version ? "older" : "newer",
                                wisdom_format_version));
    }
}

TuningSite read_site(const Members& from) {
    TuningSite site;
    site.processor = from.text("processor");
    site.instruction_set = from.text("instruction_set");
    site.mpi = from.text("mpi");
    site.nodes = from.count("nodes", 1);
    site.ranks_per_node = from.count("ranks_per_node", 1);
    site.placement = from.text("placement");
    site.threads = from.count("threads", 1);
    site.weft = from.text("weft");
    return site;
}

Measured read_measured(const Members& from) {
    const Measured time{from.seconds("seconds"), from.seconds("low"), from.seconds("high"),
                        from.count("rounds", 1)};
    if (time.low > time.seconds || time.seconds > time.high || time.seconds == 0) {
        from.refuse("seconds", fmt::format("it has to lie between low, {}, and high, {}, above 0",
                                           time.low, time.high));
    }
    return time;
}

/// Dates of one form, which are ordered as texts are: 2024-05-31T12:00:00Z.
bool is_date(std::string_view text) {
    constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
    return text.size() == form.size() &&
           std::equal(text.begin(), text.end(), form.begin(),
                      [](char c, char f) { return f == 'd' ? c >= '0' && c <= '9' : c == f; });
}

std::string canonical_choice(const std::string& text) {
    return text.empty() ? "" : weft::to_string(parse_choice(text));
}

Evidence read_evidence(const Members& from) {
    Evidence evidence;
    evidence.date = from.text("date");
    if (!is_date(evidence.date)) from.refuse("date", "it has to look like 2024-05-31T12:00:00Z");
    evidence.tuning = from.text("tuning");
    evidence.spent = from.seconds("spent");
    evidence.evaluations = from.count("evaluations", 0);
    evidence.winner = read_measured(from.object("winner"));
    if (!from.has("losers")) return evidence;
    for (const Json& one : from.list("losers")) {
        const Members loser(one, "evidence.losers.");
        evidence.losers.push_back({loser.text("choice"), {}, loser.text("reason", "")});
        if (loser.has("time")) evidence.losers.back().time = read_measured(loser.object("time"));
    }
    return evidence;
}

WisdomEntry read_entry(std::string_view text) {
    const Json json = parse_unique(text, "it");
    const Members line(json, "");
    check_format(line);
    WisdomEntry entry;
    entry.key.problem = weft::to_string(parse_problem(line.text("problem")));
    entry.key.ranks = line.count("ranks", 1);
    entry.key.constraint = canonical_choice(line.text("constraint", ""));
    entry.key.conditions = line.text("conditions", "");
    entry.key.site = read_site(line.object("site"));
    entry.choice = canonical_choice(line.text("choice"));
    entry.evidence = read_evidence(line.object("evidence"));
    if (line.has("engines")) {
        const Members engines = line.object("engines");
        for (const auto& [name, text] : json.at("engines").items()) {
            entry.engines[name] = engines.text(name.c_str());
        }
    }
    entry.source = text;
    return entry;
}

// --- writing -----------------------------------------------------------------------------------

/// The object of that name, made if there is none. (Operator [] makes an object of null in two
/// steps, and one without a value is left where memory runs out between them.)
Json& object_of(Json& owner, const std::string& name) {
    return *owner.emplace(name, Json::object()).first;
}

/// Sets the members of an object that are known and keeps its others.
void write(Json& to, const Measured& time) {
    to["seconds"] = time.seconds;
    to["low"] = time.low;
    to["high"] = time.high;
    to["rounds"] = time.rounds;
}

void write(Json& to, const TuningSite& site) {
    to["processor"] = site.processor;
    to["instruction_set"] = site.instruction_set;
    to["mpi"] = site.mpi;
    to["nodes"] = site.nodes;
    to["ranks_per_node"] = site.ranks_per_node;
    to["placement"] = site.placement;
    to["threads"] = site.threads;
    to["weft"] = site.weft;
}

void write(Json& to, const Evidence& evidence) {
    to["date"] = evidence.date;
    to["tuning"] = evidence.tuning;
    to["spent"] = evidence.spent;
    to["evaluations"] = evidence.evaluations;
    write(object_of(to, "winner"), evidence.winner);
    Json losers = to.contains("losers") ? to["losers"] : Json::array();
    // Those of a source that has other losers are not theirs.
    if (losers.size() != evidence.losers.size()) losers = Json::array();
    for (std::size_t i = 0; i < evidence.losers.size(); ++i) {
        const Loser& loser = evidence.losers[i];
        if (i == losers.size()) losers.push_back(Json::object());
        losers[i]["choice"] = loser.choice;
        if (loser.time) write(object_of(losers[i], "time"), *loser.time);
        if (!loser.reason.empty()) losers[i]["reason"] = loser.reason;
    }
    if (!losers.empty()) to["losers"] = losers;
}

std::string line_of(const WisdomEntry& entry) {
    Json json = entry.source.empty() ? Json::object() : Json::parse(entry.source);
    json["format"] = wisdom_format;
    json["version"] = wisdom_format_version;
    json["problem"] = entry.key.problem;
    json["ranks"] = entry.key.ranks;
    if (!entry.key.constraint.empty()) json["constraint"] = entry.key.constraint;
    if (!entry.key.conditions.empty()) json["conditions"] = entry.key.conditions;
    write(object_of(json, "site"), entry.key.site);
    json["choice"] = entry.choice;
    write(object_of(json, "evidence"), entry.evidence);
    for (const auto& [name, text] : entry.engines) object_of(json, "engines")[name] = text;
    // What the system says of a processor need not be UTF-8.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    constexpr std::size_t most = 300;
    if (text.size() > most) text = text.substr(0, most) + "..";
    return text;
}

std::string to_string(const SkippedLine& line) {
    return fmt::format("line {}: {}", line.number, line.reason);
}

ReadWisdom read_wisdom(std::string_view text) {
    ReadWisdom result;
    std::map<WisdomKey, int> numbers;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        const auto skip = [&](const std::string& reason) {
            result.skipped.push_back({number, printable(reason)});
        };
        try {
            const WisdomEntry entry = read_entry(line);
            const auto [before, first] = numbers.emplace(entry.key, number);
            const bool taken = merge(result.wisdom, entry);
            if (first) continue;
            const auto said = [](int worse, int better) {
                return fmt::format(
                    "line {} answers the question of line {} better, by a newer or "
                    "longer measurement",
                    better, worse);
            };
            if (taken) {
                result.skipped.push_back({before->second, said(before->second, number)});
                before->second = number;
            } else {
                skip(said(number, before->second));
            }
        } catch (const Error& error) {
            skip(error.what());
            if (std::find(result.wisdom.foreign.begin(), result.wisdom.foreign.end(), line) ==
                result.wisdom.foreign.end()) {
                result.wisdom.foreign.emplace_back(line);
            }
        }
    }
    return result;
}

std::string to_text(const Wisdom& wisdom) {
    std::string text;
    for (const auto& [key, entry] : wisdom.entries) text += line_of(entry);
    for (const std::string& line : wisdom.foreign) text += line + "\n";
    return text;
}

}  // namespace weft::core
