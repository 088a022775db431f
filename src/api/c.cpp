// The C interface: memory, problems and boxes as texts, and the plans that are made of them.
#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "api/c_guard.hpp"
#include "api/c_plan.hpp"
#include "api/c_struct.hpp"
#include "base/text.hpp"
#include "net/agree.hpp"
#include "plan/names.hpp"
#include "plan/problem.hpp"
#include "weft/weft.h"
#include "weft/weft.hpp"

using weft::Box;
using weft::Index;
using weft::core::bad_request;

namespace {

using weft::copied;
using weft::guarded;
using weft::guarded_by_all;
using weft::require;

// --- the struct as text ------------------------------------------------------------------------

weft_problem known_problem(const weft_problem& given) {
    weft_problem result = WEFT_PROBLEM_INIT;
    constexpr size_t least = offsetof(weft_problem, batch);  // kind, precision, dims, shape
    weft::take_struct(
        &result, &given,
        {"weft_problem", "WEFT_PROBLEM_INIT", sizeof result, least, alignof(weft_problem)});
    return result;
}

/// ` name=value` of a member that is one word; nothing if it is NULL.
std::string setting(const char* name, const char* value) {
    if (value == nullptr) return "";
    if (weft::core::words(value).size() != 1) {
        bad_request(fmt::format("weft_problem.{} is '{}', but has to be one word", name, value));
    }
    return fmt::format(" {}={}", name, value);
}

template <class T>
std::vector<T> table(int count, const T* entries, const char* name) {
    if (count < 0 || count > WEFT_MAX_AXES) {
        bad_request(fmt::format("weft_problem has {} entries of {}, 0 to {} are possible", count,
                                name, WEFT_MAX_AXES));
    }
    if (count > 0) require(entries, name);
    return {entries, entries + count};
}

std::string setting(const char* name, const std::vector<int>& axes) {
    return axes.empty() ? "" : fmt::format(" {}={}", name, weft::core::join(axes, ","));
}

std::string setting(const char* name, const std::vector<Index>& extents) {
    return extents.empty() ? "" : fmt::format(" {}={}", name, weft::core::join(extents, "x"));
}

std::string setting(const char* name, const std::vector<weft_axis_kind>& kinds) {
    std::string text;
    for (size_t i = 0; i < kinds.size(); ++i) {
        const auto kind = static_cast<weft::AxisKind>(kinds[i]);
        if (!weft::core::has_name(kind)) {
            bad_request(fmt::format("weft_problem.{}[{}] is {}, which is not a weft_axis_kind",
                                    name, i, static_cast<int>(kinds[i])));
        }
        text += (i == 0 ? fmt::format(" {}=", name) : ",") + to_string(kind);
    }
    return text;
}

/// KIND:PRECISION:SHAPE*BATCH.
std::string head(const weft_problem& c) {
    const auto kind = static_cast<weft::Kind>(c.kind);
    const auto precision = static_cast<weft::Precision>(c.precision);
    const std::vector<Index> shape = table(c.dims, c.shape, "shape");
    if (!weft::core::has_name(kind) || !weft::core::has_name(precision)) {
        bad_request(fmt::format(
            "weft_problem has kind {} and precision {}: one of them is not a value of its type",
            static_cast<int>(c.kind), static_cast<int>(c.precision)));
    }
    if (shape.empty()) bad_request("weft_problem.dims is 0: set dims and shape");
    return fmt::format(
        "{}:{}:{}*{}", to_string(kind),
        kind == weft::Kind::redistribute ? std::to_string(c.element_bytes) : to_string(precision),
        weft::core::join(shape, "x"), c.batch);
}

weft::Problem problem_of(const weft_problem* given) {
    require(given, "problem");
    const weft_problem known = known_problem(*given);
    std::string text = head(known);
    // Words before numbers: of two faults, that of the word is named.
#define WEFT_PROBLEM_WORD(name, takes, summary) text += setting(#name, known.name);
#define WEFT_PROBLEM_AXIS(name, takes, summary)
#define WEFT_PROBLEM_LIST(name, count, takes, summary)
#include "plan/problem.def"
#define WEFT_PROBLEM_AXIS(name, takes, summary) \
    if (known.name != -1) text += fmt::format(" {}={}", #name, known.name);
#define WEFT_PROBLEM_LIST(name, count, takes, summary) \
    text += setting(#name, table(known.count, known.name, #name));
#define WEFT_PROBLEM_FLAG(name, summary) text += known.name == 0 ? "" : " " #name;
#include "plan/problem.def"
    weft::Problem problem = weft::parse_problem(text);
    problem.element_bytes = known.element_bytes;  // a text has it only where it belongs
    weft::validate(problem);
    return problem;
}

// --- a caller's own boxes ----------------------------------------------------------------------

std::vector<Box> boxes_of(int count, int axes, const int64_t* lo, const int64_t* hi) {
    if (count < 0) bad_request(fmt::format("{} boxes are given", count));
    if (axes < 1 || axes > WEFT_MAX_AXES) {
        bad_request(fmt::format("boxes of {} axes, 1 to {} are possible", axes, WEFT_MAX_AXES));
    }
    if (count > 0) {
        require(lo, "lo");
        require(hi, "hi");
    }
    std::vector<Box> boxes;
    boxes.reserve(static_cast<size_t>(count));
    for (int b = 0; b < count; ++b, lo += axes, hi += axes) {
        boxes.push_back({{lo, lo + axes}, {hi, hi + axes}});
    }
    return boxes;
}

}  // namespace

const char* weft_version() {
    static const std::string version = weft::version();
    return version.c_str();
}

void* weft_allocate(size_t bytes) {
    void* data = nullptr;
    guarded([&] {
        // What is negative in the caller's type comes as a number that is negative in weft's.
        data = weft::detail::allocate_bytes(static_cast<Index>(bytes));
        std::memset(data, 0, bytes);
    });
    return data;
}

void weft_free(void* data) { weft::detail::free_bytes(data); }

weft_code weft_boxes_text(int count, int axes, const int64_t* lo, const int64_t* hi, MPI_Comm comm,
                          char** text) {
    std::vector<Box> mine;
    return guarded_by_all(
        comm,
        [&] {
            require(text, "text");
            mine = boxes_of(count, axes, lo, hi);
        },
        [&] {
            std::vector<std::vector<Box>> all = weft::collect(mine, comm);
            // A batch axis has the number `axes` or none, and only an order would name it.
            weft::core::all_or_none(
                comm, [&] { *text = copied(to_string(weft::own_boxes(std::move(all)), axes)); });
        });
}

weft_code weft_plan_from_text(const char* text, MPI_Comm comm, weft_plan** plan) {
    std::unique_ptr<weft_plan> made;
    return guarded_by_all(
        comm,
        [&] {
            require(text, "text");
            require(plan, "plan");
            made = std::make_unique<weft_plan>();
        },
        [&] {
            made->plan = weft::Plan::parse(text, comm);
            *plan = made.release();
        });
}

weft_code weft_plan_create(const weft_problem* problem, const char* choice, MPI_Comm comm,
                           weft_plan** plan) {
    weft::Problem asked;
    weft::Choice how;
    std::unique_ptr<weft_plan> made;
    return guarded_by_all(
        comm,
        [&] {
            require(plan, "plan");
            asked = problem_of(problem);
            if (choice != nullptr) how = weft::parse_choice(choice);
            made = std::make_unique<weft_plan>();
        },
        [&] {
            made->plan = weft::Plan(asked, comm, how);
            *plan = made.release();
        });
}

weft_code weft_problem_text(const weft_problem* problem, char** text) {
    return guarded([&] {
        require(text, "text");
        *text = copied(to_string(problem_of(problem)));
    });
}

weft_code weft_plan_for_ranks(const char* text, int ranks, weft_plan** plan) {
    return guarded([&] {
        require(text, "text");
        require(plan, "plan");
        *plan = new weft_plan{weft::Plan::for_ranks(ranks, text)};
    });
}

void weft_plan_free(weft_plan** plan) {
    if (plan != nullptr) delete std::exchange(*plan, nullptr);
}
