#include "rank_counts.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace weft::cli {

std::vector<int> rank_counts(const std::string& option) {
    std::vector<int> counts;
    for (const std::string& word : core::split(option, ',')) {
        const std::size_t dots = word.find("..");
        const int first = core::parse_int(word.substr(0, dots), "--ranks");
        const int last =
            dots == std::string::npos ? first : core::parse_int(word.substr(dots + 2), "--ranks");
        if (first < 1 || last < first || last > 1 << 24) {
            core::bad_request(
                fmt::format("--ranks {}: give numbers of ranks from 1 to {}, as 2,4,8 or 2..131072",
                            option, 1 << 24));
        }
        for (int ranks = first; ranks <= last; ranks *= 2) counts.push_back(ranks);
    }
    return counts;
}

std::vector<int> rank_counts(const std::string& option, const core::PlanRequest& request,
                             const std::string& usual) {
    const std::string& said = option.empty() ? usual : option;
    std::vector<int> counts;
    if (!said.empty()) counts = rank_counts(said);
    if (request.ranks == 0) return counts;
    if (option.empty()) return {request.ranks};
    if (counts == std::vector<int>{request.ranks}) return counts;
    core::bad_request(fmt::format("--ranks {}: the text says ranks={}", option, request.ranks));
}

}  // namespace weft::cli
