#include "geometry/spans.hpp"

#include <algorithm>

namespace weft::core {

namespace {

template <class T>
void make_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

void AxisCuts::add(const BlockedBox& box) {
    for (const Index edge : {box.lo(axis_), box.hi(axis_)}) {
        if (edge > edges_[0] && edge < edges_[1] && edge != edges_.back()) edges_.push_back(edge);
    }
    if (!box.cuts(axis_)) return;
    const Grating grating{box.lo(axis_), box.hi(axis_), box.blocks->extent};
    if (gratings_.empty() || gratings_.back() != grating) gratings_.push_back(grating);
}

void AxisCuts::append(Index begin, Index end, const std::vector<Grating>& gratings,
                      std::vector<Span>& result) {
    const bool alike = std::all_of(gratings.begin(), gratings.end(), [&](const Grating& one) {
        return one.agrees(gratings.front());
    });
    while (begin < end) {
        Index next = end;
        for (const Grating& one : gratings) next = std::min(next, one.next(begin));
        Span span{begin, next - begin, 1};
        if (!gratings.empty() && alike && span.extent == gratings.front().extent) {
            span.count = (end - begin) / span.extent;
        }
        result.push_back(span);
        begin += span.extent * span.count;
    }
}

std::vector<Span> AxisCuts::spans() {
    make_unique(edges_);
    make_unique(gratings_);
    std::vector<Span> result;
    std::vector<Grating> here;
    auto next = gratings_.begin();
    for (std::size_t i = 0; i + 1 < edges_.size(); ++i) {
        for (; next != gratings_.end() && next->begin <= edges_[i]; ++next) here.push_back(*next);
        std::erase_if(here, [&](const Grating& one) { return one.end <= edges_[i]; });
        append(edges_[i], edges_[i + 1], here, result);
    }
    return result;
}

}  // namespace weft::core
