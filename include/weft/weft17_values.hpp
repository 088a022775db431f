// Part of weft/weft17.hpp: problems, choices, arrays, errors and wisdom.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/weft.h"

namespace weft {
inline namespace cxx17 {

using Index = std::int64_t;

enum class ErrorCode { wrong_result = 1, bad_request = 2, not_available = 3, system = 4 };

class Error : public std::runtime_error {
  public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ErrorCode code() const noexcept { return code_; }

  private:
    ErrorCode code_;
};

namespace detail {
inline void check(weft_code code) {
    if (code != WEFT_SUCCESS) throw Error(static_cast<ErrorCode>(code), weft_last_error());
}
/// The text that a function of C hands out.
template <class Function>
std::string text_by(const Function& function) {
    char* text = nullptr;
    check(function(&text));
    const std::unique_ptr<char, void (*)(void*)> owned(text, weft_free);
    return text;
}
template <class T>
std::string joined(const std::vector<T>& numbers) {
    std::string text;
    for (const T number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}
inline std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    for (char* c = text; *c != 0; ++c) {
        if (*c == ',') *c = '.';  // of the program's locale
    }
    return text;
}
}  // namespace detail

inline std::string version() { return weft_version(); }

struct Box {
    std::vector<Index> lo;
    std::vector<Index> hi;

    int axes() const { return static_cast<int>(lo.size()); }
    Index extent(int axis) const {
        return hi[static_cast<std::size_t>(axis)] - lo[static_cast<std::size_t>(axis)];
    }
    Index volume() const {
        Index all = 1;
        for (int axis = 0; axis < axes(); ++axis) all *= extent(axis);
        return all;
    }
    bool empty() const { return volume() == 0; }
    friend bool operator==(const Box& a, const Box& b) { return a.lo == b.lo && a.hi == b.hi; }
    friend bool operator!=(const Box& a, const Box& b) { return !(a == b); }
};

enum class Kind { c2c, r2c, c2r, redistribute, r2r };
enum class AxisKind { none, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4, c2c, r2c, c2r };
enum class EvenModes { split, zero, keep };
enum class Precision { f32, f64 };
enum class CutRule { balanced, block };

/// How an end is distributed and stored; slab() and its neighbours make one.
struct LayoutRequest {
    std::string text = "free";  ///< as in docs/text.md, without order, padding and strides
    std::vector<int> order{};
    std::vector<Index> padding{};
    std::vector<Index> strides{};
};
inline LayoutRequest slab(int axis) { return {"slab(" + std::to_string(axis) + ")"}; }
inline LayoutRequest pencil(int a, int b) {
    return {"pencil(" + detail::joined<int>({a, b}) + ")"};
}
inline LayoutRequest brick(int /*dims*/) { return {"brick"}; }
inline LayoutRequest single() { return {"single"}; }
inline LayoutRequest sphere(double cutoff) {
    return {"sphere(" + detail::number_text(cutoff) + ")"};
}
inline LayoutRequest grid(const std::vector<int>& parts) {
    std::string text;
    for (const int part : parts) text += (text.empty() ? "" : "x") + std::to_string(part);
    return {"grid(" + text + ")"};
}
/// The boxes of all ranks, as collect() brings them together.
struct BoxesByRank {
    std::string text;
};
inline BoxesByRank collect(const std::vector<Box>& mine, MPI_Comm comm) {
    std::vector<int64_t> lo;
    std::vector<int64_t> hi;
    int axes = mine.empty() ? 1 : mine.front().axes();
    const char* wrong = nullptr;
    for (const Box& box : mine) {
        if (box.axes() != axes || box.hi.size() != box.lo.size())
            wrong = "boxes have other numbers of axes";
        lo.insert(lo.end(), box.lo.begin(), box.lo.end());
        hi.insert(hi.end(), box.hi.begin(), box.hi.end());
    }
    detail::check(weft_agree(wrong, comm));
    // Ranks without boxes do not know how many axes those of other ranks have.
    if (comm != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, &axes, 1, MPI_INT, MPI_MAX, comm);
    if (!mine.empty()) axes = mine.front().axes();
    const int count = static_cast<int>(mine.size());
    return {detail::text_by([&](char** text) {
        return weft_boxes_text(count, axes, lo.data(), hi.data(), comm, text);
    })};
}
inline LayoutRequest own_boxes(const BoxesByRank& boxes) { return {boxes.text}; }

struct Scale {
    enum class Rule { none, by_n, symmetric, factor };
    Rule rule = Rule::none;
    double value = 1.0;
};

/// Members as in weft/problem.hpp.
struct Problem {
    Kind kind = Kind::c2c;
    Precision precision = Precision::f64;
    std::vector<Index> shape{};
    Index batch = 1;
    std::vector<int> axes{};
    int r2c_axis = -1;
    LayoutRequest in{};
    LayoutRequest out{};
    CutRule cut = CutRule::balanced;
    Scale forward_scale{};
    Scale backward_scale{};
    bool in_place = false;
    bool may_destroy_input = false;
    Index element_bytes = 0;
    std::vector<AxisKind> kinds{};
    std::vector<Index> modes{};
    EvenModes even_modes = EvenModes::split;
    std::vector<Index> inside{};
    bool sparse = false;
};

/// Members as in weft/choice.hpp, but they are the texts of docs/text.md. Empty or 0: the planner
/// chooses. Values of Pack, Carrier, Effort, Wire, `decomposition` and `via` have their names in C++20.
struct Choice {
    std::string decomposition{};
    std::string via{};
    std::map<int, std::string> via_of_redistribution{};
    std::string pack{};
    std::string carrier{};
    std::map<int, std::string> carrier_of_redistribution{};
    std::string wire{};
    std::string space{};
    std::string engine{};
    std::string effort{};
    std::string tile{};
    std::string tuning{};
    int shrink = 0;
    int threads = 0;
    bool reproducible = false;
    Index chunk = 0;
};
struct Pack {
    static constexpr const char *automatic = "", *sender = "sender", *receiver = "receiver",
                                *datatype = "datatype", *fft = "fft", *fused = "fused";
};
struct Carrier {
    static constexpr const char *automatic = "", *messages = "messages", *region = "region",
                                *direct = "direct";
};
struct Effort {
    static constexpr const char *automatic = "", *estimate = "estimate", *measure = "measure",
                                *patient = "patient";
};
struct Wire {
    static constexpr const char *same = "same", *f32 = "f32", *bf16 = "bf16";
};

enum class Memory { host, device };
struct Workspace {
    void* data = nullptr;
    Index bytes = 0;
};

/// An array of `size` elements that frees itself. Movable, not copyable.
template <class T>
class Array {
    static_assert(std::is_trivially_destructible_v<T>, "arrays hold numbers");

  public:
    Array() = default;
    explicit Array(Index size) : size_(size) {
        constexpr Index most = std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(T));
        if (size < 0)
            throw Error(ErrorCode::bad_request,
                        "an array of " + std::to_string(size) + " elements");
        data_.reset(static_cast<T*>(
            weft_allocate(size > most ? std::numeric_limits<std::size_t>::max()
                                      : static_cast<std::size_t>(size) * sizeof(T))));
        if (!data_) throw Error(ErrorCode::system, weft_last_error());
        std::uninitialized_value_construct_n(data_.get(), size);
    }

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    Index size() const { return data_ == nullptr ? 0 : size_; }
    T& operator[](Index i) { return data_.get()[i]; }
    const T& operator[](Index i) const { return data_.get()[i]; }
    T* begin() { return data(); }
    T* end() { return data() + size(); }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }

  private:
    struct Free {
        void operator()(T* data) const { weft_free(data); }
    };
    std::unique_ptr<T, Free> data_;
    Index size_ = 0;
};
template <class T>
Array<T> allocate(Index size) {
    return Array<T>(size);
}

namespace decomposition {
inline constexpr const char* slab = "slab";
inline constexpr const char* pencil = "pencil";
inline constexpr const char* row_wise = "row-wise";
inline constexpr const char* least_volume = "least-volume";
}  // namespace decomposition

namespace wisdom {
struct Imported {
    int entries = 0;
    std::vector<std::string> skipped{};
};
inline Imported import_text(const std::string& text) {
    Imported imported;
    const std::string skipped = detail::text_by(
        [&](char** lines) { return weft_wisdom_import(text.c_str(), &imported.entries, lines); });
    for (std::size_t begin = 0; begin < skipped.size();) {
        const std::size_t end = std::min(skipped.find('\n', begin), skipped.size());
        imported.skipped.push_back(skipped.substr(begin, end - begin));
        begin = end + 1;
    }
    return imported;
}
inline std::string export_text() { return detail::text_by(weft_wisdom_export); }
inline int forget(const std::string& problem = "*", const std::string& site = "*") {
    int entries = 0;
    detail::check(weft_wisdom_forget(problem.c_str(), site.c_str(), &entries));
    return entries;
}
}  // namespace wisdom

}  // namespace cxx17
}  // namespace weft
