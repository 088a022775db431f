// Part of weft/weft17.hpp: what the values become in the C interface.
#pragma once

#include "weft/weft17_values.hpp"

namespace weft {
inline namespace cxx17 {
namespace detail {

inline std::string text_of(const Scale& scale) {
    switch (scale.rule) {
        case Scale::Rule::none:
            return "none";
        case Scale::Rule::by_n:
            return "n";
        case Scale::Rule::symmetric:
            return "symmetric";
        case Scale::Rule::factor:
            break;
    }
    return number_text(scale.value);
}

/// `slab(0)@102+(0,0,2)`; dims is the number of the batch axis, which is printed b.
inline std::string text_of(const LayoutRequest& request, std::size_t dims) {
    std::string text = request.text;
    if (!request.order.empty()) text += '@';
    for (const int axis : request.order) {
        // Axes are single digits, so two digits would be two axes: the library refuses a sign.
        const bool digit = axis >= 0 && axis <= 9;
        text += axis == static_cast<int>(dims) ? "b" : digit ? std::to_string(axis) : "?";
    }
    if (!request.padding.empty()) text += "+(" + joined(request.padding) + ")";
    if (!request.strides.empty()) text += "/(" + joined(request.strides) + ")";
    return text;
}

/// weft_choice_text would refuse a wrong choice on one rank; weft_plan_create does so on all ranks.
inline std::string text_of(const Choice& choice) {
    std::string text;
    const auto set = [&](const std::string& key, const std::string& value) {
        if (!value.empty()) text += (text.empty() ? "" : "; ") + key + "=" + value;
    };
    const auto set_number = [&](const char* key, Index value) {
        if (value != 0) set(key, std::to_string(value));
    };
    set("decomposition", choice.decomposition);
    set_number("shrink", choice.shrink);
    set("via", choice.via);
    for (const auto& one : choice.via_of_redistribution) {
        set("via[" + std::to_string(one.first) + "]", one.second);
    }
    set("pack", choice.pack);
    set("carrier", choice.carrier);
    for (const auto& one : choice.carrier_of_redistribution) {
        set("carrier[" + std::to_string(one.first) + "]", one.second);
    }
    set("wire", choice.wire);
    set("space", choice.space);
    set("tile", choice.tile);
    set("engine", choice.engine);
    set("effort", choice.effort);
    set_number("threads", choice.threads);
    if (choice.reproducible) set("reproducible", "yes");
    set_number("chunk", choice.chunk);
    set("tuning", choice.tuning);
    return text;
}

/// A problem of C, and the texts that it points to.
struct CProblem {
    explicit CProblem(const Problem& p)
        : in(text_of(p.in, p.shape.size())),
          out(text_of(p.out, p.shape.size())),
          scale(text_of(p.forward_scale) + "/" + text_of(p.backward_scale)) {
        for (const AxisKind kind : p.kinds) kinds.push_back(static_cast<weft_axis_kind>(kind));
        problem.kind = static_cast<weft_kind>(p.kind);
        problem.precision = static_cast<weft_precision>(p.precision);
        problem.dims = static_cast<int>(p.shape.size());
        problem.shape = p.shape.data();
        problem.batch = p.batch;
        problem.axis_count = static_cast<int>(p.axes.size());
        problem.axes = p.axes.data();
        problem.r2c_axis = p.r2c_axis;
        problem.in = in.c_str();
        problem.out = out.c_str();
        problem.cut = p.cut == CutRule::block ? "block" : "balanced";
        problem.scale = scale.c_str();
        problem.in_place = p.in_place ? 1 : 0;
        problem.may_destroy_input = p.may_destroy_input ? 1 : 0;
        problem.element_bytes = p.element_bytes;
        problem.kind_count = static_cast<int>(kinds.size());
        problem.kinds = kinds.data();
        problem.mode_count = static_cast<int>(p.modes.size());
        problem.modes = p.modes.data();
        constexpr const char* even_modes[] = {"split", "zero", "keep"};
        problem.even_modes = even_modes[static_cast<int>(p.even_modes)];
        problem.inside_count = static_cast<int>(p.inside.size());
        problem.inside = p.inside.data();
        problem.sparse = p.sparse ? 1 : 0;
    }
    CProblem(const CProblem&) = delete;
    CProblem& operator=(const CProblem&) = delete;

    std::string in, out, scale;
    std::vector<weft_axis_kind> kinds;
    weft_problem problem = WEFT_PROBLEM_INIT;
};

/// A caller's arrays at one end, and what they are of.
struct Arrays {
    template <class T>
    explicit Arrays(T* array) : list{array}, real(is_real<T>), complex(is_complex<T>) {
        set_bytes<T>();
    }
    template <class T>
    explicit Arrays(const std::vector<T*>& arrays)
        : list(arrays.begin(), arrays.end()), real(is_real<T>), complex(is_complex<T>) {
        set_bytes<T>();
    }

    std::vector<void*> list;
    bool real;
    bool complex;
    std::size_t bytes = 0;  ///< of an element; 0: not known

  private:
    template <class T>
    static constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;
    template <class T>
    static constexpr bool is_complex =
        std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
    template <class T>
    void set_bytes() {
        if constexpr (!std::is_void_v<T>) bytes = sizeof(T);
    }
};

/// What a plan's arrays have to be of.
struct Elements {
    weft_kind kind = WEFT_C2C;
    int64_t in_bytes = 0;
    int64_t out_bytes = 0;
    int in_place = 0;

    /// What is wrong with the types of these arrays; empty: nothing.
    std::string wrong(const Arrays& in, const Arrays& out) const {
        // In place one array holds both ends, in elements of one of them.
        if (in_place != 0 && (fits(in, WEFT_IN) || fits(in, WEFT_OUT))) return "";
        if (!fits(in, WEFT_IN)) return message("input", in_bytes, real(WEFT_IN));
        if (!fits(out, WEFT_OUT)) return message("output", out_bytes, real(WEFT_OUT));
        return "";
    }

  private:
    bool real(weft_end end) const {
        return kind == WEFT_R2R || kind == (end == WEFT_IN ? WEFT_R2C : WEFT_C2R);
    }
    bool fits(const Arrays& arrays, weft_end end) const {
        if (arrays.bytes == 0) return true;
        if (static_cast<int64_t>(arrays.bytes) != (end == WEFT_IN ? in_bytes : out_bytes))
            return false;
        return kind == WEFT_REDISTRIBUTE || (real(end) ? arrays.real : arrays.complex);
    }
    std::string message(const char* end, int64_t bytes, bool real) const {
        const std::string size = std::to_string(bytes) + " bytes";
        if (kind == WEFT_REDISTRIBUTE)
            return std::string("the ") + end + " array has no elements of " + size;
        return std::string("the ") + end + " array has other elements than " +
               (real ? "real" : "complex") + " numbers of " + size;
    }
};

inline weft_arrays arrays_of(int fields, const Workspace& workspace) {
    weft_arrays arrays = WEFT_ARRAYS_INIT;
    arrays.fields = fields;
    arrays.workspace = workspace.data;
    arrays.workspace_bytes = workspace.bytes;
    return arrays;
}

}  // namespace detail

/// The canonical text; throws Error(bad_request) if the problem is not well formed.
inline std::string to_string(const Problem& problem) {
    const detail::CProblem c(problem);
    return detail::text_by([&](char** text) { return weft_problem_text(&c.problem, text); });
}

}  // namespace cxx17
}  // namespace weft
