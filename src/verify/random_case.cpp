#include "verify/random_case.hpp"

#include <algorithm>
#include <numeric>

#include "exchange/methods.hpp"
#include "fft/engine.hpp"
#include "geometry/process_grid.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

std::vector<Index> random_shape(Random& random) {
    static const std::vector<Index> lengths = {1,  2,  3,  4,  5,  6,  7,  8, 9,
                                               10, 11, 12, 13, 15, 16, 17, 31};
    constexpr Index most_elements = 3000;
    std::vector<Index> shape(static_cast<std::size_t>(random.between(1, 6)));
    Index total = 1;
    for (Index& n : shape) {
        n = random.pick(lengths);
        while (total * n > most_elements && n > 1) n = (n + 1) / 2;
        total *= n;
    }
    random.shuffle(shape);
    return shape;
}

std::vector<int> permutation(Random& random, int axes) {
    std::vector<int> order(static_cast<std::size_t>(axes));
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    return order;
}

LayoutRequest random_layout(Random& random, const Problem& problem, int ranks) {
    const int axes = array_axes(problem);
    LayoutRequest request;
    if (!random.once_in(3)) {
        request.free = false;
        const auto order = permutation(random, axes);
        const Index cuts = random.between(0, random.once_in(3) ? axes : std::min(axes, 3));
        for (Index i = 0; i < cuts; ++i) request.axes.push_back(order[static_cast<std::size_t>(i)]);
        if (cuts > 0 && random.once_in(2)) {
            request.parts = random.pick(ordered_factorizations(ranks, static_cast<int>(cuts), 1));
        }
    }
    if (random.once_in(3)) request.order = permutation(random, axes);
    return request;
}

Scale random_scale(Random& random) {
    switch (random.between(0, 5)) {
        case 0:
            return {Scale::Rule::by_n, 1.0};
        case 1:
            return {Scale::Rule::symmetric, 1.0};
        case 2:
            return {Scale::Rule::factor, -0.75};
        default:
            return {};
    }
}

Problem random_problem(Random& random, int ranks) {
    Problem problem;
    problem.kind = random.pick(std::vector<Kind>{Kind::c2c, Kind::r2c, Kind::c2r});
    problem.precision = random.once_in(3) ? Precision::f32 : Precision::f64;
    problem.shape = random_shape(random);
    if (random.once_in(3)) problem.batch = random.between(2, random.once_in(4) ? 19 : 4);
    const int dims = static_cast<int>(problem.shape.size());
    if (random.once_in(3)) {
        problem.axes = permutation(random, dims);
        problem.axes.resize(static_cast<std::size_t>(random.between(1, dims)));
    }
    if (problem.kind != Kind::c2c && random.once_in(2)) {
        problem.halved = random.pick(transformed_axes(problem));
    }
    problem.cut = random.once_in(3) ? CutRule::block : CutRule::balanced;
    problem.in = random_layout(random, problem, ranks);
    problem.out = random_layout(random, problem, ranks);
    problem.forward_scale = random_scale(random);
    problem.backward_scale = random_scale(random);
    problem.in_place = problem.kind == Kind::c2c && random.once_in(3);
    return problem;
}

std::string random_engine(Random& random) {
    std::vector<std::string> names;
    for (const EngineInfo& info : engines()) {
        if (info.built_in) names.emplace_back(info.name);
    }
    return random.pick(names);
}

/// Puts more states, anywhere, into the path that the planner found: factors on any axes (the batch
/// too), several on one. States are never taken away, so every axis still becomes whole.
void lengthen_path(Random& random, Decomposition& decomposition, const Problem& problem) {
    auto& path = *decomposition.path;
    const int dims = static_cast<int>(problem.shape.size());
    for (Index more = random.between(0, 3); more > 0; --more) {
        std::vector<int> state;
        for (std::size_t f = 0; f < decomposition.grid.size(); ++f) {
            const int axis = static_cast<int>(random.between(0, array_axes(problem) - 1));
            state.push_back(axis == dims ? Decomposition::batch_axis : axis);
        }
        const Index place = random.between(0, static_cast<Index>(path.size()));
        path.insert(path.begin() + static_cast<std::ptrdiff_t>(place), state);
    }
}

/// Spells out the path, and gives some moves methods of their own.
void add_details(Random& random, RandomCase& one, int ranks) {
    Choice& choice = one.choice;
    Plan plan = make_plan(one.problem, choice, ranks);
    if (random.once_in(2)) {
        choice.decomposition = plan.choice.decomposition;
        lengthen_path(random, choice.decomposition, one.problem);
        plan = make_plan(one.problem, choice, ranks);
    }
    if (random.once_in(2)) {
        choice.pack = Pack::automatic;
        for (int move = 0; move < plan.moves(); ++move) {
            if (random.once_in(2)) choice.via_of_move[move] = random.pick(methods()).name;
        }
    }
}

}  // namespace

RandomCase random_case(Random& random, int ranks) {
    RandomCase result;
    result.problem = random_problem(random, ranks);
    Choice& choice = result.choice;
    // A one-dimensional problem can be cut along its batch only.
    const int dims = static_cast<int>(result.problem.shape.size());
    const int axes = dims == 1 ? array_axes(result.problem) : dims;
    if (random.once_in(2) && axes > 1) {
        const int cuts = static_cast<int>(random.between(1, std::min(axes - 1, 3)));
        choice.decomposition.cuts = cuts;
        if (random.once_in(2)) {
            choice.decomposition.grid = random.pick(ordered_factorizations(ranks, cuts, 1));
        }
    }
    choice.via = random.pick(methods()).name;
    if (method(choice.via).packed) {
        choice.pack = random.pick(std::vector<Pack>{Pack::automatic, Pack::sender, Pack::receiver});
    }
    if (random.once_in(3)) choice.chunk = random.between(2, 1000);
    choice.engine = random_engine(random);
    choice.effort = random.once_in(20) ? Effort::measure : Effort::estimate;
    if (random.once_in(2)) add_details(random, result, ranks);
    return result;
}

}  // namespace weft::core
