#include "overlap/schemes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::bench {

namespace {

// Sub-tiles as large as tiles, and all that has come unpacked at the end: Hoefler's scheme.
constexpr const char* whole = ",Px:1000000,Pz:1000000,Uy:1000000,Uz:1000000,late";

const std::vector<int> no_overlap = {0};
const std::vector<int> overlap = {2, 3, 8};

std::string suffix(const std::string& engine) { return engine == "fftw" ? "" : "-" + engine; }

/// 32 tiles, 16, .. as far as there are elements, but no fewer than `least`.
std::vector<int> halvings(Index extent, int most, int least) {
    std::vector<int> parts;
    for (int count = most; count >= least; count /= 2) {
        if (count <= extent) parts.push_back(count);
    }
    if (parts.empty()) parts.push_back(static_cast<int>(std::max<Index>(extent, 1)));
    return parts;
}

}  // namespace

std::string Scheme::at(const Point& point) const {
    if (axis.empty()) return choice;
    const Index tile = std::max<Index>(extent / point.parts, 1);
    return fmt::format("{}; via={}; tile=(axis:{},T:{},W:{},F:{}{})", choice, point.via, axis, tile,
                       point.window, point.window == 0 ? 0 : point.polls, more);
}

std::vector<Scheme> schemes_of_array(const std::vector<Index>& shape, int ranks,
                                     const std::string& engine) {
    const std::string choice = "engine=" + engine + "; pack=sender";
    const std::string end = suffix(engine);
    const std::string along_z = std::to_string(shape.size() - 1);
    const Index z = shape.back();
    const Index x = shape.front() / ranks;
    const std::vector<int> z_parts = halvings(z, 32, 8);
    const std::vector<int> x_parts = halvings(x, 32, 8);
    std::vector<Scheme> result = {
        {"blocking" + end, choice + "; via=alltoallv"},
        {"NEW-0" + end, choice, along_z, z, z_parts, no_overlap},
        {"NEW" + end, choice, along_z, z, z_parts, overlap},
        {"x-0" + end, choice, "0", x, x_parts, no_overlap},
        {"x" + end, choice, "0", x, x_parts, overlap},
    };
    if (engine == "fftw") {
        result.push_back({"TH-0", choice, along_z, z, z_parts, no_overlap, whole});
        result.push_back({"TH", choice, along_z, z, z_parts, overlap, whole});
    } else {
        result.push_back(
            {"x-fused" + end, "engine=" + engine + "; pack=fused", "0", x, x_parts, overlap});
    }
    return result;
}

std::vector<Scheme> schemes_of_batch(const std::vector<Index>& shape, Index fields, int ranks,
                                     const std::string& engine) {
    const std::string choice = "engine=" + engine + "; pack=sender";
    const std::string end = suffix(engine);
    const Index x = shape.front() / ranks;
    const std::vector<int> all = halvings(fields, static_cast<int>(fields), 1);
    const auto calls = static_cast<int>(fields);
    return {
        {"calls" + end, choice + "; via=alltoallv", "", 0, {}, {}, "", calls},
        {"batch" + end, choice + "; via=alltoallv"},
        {"fields" + end, choice, "b", fields, all, overlap},
        {"tiles" + end, choice, "0", x, halvings(x, 8, 2), overlap, ",B:1"},
    };
}

}  // namespace weft::bench
