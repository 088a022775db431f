#include "exchange/via.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/mapped.hpp"
#include "base/text.hpp"

namespace weft::core {

namespace {

std::vector<Method> all_methods() {
    const std::vector<Method> named = {
#define WEFT_METHOD(id, name_, summary_, ...) {.name = name_, .summary = summary_, __VA_ARGS__},
#include "weft/methods.def"
    };
    std::vector<Method> table;
    for (const Transport& transport : transports()) {
        const Via plain{transport.id};
        const bool has_name = std::any_of(
            named.begin(), named.end(), [&](const Method& method) { return method.via == plain; });
        if (has_name) continue;
        table.push_back({.name = transport.name,
                         .summary = transport.summary,
                         .via = plain,
                         .estimated = transport.estimated});
    }
    table.insert(table.end(), named.begin(), named.end());
    return table;
}

/// `p2p, send and persistent`: the transports for which that is true, by names as this gives them.
template <class Is, class Name>
std::string listed(const Is& is, const Name& name) {
    std::vector<std::string> names;
    for (const Transport& transport : transports()) {
        if (is(transport)) names.emplace_back(name(transport));
    }
    const std::string last = std::move(names.back());
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string_view own_name(const Transport& how) { return how.name; }

void check(const Via& via, std::string_view text) {
    const Transport& how = via.how();
    if (via.order == Order::kway && via.radix.value_or(0) < 2) {
        bad_request(fmt::format("via={}: the radix is at least 2", text));
    }
    if (!how.by_rounds && (via.order != Order::direct || via.round_batch)) {
        bad_request(fmt::format(
            "via={}: {} carries all messages at once, so it takes no schedule and no rounds; {} do",
            text, how.name, listed([](const Transport& one) { return one.by_rounds; }, own_name)));
    }
    if (!how.arrivals && via.on_arrival) {
        bad_request(
            fmt::format("via={}: {} does not tell which message has arrived; {} do", text, how.name,
                        listed([](const Transport& one) { return one.arrivals; }, own_name)));
    }
    if (how.most_rounds && via.round_batch.value_or(1) > *how.most_rounds) {
        bad_request(
            fmt::format("via={}: {} takes {} round at a time", text, how.name, *how.most_rounds));
    }
}

bool uses_regions(const Via& via) { return via.how().packing == Packing::region; }

/// Whether a transport by itself, all messages at once, takes contiguous ones anywhere in memory.
bool takes_regions(const Transport& how) {
    const bool packed = how.packing == Packing::always || how.packing == Packing::either;
    return packed && !how.slot_bytes && !how.most_rounds;
}

/// Whether it can carry what is shared to other nodes.
bool goes_between_nodes(const Transport& how) {
    return takes_regions(how) && how.carries == Carries::messages;
}

/// The name of a transport or method between nodes, as a transport.
TransportId between_nodes(const std::string& part, std::string_view text) {
    const Via via = parse_via(part);
    if (goes_between_nodes(via.how()) && via == Via{via.transport}) return via.transport;
    bad_request(fmt::format(
        "via={}: {} cannot carry the messages of shared between nodes; {} can", text, part,
        listed(goes_between_nodes, [](const Transport& how) { return to_string(Via{how.id}); })));
}

/// `rounds=8` (once `window=8`), `some`, `pairwise` or `kway(4)`; of what uses regions: how it goes between nodes.
void parse_part(const std::string& part, std::string_view text, Via& via) {
    const Setting setting = parse_setting(part);
    const Call call = parse_call(part);
    if (uses_regions(via)) {
        via.between = between_nodes(part, text);
    } else if ((setting.name == "rounds" || setting.name == "window") && setting.has_value) {
        via.round_batch = parse_int(setting.value, "rounds");
        if (*via.round_batch < 1) bad_request(fmt::format("via={}: rounds is at least 1", text));
    } else if (part == "some") {
        via.on_arrival = true;
    } else if (part == "pairwise") {
        via.order = Order::pairwise;
    } else if (call.name == "kway" && call.has_arguments) {
        via.order = Order::kway;
        via.radix = parse_int(call.arguments, "kway");
    } else {
        bad_request(
            fmt::format("via={}: '{}' is not understood; there are pairwise, kway(4), "
                        "some, rounds=32",
                        text, part));
    }
}

[[noreturn]] void unknown(std::string_view text) {
    if (text == measured_via) {
        bad_request(
            "via=auto needs the ranks for its measurements: make the plan with their communicator, "
            "or name a method; `weft methods` lists the methods");
    }
    bad_request(fmt::format("via '{}' is unknown; there are {}, auto", text,
                            fmt::join(mapped(methods(), &Method::name), ", ")));
}

}  // namespace

const std::vector<Method>& methods() {
    static const std::vector<Method> table = all_methods();
    return table;
}

const Method* find_method(std::string_view name) {
    for (const Method& method : methods()) {
        if (method.name == name) return &method;
    }
    return nullptr;
}

Via parse_via(std::string_view text) {
    const Call call = parse_call(text);
    const Method* method = find_method(call.name);
    const Transport* by_name = find_transport(call.name);
    if (method == nullptr && by_name == nullptr) unknown(text);
    Via via = method != nullptr ? method->via : Via{by_name->id};
    if (call.has_arguments && method != nullptr && method->number != nullptr) {
        via.*(method->number) = parse_int(call.arguments, "via");
        if (*(via.*(method->number)) < 1) {
            bad_request(fmt::format("via={}: the number is at least 1", text));
        }
    } else if (call.has_arguments) {
        if (method != nullptr && by_name == nullptr) {
            bad_request(fmt::format("via={}: {} takes no number; leave it out", text, call.name));
        }
        for (const std::string& part : split(call.arguments, ',')) parse_part(part, text, via);
    }
    check(via, text);
    return via;
}

std::string to_string(const Via& via) {
    for (const Method& method : methods()) {
        if (method.via == via) return std::string(method.name);
        Via other = method.via;
        if (method.number == nullptr || !(via.*(method.number))) continue;
        other.*(method.number) = via.*(method.number);
        if (other == via) return fmt::format("{}({})", method.name, *(via.*(method.number)));
    }
    std::vector<std::string> parts;
    if (via.order == Order::pairwise) parts.emplace_back("pairwise");
    if (via.order == Order::kway) parts.push_back(fmt::format("kway({})", *via.radix));
    if (via.on_arrival) parts.emplace_back("some");
    if (via.round_batch) parts.push_back(fmt::format("rounds={}", *via.round_batch));
    if (via.between != Via{}.between) parts.emplace_back(name_of(via.between));
    const std::string_view name = name_of(via.transport);
    return parts.empty() ? std::string(name) : fmt::format("{}({})", name, fmt::join(parts, ","));
}

Via with_collective_between(Via via) {
    const auto& all = transports();
    via.between = std::find_if(all.begin(), all.end(), [](const Transport& how) {
                      return how.collective && goes_between_nodes(how);
                  })->id;
    return via;
}

TransportId message_transport(const Via& via) {
    return uses_regions(via) ? via.between : via.transport;
}

bool packs(const Via& via, Pack pack) {
    const Packing packing = via.how().packing;
    return packing == Packing::always || (packing == Packing::either && pack != Pack::datatype);
}

bool carries_fused(const Via& via) {
    if (uses_regions(via)) return true;
    return takes_regions(via.how()) && via.order == Order::direct && !via.on_arrival &&
           !via.round_batch;
}

bool suits(const Via& via, Pack pack) {
    if (pack == Pack::automatic || pack == Pack::fft) return true;
    if (pack == Pack::fused || uses_regions(via)) return pack == Pack::fused && carries_fused(via);
    return packs(via, pack) == (pack != Pack::datatype);
}

std::string default_via(Pack pack, bool fuses) {
    const auto& all = methods();
    const auto first = std::find_if(all.begin(), all.end(), [&](const Method& method) {
        return suits(method.via, pack) && (fuses || !uses_regions(method.via));
    });
    return std::string(first->name);
}

namespace {

/// What the method does about packing, and which words suit it.
std::pair<const char*, const char*> about_packing(const Via& via) {
    if (uses_regions(via))
        return {"packs nothing: transforms write the memory that receivers read", "pack=fused"};
    switch (via.how().packing) {
        case Packing::never:
            return {"packs nothing", "pack=datatype"};
        case Packing::always:
            return {"sends packed messages", "pack=sender or pack=receiver"};
        default:
            return {"does not carry all messages at once from where they lie in memory",
                    "pack=sender, pack=receiver or pack=datatype"};
    }
}

}  // namespace

Pack resolve_pack(const Via& via, Pack pack, bool fuses) {
    if (pack == Pack::automatic) {
        if (uses_regions(via) || (fuses && carries_fused(via))) return Pack::fused;
        return via.how().packing == Packing::never ? Pack::datatype : Pack::sender;
    }
    if (!suits(via, pack)) {
        const auto [does, takes] = about_packing(via);
        bad_request(fmt::format("via={} does not go with pack={}: it {}; leave pack out or take {}",
                                to_string(via), weft::to_string(pack), does, takes));
    }
    if (pack == Pack::datatype && via.order == Order::kway) {
        bad_request(
            fmt::format("via={} does not go with pack=datatype: its messages are packed of "
                        "several blocks; take pack=sender or pack=receiver",
                        to_string(via)));
    }
    return pack;
}

}  // namespace weft::core
