// The text of a problem: KIND:PRECISION:SHAPE[*BATCH] and its fields; see weft/problem.hpp.
#include <fmt/format.h>

#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "plan/fields.hpp"
#include "plan/names.hpp"
#include "plan/problem.hpp"

namespace weft {

using core::bad_request;

std::string to_string(const Scale& scale) {
    switch (scale.rule) {
        case Scale::Rule::none:
            return "none";
        case Scale::Rule::by_n:
            return "n";
        case Scale::Rule::symmetric:
            return "symmetric";
        case Scale::Rule::factor:
            return core::real_text(scale.value);
    }
    return "?";
}

namespace {

Scale parse_scale(std::string_view text) {
    if (text == "none") return {};
    if (text == "n") return {Scale::Rule::by_n, 1.0};
    if (text == "symmetric") return {Scale::Rule::symmetric, 1.0};
    return {Scale::Rule::factor, core::parse_real(text, "scale (none, n, symmetric or a number)")};
}

/// `c2c:f64:8x8*2`.
std::string head_text(const Problem& problem) {
    const std::string element = problem.kind == Kind::redistribute
                                    ? std::to_string(problem.element_bytes)
                                    : to_string(problem.precision);
    return fmt::format("{}:{}:{}{}", to_string(problem.kind), element,
                       core::join(problem.shape, "x"),
                       problem.batch == 1 ? "" : fmt::format("*{}", problem.batch));
}

void parse_head(std::string_view head, Problem& problem) {
    const auto pieces = core::split(head, ':');
    if (pieces.size() != 3) {
        bad_request(fmt::format(
            "'{}' is not a problem; write KIND:PRECISION:SHAPE, as in c2c:f64:256x256x256", head));
    }
    problem.kind = core::named_value<Kind>(pieces[0], "kind");
    if (problem.kind == Kind::redistribute) {
        problem.element_bytes = core::parse_index(pieces[1], "bytes of an element");
    } else {
        problem.precision = core::named_value<Precision>(pieces[1], "precision");
    }
    const auto shape = core::split(pieces[2], '*');
    problem.shape = core::parse_extents(shape[0], "shape");
    if (shape.size() > 2) bad_request(fmt::format("'{}' has more than one batch", pieces[2]));
    if (shape.size() == 2) problem.batch = core::parse_index(shape[1], "batch");
}

// Each word is read and written by its name; see plan/problem.def.

void read_axes(std::string_view value, Problem& problem) {
    for (const std::string& axis : core::split(value, ',')) {
        if (axis.size() > 1 && axis[0] == '0') {
            bad_request(fmt::format("axes={}: write 0,1, with commas", value));
        }
        problem.axes.push_back(core::parse_int(axis, "axes"));
    }
}
std::string axes_text(const Problem& problem) { return core::join(problem.axes, ","); }

void read_kinds(std::string_view value, Problem& problem) {
    for (const std::string& kind : core::split(value, ',')) {
        problem.kinds.push_back(core::named_value<AxisKind>(kind, "kind of an axis"));
    }
}
std::string kinds_text(const Problem& problem) {
    std::string text;
    for (const AxisKind kind : problem.kinds) text += (text.empty() ? "" : ",") + to_string(kind);
    return text;
}

void read_r2c_axis(std::string_view value, Problem& problem) {
    problem.r2c_axis = core::parse_int(value, "r2c_axis");
    if (problem.r2c_axis < 0) bad_request(fmt::format("r2c_axis={} is not an axis", value));
}
std::string r2c_axis_text(const Problem& problem) {
    return problem.r2c_axis == -1 ? "" : std::to_string(problem.r2c_axis);
}

void read_modes(std::string_view value, Problem& problem) {
    problem.modes = core::parse_extents(value, "modes");
}
std::string modes_text(const Problem& problem) { return core::join(problem.modes, "x"); }

void read_even_modes(std::string_view value, Problem& problem) {
    problem.even_modes = core::named_value<EvenModes>(value, "rule of even_modes");
}
std::string even_modes_text(const Problem& problem) {
    return problem.even_modes == EvenModes::split ? "" : to_string(problem.even_modes);
}

void read_inside(std::string_view value, Problem& problem) {
    problem.inside = core::parse_extents(value, "inside");
}
std::string inside_text(const Problem& problem) { return core::join(problem.inside, "x"); }

void read_in(std::string_view value, Problem& problem) {
    problem.in = core::parse_layout(value, core::dims_of(problem));
}
std::string in_text(const Problem& problem) {
    return to_string(problem.in, core::dims_of(problem));
}

void read_out(std::string_view value, Problem& problem) {
    problem.out = core::parse_layout(value, core::dims_of(problem));
}
std::string out_text(const Problem& problem) {
    return to_string(problem.out, core::dims_of(problem));
}

void read_cut(std::string_view value, Problem& problem) {
    problem.cut = core::named_value<CutRule>(value, "cut");
}
std::string cut_text(const Problem& problem) {
    return problem.cut == CutRule::balanced ? "" : to_string(problem.cut);
}

void read_scale(std::string_view value, Problem& problem) {
    const auto pair = core::split(value, '/');
    if (pair.size() > 2 || (pair.size() == 1 && value != "symmetric" && value != "none")) {
        bad_request(fmt::format("scale '{}': give forward/backward, as in none/n", value));
    }
    problem.forward_scale = parse_scale(pair.front());
    problem.backward_scale = parse_scale(pair.back());
}
std::string scale_text(const Problem& problem) {
    if (problem.forward_scale == Scale{} && problem.backward_scale == Scale{}) return "";
    return to_string(problem.forward_scale) + "/" + to_string(problem.backward_scale);
}

void read_word(const std::string& word, const core::Setting& said, Problem& problem) {
#define WEFT_PROBLEM_WORD(field, takes, summary) \
    if (said.name == #field && said.has_value) return read_##field(said.value, problem);
#define WEFT_PROBLEM_FLAG(field, summary) \
    if (said.name == #field && !said.has_value) return void(problem.field = true);
#include "plan/problem.def"
    constexpr std::string_view known =
#define WEFT_PROBLEM_WORD(name, takes, summary) ", " #name "="
#define WEFT_PROBLEM_FLAG(name, summary) ", " #name
#include "plan/problem.def"
        ;
    bad_request(
        fmt::format("'{}' is not understood in a problem; there are {}", word, known.substr(2)));
}

}  // namespace

std::span<const core::Field> core::problem_fields() {
    static constexpr std::array fields = {
#define WEFT_PROBLEM_WORD(name, takes, summary) Field{#name, takes, summary},
#define WEFT_PROBLEM_FLAG(name, summary) Field{#name, "", summary},
#include "plan/problem.def"
    };
    return fields;
}

std::span<const core::Renamed> core::renamed_problem_words() {
    static constexpr std::array words = {
#define WEFT_PROBLEM_RENAMED(before, now) Renamed{#before, #now},
#include "plan/problem.def"
    };
    return words;
}

std::string to_string(const Problem& problem) {
    std::string text = head_text(problem);
#define WEFT_PROBLEM_WORD(name, takes, summary)                         \
    if (const std::string value = name##_text(problem); !value.empty()) \
        text += " " #name "=" + value;
#define WEFT_PROBLEM_FLAG(name, summary) text += problem.name ? " " #name : "";
#include "plan/problem.def"
    return text;
}

Problem parse_problem(std::string_view text) {
    const auto words = core::words(text);
    if (words.empty()) bad_request("the problem is empty; write one, as c2c:f64:256x256x256");
    Problem problem;
    parse_head(words[0], problem);
    std::set<std::string> seen;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        core::Setting said = core::parse_setting(*word);
        for (const auto& [before, now] : core::renamed_problem_words()) {
            if (said.name == before) said.name = now;
        }
        if (!seen.insert(said.name).second) {
            bad_request(fmt::format("'{}': {} is given twice", *word, said.name));
        }
        read_word(*word, said, problem);
    }
    validate(problem);
    return problem;
}

}  // namespace weft
