#include "plan/formats.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/transforms.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

/// The order in memory after a redistribution that makes `gathered` whole: just above the fastest axis. So
/// the transform that follows runs over lines side by side, the messages' runs stay long, and a
/// slab plan ends in FFTW's transposed order: 012, gathering 0, becomes 102. Fields that lie in
/// turn are few, and lines are side by side along the axis above them as well: 012b becomes 102b.
Format gathering_format(const Format& before, const std::vector<int>& gathered, int batch) {
    std::vector<int> order;
    std::vector<int> inserted;
    for (const int axis : before.order) {
        const bool gathers = std::count(gathered.begin(), gathered.end(), axis) != 0;
        (gathers ? inserted : order).push_back(axis);
    }
    auto place = order.end();
    auto fastest = before.order.rbegin();
    const auto stays = [&] { return place != order.begin() && *(place - 1) == *fastest; };
    if (stays()) {
        --place;
        if (*fastest++ == batch && stays()) --place;
    }
    order.insert(place, inserted.begin(), inserted.end());
    return {order};
}

/// In place, lines of n reals get the room of n/2+1 complex numbers, unless the caller says how
/// they lie.
void pad_r2c_lines(const Problem& problem, const Distribution& where, Format& format) {
    const int r2c_axis = r2c_axis_of(problem);
    if (!problem.in_place || r2c_axis == -1) return;
    if (!problem.in.padding.empty() || !problem.in.strides.empty()) return;
    const Index n = problem.shape[usize(r2c_axis)];
    // An axis of one element is whole wherever it is owned, also if the ranks are said to cut it.
    if (format.order.back() != r2c_axis || !(n == 1 || where.local(r2c_axis))) return;
    format.padding.assign(format.order.size(), 0);
    format.padding[usize(r2c_axis)] = 2 * (n / 2 + 1) - n;
}

/// The axes that a redistribution gathers: those of the transforms behind it.
std::vector<int> gathered_by(const Plan& plan, std::size_t stage) {
    std::vector<int> axes;
    while (const TransformStage* transform = transform_at(plan, ++stage)) {
        axes.insert(axes.end(), transform->axes.begin(), transform->axes.end());
    }
    return axes;
}

/// Whether the stage is a transform of the real numbers where they arrive, so that those behind it
/// may lie as the input does.
bool keeps_reals(const Plan& plan, std::size_t stage) {
    for (std::size_t i = 0; i <= stage; ++i) {
        const TransformStage* transform = transform_at(plan, i);
        if (transform == nullptr || transform->kind != Kind::r2r) return false;
    }
    return halves(plan.problem.kind) && transform_at(plan, stage + 1) != nullptr;
}

}  // namespace

Plan choose_formats(Plan plan, Pack pack) {
    const Problem& problem = plan.problem;
    const bool keeps_order = pack == Pack::fft;
    const bool order_given = !problem.out.free || !problem.out.order.empty();
    const Format last = format_of(problem, problem.out);
    Format first = format_of(problem, problem.in);
    Format format = dense(first);
    pad_r2c_lines(problem, plan.at.front().where, first);
    plan.at.front().format = first;
    Format reals = format;
    pad_r2c_lines(problem, plan.at.front().where, reals);
    const int batch = dims_of(problem);
    const int redistributions = plan.redistributions();
    int moved = 0;
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        if (transform_at(plan, stage) != nullptr) {
            // With pack=fft the last transform permutes, not the redistribution before it.
            if (moved == redistributions && (redistributions == 0 || keeps_order) && order_given)
                format = dense(last);
        } else {
            const std::vector<int> gathered = gathered_by(plan, stage);
            if (!keeps_order) format = gathering_format(format, gathered, batch);
            const bool may_permute = !keeps_order || gathered.empty();
            if (++moved == redistributions && order_given && may_permute) format = dense(last);
        }
        plan.at[stage + 1].format = keeps_reals(plan, stage) ? reals : format;
    }
    Format& end = plan.at.back().format;
    end.padding = last.padding;
    end.strides = last.strides;
    return plan;
}

}  // namespace weft::core
