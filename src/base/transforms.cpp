#include "base/transforms.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

std::vector<Loop> FftTask::axes() const {
    std::vector<Loop> all = complex_axes;
    all.push_back(line_axis());
    return all;
}

void FftTask::set_axes(std::vector<Loop> axes) {
    const Loop last = axes.back();
    axes.pop_back();
    complex_axes = std::move(axes);
    line.length = last.extent;
    from_step = last.from;
    to_step = last.to;
}

bool is_empty(const FftTask& task) {
    const auto none = [](const Loop& loop) { return loop.extent == 0; };
    return task.line.length == 0 ||
           std::any_of(task.complex_axes.begin(), task.complex_axes.end(), none) ||
           std::any_of(task.looped.begin(), task.looped.end(), none);
}

}  // namespace weft::core
