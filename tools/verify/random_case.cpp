#include "verify/random_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "exchange/via.hpp"
#include "fft/engine.hpp"
#include "geometry/process_grid.hpp"
#include "model/default_plan.hpp"
#include "net/mpi.hpp"
#include "plan/choice.hpp"
#include "plan/graph.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "plan/wire.hpp"
#include "weft/error.hpp"

namespace weft::core {

std::vector<std::vector<Box>> random_boxes(Random& random, const std::vector<Index>& shape,
                                           int ranks) {
    // The array is cut in two again and again, then the pieces are dealt to the ranks.
    std::vector<Box> pieces = {whole(shape)};
    const Index cuts = random.between(0, std::min<Index>(2 * ranks, 40));
    for (Index i = 0; i < cuts; ++i) {
        const auto piece =
            static_cast<std::size_t>(random.between(0, static_cast<Index>(pieces.size()) - 1));
        const auto axis =
            static_cast<std::size_t>(random.between(0, static_cast<Index>(shape.size()) - 1));
        Box& below = pieces[piece];
        if (below.hi[axis] - below.lo[axis] < 2) continue;
        Box above = below;
        above.lo[axis] = random.between(below.lo[axis] + 1, below.hi[axis] - 1);
        below.hi[axis] = above.lo[axis];
        pieces.push_back(above);
    }
    std::vector<std::vector<Box>> boxes(static_cast<std::size_t>(ranks));
    const int owners = random.once_in(4) ? static_cast<int>(random.between(1, ranks)) : ranks;
    random.shuffle(pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool in_turn = i < static_cast<std::size_t>(owners);
        const Index rank = in_turn ? static_cast<Index>(i) : random.between(0, owners - 1);
        boxes[static_cast<std::size_t>(rank)].push_back(pieces[i]);
    }
    random.shuffle(boxes);
    return boxes;
}

namespace {

std::vector<Index> random_shape(Random& random, Index most_elements) {
    static const std::vector<Index> lengths = {1,  2,  3,  4,  5,  6,  7,  8, 9,
                                               10, 11, 12, 13, 15, 16, 17, 31};
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

/// Strides for which no two elements of the array, and so of none of its boxes, meet.
std::vector<Index> random_strides(Random& random, const std::vector<Index>& shape) {
    std::vector<Index> strides(shape.size());
    Index stride = random.between(1, 2);
    for (const int axis : permutation(random, static_cast<int>(shape.size()))) {
        const auto a = static_cast<std::size_t>(axis);
        strides[a] = stride;
        stride = stride * shape[a] + random.between(0, 2);
    }
    return strides;
}

LayoutRequest random_cuts(Random& random, int axes, int ranks) {
    LayoutRequest request;
    request.free = false;
    const auto order = permutation(random, axes);
    const Index cuts = random.between(0, random.once_in(3) ? axes : std::min(axes, 3));
    for (Index i = 0; i < cuts; ++i) request.axes.push_back(order[static_cast<std::size_t>(i)]);
    if (cuts > 0 && random.once_in(2)) {
        request.parts = random.pick(ordered_factorizations(ranks, static_cast<int>(cuts), 1));
    }
    return request;
}

LayoutRequest random_layout(Random& random, const Problem& problem, bool half, int ranks) {
    const std::vector<Index> shape = array_shape(problem, half);
    const int axes = array_axes(problem);
    LayoutRequest request;
    const bool placed = problem.kind == Kind::redistribute || !random.once_in(3);
    if (placed && random.once_in(3)) {
        std::vector<Index> cut = shape;
        if (random.once_in(2)) cut.resize(problem.shape.size());
        request = own_boxes(random_boxes(random, cut, ranks));
    } else if (placed) {
        request = random_cuts(random, axes, ranks);
    }
    if (random.once_in(3)) request.order = permutation(random, axes);
    if (random.once_in(5)) {
        for (int axis = 0; axis < axes; ++axis) request.padding.push_back(random.between(0, 2));
    } else if (random.once_in(8)) {
        request.strides = random_strides(random, shape);
    }
    return request;
}

/// One for each axis, or one for all; of problems but r2r some axes are complex.
std::vector<AxisKind> random_kinds(Random& random, const Problem& problem) {
    std::vector<AxisKind> kinds;
    const std::vector<int> axes = listed_axes(problem);
    const int r2c_axis = r2c_axis_of(problem);
    for (const int axis : axes) {
        const bool single = problem.shape[static_cast<std::size_t>(axis)] == 1;
        const auto first = static_cast<Index>(single ? AxisKind::dct2 : AxisKind::dct1);
        kinds.push_back(
            static_cast<AxisKind>(random.between(first, static_cast<Index>(AxisKind::dst4))));
        if (problem.kind != Kind::r2r && random.once_in(2)) kinds.back() = AxisKind::c2c;
        if (axes.size() > 1 && random.once_in(8)) kinds.back() = AxisKind::none;
        if (axis == r2c_axis) {
            kinds.back() = problem.kind == Kind::r2c ? AxisKind::r2c : AxisKind::c2r;
        }
    }
    if (r2c_axis != -1) return kinds;
    if (std::count(kinds.begin(), kinds.end(), AxisKind::none) ==
        static_cast<std::ptrdiff_t>(kinds.size())) {
        kinds.front() = AxisKind::dst1;
    }
    if (random.once_in(4)) kinds = {AxisKind::dst2};
    return kinds;
}

/// Some of the elements of transformed axes, in the spectrum or in the field.
void keep_parts(Random& random, Problem& problem) {
    const auto axes = listed_axes(problem);
    const auto part = [&] {
        std::vector<Index> kept = problem.shape;
        for (const int axis : axes) {
            Index& length = kept[static_cast<std::size_t>(axis)];
            if (!random.once_in(3)) length = random.between(1, length);
        }
        return kept;
    };
    if (!random.once_in(3)) problem.modes = part();
    if (problem.modes.empty() || random.once_in(3)) problem.inside = part();
    if (problem.modes.empty()) return;
    problem.even_modes =
        random.pick(std::vector<EvenModes>{EvenModes::split, EvenModes::zero, EvenModes::keep});
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
    // Rows depend on whether the r2c axis is done, and so which of them are whole.
    if (decomposition.row_wise && halves(problem.kind)) return;
    for (Index more = random.between(0, 3); more > 0; --more) {
        std::vector<int> state;
        for (std::size_t f = 0; f < decomposition.grid.size(); ++f) {
            const int axis = static_cast<int>(random.between(0, array_axes(problem) - 1));
            state.push_back(axis == dims ? Decomposition::batch_axis : axis);
        }
        if (decomposition.row_wise) state = permutation(random, dims);
        const Index place = random.between(0, static_cast<Index>(path.size()));
        path.insert(path.begin() + static_cast<std::ptrdiff_t>(place), state);
    }
}

/// Spells out the path, and gives some redistributions methods of their own.
void add_details(Random& random, RandomCase& one, int ranks) {
    Choice& choice = one.choice;
    Plan plan = default_plan(one.problem, choice, ranks);
    if (one.problem.kind != Kind::redistribute && random.once_in(2)) {
        choice.decomposition = plan.choice.decomposition;
        lengthen_path(random, choice.decomposition, one.problem);
        plan = default_plan(one.problem, choice, ranks);
    }
    if (random.once_in(2)) {
        choice.pack = Pack::automatic;
        for (int redistribution = 0; redistribution < plan.redistributions(); ++redistribution) {
            if (random.once_in(2))
                choice.via_of_redistribution[redistribution] = random_via(random);
        }
    }
}

}  // namespace

Problem random_problem(Random& random, int ranks, Index most_elements) {
    Problem problem;
    problem.kind = random.pick(std::vector<Kind>{Kind::c2c, Kind::r2c, Kind::c2r, Kind::c2c,
                                                 Kind::r2c, Kind::c2r, Kind::redistribute});
    const bool transforms = problem.kind != Kind::redistribute;
    if (transforms && random.once_in(3)) problem.precision = Precision::f32;
    problem.shape = random_shape(random, most_elements);
    if (random.once_in(3)) problem.batch = random.between(2, random.once_in(4) ? 19 : 4);
    const int dims = static_cast<int>(problem.shape.size());
    if (transforms && random.once_in(3)) {
        problem.axes = permutation(random, dims);
        problem.axes.resize(static_cast<std::size_t>(random.between(1, dims)));
    }
    if (halves(problem.kind) && random.once_in(2))
        problem.r2c_axis = random.pick(transformed_axes(problem));
    problem.cut = random.once_in(3) ? CutRule::block : CutRule::balanced;
    // Drawn from a copy, so that all else is drawn as it is for whole arrays.
    Random part = random;
    part.next();
    if (transforms && part.once_in(4)) keep_parts(part, problem);
    const bool synthesises = problem.kind == Kind::c2r;
    problem.in = random_layout(random, problem, synthesises, ranks);
    problem.out = random_layout(random, problem, !synthesises, ranks);
    if (transforms) {
        problem.forward_scale = random_scale(random);
        problem.backward_scale = random_scale(random);
    } else {
        problem.element_bytes = random.pick(std::vector<Index>{1, 2, 3, 4, 8, 12, 16, 24});
    }
    problem.in_place = random.once_in(3) && !keeps_part(problem);
    problem.may_destroy_input = !problem.in_place && random.once_in(4);
    // Drawn from a copy, so that all else is drawn as it is for c2c.
    Random own = random;
    if (transforms && own.once_in(2)) {
        if (problem.kind == Kind::c2c && !own.once_in(3)) problem.kind = Kind::r2r;
        problem.kinds = random_kinds(own, problem);
        const std::vector<int> axes = listed_axes(problem);
        for (std::size_t i = 0; i < problem.kinds.size(); ++i) {
            AxisKind& kind = problem.kinds[i];
            if (kind == AxisKind::none && keeps_part(problem, axes[i])) kind = AxisKind::dst2;
        }
    }
    return problem;
}

std::string random_via(Random& random) {
    static const std::vector<std::string> transports = {"p2p", "send", "persistent"};
    static const std::vector<std::string> schedules = {"", "pairwise,", "kway(2),", "kway(3),"};
    static const std::vector<std::string> rounds = {"rounds=1", "rounds=2", "rounds=5"};
    if (random.once_in(3)) {
        const std::string& transport = random.pick(transports);
        const std::string& schedule = random.pick(schedules);
        const char* completion = random.once_in(2) ? "some," : "";
        return to_string(parse_via(
            fmt::format("{}({}{}{})", transport, schedule, completion, random.pick(rounds))));
    }
    // The one that is lowered in a way of its own.
    if (random.once_in(4)) {
        return random.pick(std::vector<std::string>{"shared", "shared(alltoallv)"});
    }
    const Method& method = random.pick(methods());
    // Not every redistribution is a matrix, and not every build has FFTW's MPI library.
    const Transport& how = method.via.how();
    const bool anywhere = how.carries != Carries::matrix && why_unavailable(how).empty();
    if (!anywhere) return "alltoall";
    if (method.number == nullptr || random.once_in(3)) return std::string(method.name);
    return to_string(parse_via(fmt::format("{}({})", method.name, random.between(2, 5))));
}

void return_by_shared_memory(Random& random, Problem& problem, Choice& choice) {
    const int dims = static_cast<int>(problem.shape.size());
    const int cut = static_cast<int>(random.between(0, dims - 1));
    problem.in = random.once_in(3) ? brick(dims) : slab(cut);
    problem.out = problem.in;
    problem.sparse = false;
    choice.via = "shared";
}

bool go_together(const std::string& via, Pack pack) {
    const Via parsed = parse_via(via);
    return suits(parsed, pack) && (pack != Pack::datatype || parsed.order != Order::kway);
}

namespace {

Decomposition random_decomposition(Random& random, const Problem& problem, int used) {
    Decomposition result;
    result.row_wise = random.once_in(4) && !Shapes(problem).grow();
    result.least_volume = !result.row_wise && random.once_in(6);
    // A one-dimensional problem can be cut along its batch only.
    const int dims = static_cast<int>(problem.shape.size());
    const int axes = dims == 1 ? array_axes(problem) : dims;
    if (result.row_wise || result.least_volume || axes == 1) return result;
    // As many cuts as dimensions: bricks.
    const int most = dims > 1 && random.once_in(3) ? axes : axes - 1;
    const int cuts = static_cast<int>(random.between(1, std::min(most, 3)));
    result.cuts = cuts;
    if (random.once_in(2)) result.grid = random.pick(ordered_factorizations(used, cuts, 1));
    return result;
}

}  // namespace

Tiling random_tiling(Random& random, const Problem& problem) {
    Tiling result;
    const int axes = array_axes(problem);
    const int dims = static_cast<int>(problem.shape.size());
    if (random.once_in(2)) {
        result.axis = static_cast<int>(random.between(0, axes - 1));
        if (result.axis == dims) result.axis = Decomposition::batch_axis;
    }
    const auto extent = [&](Index most) -> std::optional<Index> {
        if (random.once_in(3)) return {};
        return random.once_in(6) ? 1000 : random.between(1, most);
    };
    result.tile_extent = extent(5);
    result.pack_block_across = extent(4);
    result.pack_block = extent(3);
    result.unpack_block_across = extent(4);
    result.unpack_block = extent(3);
    if (axes > dims) result.fields_together = extent(3);
    const auto count = [&]() -> std::optional<Index> {
        const Index number = random.between(-1, random.once_in(6) ? 40 : 4);
        if (number < 0) return {};
        return number;
    };
    result.tiles_in_flight = count();
    for (const core::TileNumber& polls : core::poll_numbers) result.*polls.value = count();
    result.late = random.once_in(5);
    result.strict = random.once_in(3);
    return result;
}

bool fits(const RandomCase& one, int ranks) {
    try {
        default_plan(one.problem, one.choice, ranks);
        return true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return false;
    }
}

void add_tiles(Random& random, RandomCase& one, int ranks) {
    RandomCase tiled = one;
    tiled.choice.tile = random_tiling(random, one.problem);
    for (int attempt = 0; attempt < 3 && !fits(tiled, ranks); ++attempt) {
        Tiling& tile = *tiled.choice.tile;
        if (attempt == 0) {
            for (std::optional<Index>* one : {&tile.pack_block_across, &tile.pack_block,
                                              &tile.unpack_block_across, &tile.unpack_block}) {
                one->reset();
            }
            tiled.choice.via_of_redistribution.clear();
        } else {
            tile.axis.reset();
            tile.fields_together.reset();
            tiled.choice.via.clear();
        }
    }
    if (fits(tiled, ranks)) one = tiled;
}

namespace {

/// One that goes with the choice's method.
Pack random_pack(Random& random, const RandomCase& one) {
    std::vector<Pack> fitting = {Pack::automatic};
    for (const Pack pack : {Pack::sender, Pack::receiver, Pack::datatype, Pack::fft, Pack::fused}) {
        const bool transforms = one.problem.kind != Kind::redistribute || pack != Pack::fft;
        if (transforms && go_together(one.choice.via, pack)) fitting.push_back(pack);
    }
    return random.pick(fitting);
}

}  // namespace

RandomCase random_case(Random& random, int ranks) {
    RandomCase result;
    constexpr Index most_elements = 3000;
    result.problem = random_problem(random, ranks, most_elements);
    leave_out_some(random, result.problem);
    Choice& choice = result.choice;
    if (result.problem.kind != Kind::redistribute) {
        if (random.once_in(5)) choice.shrink = static_cast<int>(random.between(1, ranks));
        if (random.once_in(2)) {
            const int used = choice.shrink == 0 ? ranks : choice.shrink;
            choice.decomposition = random_decomposition(random, result.problem, used);
        }
    }
    const bool returns = result.problem.kind != Kind::redistribute && random.once_in(4);
    if (returns) {
        return_by_shared_memory(random, result.problem, choice);
    } else {
        choice.via = random_via(random);
        choice.pack = random_pack(random, result);
    }
    if (random.once_in(3)) choice.chunk = random.between(2, 1000);
    choice.engine = random_engine(random);
    if (random.once_in(8)) choice.threads = static_cast<int>(random.between(2, 3));
    choice.effort = random.once_in(20) ? Effort::measure : Effort::estimate;
    if (random.once_in(2)) add_details(random, result, ranks);
    if (!returns && random.once_in(3)) add_tiles(random, result, ranks);
    // A generator of its own, so that the problems of a seed stay what they are.
    Random wire(std::hash<std::string>()(to_string(result.problem)));
    if (result.problem.kind != Kind::redistribute && wire.once_in(8)) {
        choice.wire = half_of(result.problem.precision);
    }
    return result;
}

}  // namespace weft::core
