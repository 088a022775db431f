#include "plan/graph.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "base/transforms.hpp"
#include "geometry/row_wise.hpp"

namespace weft::core {

std::vector<int> cuttable_axes(const Problem& problem) {
    const std::size_t dims = problem.shape.size();
    return all_below(dims == 1 && problem.batch > 1 ? 2 : dims);
}

namespace {

bool waits(const std::vector<bool>& waiting, int axis) {
    return !waiting.empty() && waiting[usize(axis)];
}

/// transform_local_axes in axis_order.
std::vector<int> transform_in_order(const Problem& problem, const Distribution& where,
                                    std::vector<bool>& done, const std::vector<bool>& waiting) {
    std::vector<int> axes;
    for (const int axis : axis_order(problem)) {
        if (done[usize(axis)]) continue;
        if (!where.local(axis)) break;
        axes.push_back(axis);
    }
    while (!axes.empty() && waits(waiting, axes.back())) axes.pop_back();
    for (const int axis : axes) done[usize(axis)] = true;
    std::sort(axes.begin(), axes.end());
    const auto last = std::find(axes.begin(), axes.end(), r2c_axis_of(problem));
    if (last != axes.end()) std::rotate(last, last + 1, axes.end());
    return axes;
}

}  // namespace

bool half_done(const Problem& problem, const std::vector<bool>& done) {
    const int r2c_axis = r2c_axis_of(problem);
    return r2c_axis != -1 && done[usize(r2c_axis)];
}

std::vector<int> axis_order(const Problem& problem) {
    std::vector<int> axes = transformed_axes(problem);
    std::sort(axes.rbegin(), axes.rend());
    const auto turn = [&](int axis) {
        if (is_real_to_real(axis_kind(problem, axis))) return 0;
        return axis == r2c_axis_of(problem) ? 1 : 2;
    };
    std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return turn(a) < turn(b); });
    return axes;
}

std::vector<int> transform_local_axes(const Problem& problem, const Distribution& where,
                                      std::vector<bool>& done, bool in_order,
                                      const std::vector<bool>& waiting) {
    if (in_order) return transform_in_order(problem, where, done, waiting);
    const int r2c_axis = r2c_axis_of(problem);
    const bool real_now = r2c_axis != -1 && !done[usize(r2c_axis)];
    // Before it the numbers are real.
    const bool real = real_now && !where.local(r2c_axis);
    bool complex = false;
    std::vector<int> axes;
    for (const int axis : transformed_axes(problem)) {
        const auto a = usize(axis);
        if (done[a] || axis == r2c_axis || !where.local(axis) || waits(waiting, axis)) continue;
        const bool is_complex = !is_real_to_real(axis_kind(problem, axis));
        if (real && is_complex) continue;
        complex = complex || is_complex;
        axes.push_back(axis);
        done[a] = true;
    }
    if (real_now && !real && (complex || !waits(waiting, r2c_axis))) {
        axes.push_back(r2c_axis);
        done[usize(r2c_axis)] = true;
    }
    return axes;
}

Shapes::Shapes(const Problem& problem) {
    const std::vector<Index> before = array_shape(problem, false);
    const std::vector<Index> behind = array_shape(problem, true);
    for (std::size_t a = 0; a < before.size(); ++a) {
        if (before[a] != behind[a]) changing_.push_back(static_cast<int>(a));
    }
    const auto grows = [&](int axis) { return before[usize(axis)] < behind[usize(axis)]; };
    if (std::any_of(changing_.begin(), changing_.end(), grows)) growing_.resize(before.size());
    for (const int axis : changing_) {
        if (grows(axis)) growing_[usize(axis)] = true;
    }
    all_.resize(std::size_t{1} << changing_.size(), before);
    for (std::size_t number = 0; number < all_.size(); ++number) {
        for (std::size_t i = 0; i < changing_.size(); ++i) {
            const auto a = usize(changing_[i]);
            if ((number >> i & 1) != 0) all_[number][a] = behind[a];
        }
    }
}

std::size_t Shapes::number(const std::vector<bool>& done) const {
    std::size_t number = 0;
    for (std::size_t i = 0; i < changing_.size(); ++i) {
        if (done[usize(changing_[i])]) number |= std::size_t{1} << i;
    }
    return number;
}

namespace {

/// All ways to give `count` factors distinct axes, lexicographically ascending.
std::vector<std::vector<int>> assignments(const std::vector<int>& axes, std::size_t count) {
    std::vector<std::vector<int>> all = {{}};
    for (std::size_t f = 0; f < count; ++f) {
        std::vector<std::vector<int>> longer;
        for (const auto& prefix : all) {
            for (const int axis : axes) {
                if (std::count(prefix.begin(), prefix.end(), axis) != 0) continue;
                longer.push_back(prefix);
                longer.back().push_back(axis);
            }
        }
        all = std::move(longer);
    }
    return all;
}

/// The axes that are not cut, ascending: their order makes no difference.
std::vector<int> canonical_order(const Shapes& shapes, const Family& family,
                                 std::vector<int> order) {
    std::size_t cuts = 0;
    for (const std::vector<Index>& shape : shapes.all()) {
        cuts = std::max(cuts, row_cuts(shape, order, family.used));
    }
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(cuts), order.end());
    return order;
}

/// What make_node takes to make the family's distributions, each in one way.
std::vector<std::vector<int>> members(const Problem& problem, const Shapes& shapes,
                                      const Family& family) {
    if (!family.row_wise) return assignments(cuttable_axes(problem), family.grid.size());
    auto orders = assignments(all_below(problem.shape.size()), problem.shape.size());
    std::erase_if(orders, [&](const std::vector<int>& each) {
        return each != canonical_order(shapes, family, each);
    });
    return orders;
}

/// The family's distribution that gives every rank the same boxes, if there is one: a caller's
/// boxes are often slabs, and then nothing has to move.
Distribution recognised(const Distribution& where, const Problem& problem, const Family& family) {
    if (where.list() == nullptr) return where;
    const Shapes shapes(problem);
    for (const auto& axes : members(problem, shapes, family)) {
        for (const Distribution& known : make_node(shapes, family, axes).of) {
            if (same_boxes(known, where)) return known;
        }
    }
    return where;
}

}  // namespace

GivenEnds::GivenEnds(const Problem& problem, int ranks) : problem_(problem), ranks_(ranks) {
    if (has_boxes(problem.in)) in_ = distribution_of(problem, problem.in, false, ranks, {});
    if (has_boxes(problem.out)) out_ = distribution_of(problem, problem.out, true, ranks, {});
}

std::optional<Distribution> GivenEnds::in(const Family& family) const {
    if (in_) return recognised(*in_, problem_, family);
    return distribution_of(problem_, problem_.in, false, ranks_, family.grid);
}

std::optional<Distribution> GivenEnds::out(const Family& family) const {
    if (out_) return recognised(*out_, problem_, family);
    return distribution_of(problem_, problem_.out, true, ranks_, family.grid);
}

Node make_node(const Shapes& shapes, const Family& family, const std::vector<int>& axes) {
    Node node;
    node.inner = true;
    if (family.row_wise) {
        node.axes = canonical_order(shapes, family, axes);
        for (const std::vector<Index>& shape : shapes.all()) {
            node.of.push_back(row_wise(shape, family.ranks, family.used, node.axes, family.split));
        }
        return node;
    }
    const std::vector<Index>& shape = shapes.all().front();
    std::vector<std::vector<int>> cuts(shape.size());
    for (std::size_t f = 0; f < axes.size(); ++f) {
        cuts[usize(axes[f])].push_back(static_cast<int>(f));
    }
    node.axes = axes;
    node.of.emplace_back(shape, family.ranks, ProcessGrid{family.grid}, cuts, family.split);
    for (std::size_t number = 1; number < shapes.all().size(); ++number) {
        node.of.push_back(node.of.front().reshaped(shapes.all()[number]));
    }
    return node;
}

int node_like(Graph& graph, const Node& node) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& known = graph.nodes[i];
        if (known.of == node.of) return static_cast<int>(i);
    }
    graph.nodes.push_back(node);
    return static_cast<int>(graph.nodes.size()) - 1;
}

std::optional<int> end_node(Graph& graph, const std::optional<Distribution>& where) {
    if (!where) return {};
    Node node;
    for (const std::vector<Index>& shape : graph.shapes.all()) {
        node.of.push_back(where->reshaped(shape));
    }
    return node_like(graph, node);
}

Graph make_graph(const Problem& problem, const Shapes& shapes, const GivenEnds& ends,
                 const Family& family, bool strict) {
    Graph graph{problem, family, shapes};
    const auto idle = [&](const Distribution& where) { return where.idle(family.used); };
    for (const auto& axes : members(problem, shapes, family)) {
        const Node node = make_node(shapes, family, axes);
        if (strict && std::any_of(node.of.begin(), node.of.end(), idle)) continue;
        // Factors and axes of 1 may stand anywhere: one node for each distribution is enough.
        node_like(graph, node);
    }
    graph.in = end_node(graph, ends.in(family));
    graph.out = end_node(graph, ends.out(family));
    return graph;
}

}  // namespace weft::core
