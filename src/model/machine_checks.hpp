// Figures of a machine's description that no machine has.
//
// Example: Checks("my.json").within("between.latency", 3, 0, 1, "seconds") throws
// Error(bad_request): my.json: between.latency is 3: give seconds from 0 to 1.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.hpp"
#include "model/machine.hpp"

namespace weft::core {

/// Refuses figures of one machine.
class Checks {
  public:
    explicit Checks(std::string_view origin) : origin_(origin) {}

    void within(std::string_view key, double value, double least, double most,
                std::string_view unit) const {
        if (value >= least && value <= most) return;
        refuse(key, value, fmt::format("give {} from {:g} to {:g}", unit, least, most));
    }
    void ascends(std::string_view key, const Table& table) const {
        for (std::size_t i = 1; i < table.size(); ++i) {
            if (table[i].x > table[i - 1].x) continue;
            refuse(key, table[i].x,
                   fmt::format("it follows {:g}; list the points in ascending order, each once",
                               table[i - 1].x));
        }
    }
    /// Whether `key` lists the engine whose rates stand for those that it does not list.
    void lists(std::string_view key, bool listed, std::string_view engine) const {
        if (listed) return;
        bad_request(fmt::format(
            "{}: {} has no '{}', whose rates stand for engines that are not listed; list it, "
            "or name another one in other_engines",
            origin_, key, engine));
    }
    [[noreturn]] void refuse(std::string_view key, double value, std::string_view advice) const {
        bad_request(fmt::format("{}: {} is {:g}: {}", origin_, key, value, advice));
    }

  private:
    std::string_view origin_;
};

inline constexpr double least_rate = 1e3;
inline constexpr double most_rate = 1e16;

void check(const Checks& checks, const std::string& key, const Link& link);
void check(const Checks& checks, const Devices& devices);

}  // namespace weft::core
