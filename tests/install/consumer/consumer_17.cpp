// A program in C++17 that uses weft/weft17.hpp.
#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>
#include <weft/weft17.hpp>

static_assert(__cplusplus == 201703L, "weft::c asks for no other C++ than the program's");

namespace {

using Complex = std::complex<double>;
int failures = 0;

void expect(bool right, const char* what) {
    if (!right) std::fprintf(stderr, "wrong: %s\n", what);
    failures += right ? 0 : 1;
}

template <class Function>
void expect_error(weft::ErrorCode code, const char* words, const Function& function) {
    try {
        function();
        expect(false, words);
    } catch (const weft::Error& error) {
        const bool right =
            error.code() == code && std::string(error.what()).find(words) != std::string::npos;
        expect(right, error.what());
    }
}

/// A wave along axis 0, in whatever layout, becomes one mode, and comes back.
void transforms(weft::LayoutRequest in) {
    weft::Problem problem;
    problem.kind = weft::Kind::r2c;
    problem.shape = {8, 6, 5};
    problem.in = std::move(in);
    problem.backward_scale = {weft::Scale::Rule::by_n};
    weft::Choice choice;
    choice.via = weft::via::alltoallv;
    choice.pack = weft::Pack::sender;
    const weft::Plan plan(problem, MPI_COMM_WORLD, choice);
    expect(plan.text().find("via=alltoallv") != std::string::npos, "via");
    expect(weft::Plan::parse(plan.text(), MPI_COMM_WORLD) == plan, "parse");

    auto field = weft::allocate<double>(plan.in_size());
    auto modes = weft::allocate<Complex>(plan.out_size());
    std::vector<double> expected;
    const auto wave = [](weft::Index x) { return std::cos(2 * std::acos(-1.0) * double(x) / 8); };
    const auto each = [&](auto&& visit) {
        const std::vector<weft::Box> boxes = plan.in_boxes(plan.rank());
        for (int b = 0; b < int(boxes.size()); ++b) {
            const weft::Box& box = boxes[std::size_t(b)];
            const std::vector<weft::Index> stride = plan.in_strides(plan.rank(), b);
            for (weft::Index x = box.lo[0]; x < box.hi[0]; ++x)
                for (weft::Index y = box.lo[1]; y < box.hi[1]; ++y)
                    for (weft::Index z = box.lo[2]; z < box.hi[2]; ++z)
                        visit(x, plan.in_offset(plan.rank(), b) + (x - box.lo[0]) * stride[0] +
                                     (y - box.lo[1]) * stride[1] + (z - box.lo[2]) * stride[2]);
        }
    };
    each([&](weft::Index x, weft::Index i) { field[i] = wave(x); });
    weft::Transform fft = plan.bind(field.data(), modes.data());
    fft.forward();
    double energy = 0;
    for (const Complex& mode : modes) energy += std::norm(mode);
    MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect(std::abs(energy - 2 * 120.0 * 120.0) < 1e-6, "two modes of 120 each");
    for (double& value : field) value = 0;
    fft.start_backward();
    fft.wait();
    each([&](weft::Index x, weft::Index i) {
        expect(std::abs(field[i] - wave(x)) < 1e-12, "backward");
    });

    // Arrays that a call brings, in lists.
    weft::Transform any = plan.bind_fields(2);
    auto second = weft::allocate<double>(plan.in_size());
    auto second_modes = weft::allocate<Complex>(plan.out_size());
    any.forward(std::vector<double*>{field.data(), second.data()},
                std::vector<Complex*>{modes.data(), second_modes.data()});
    for (const Complex& mode : second_modes) expect(mode == 0.0, "the second field is zero");
    expect_error(weft::ErrorCode::bad_request, "2",
                 [&] { any.forward(field.data(), modes.data()); });
    // On all ranks, though only one of them is wrong.
    expect_error(weft::ErrorCode::bad_request, "other elements than", [&] {
        if (plan.rank() == 0) return plan.bind(modes.data(), modes.data());
        return plan.bind(field.data(), modes.data());
    });
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    transforms(weft::slab(0));
    weft::LayoutRequest padded = weft::slab(1);
    padded.order = {0, 2, 1};
    padded.padding = {0, 0, 2};
    transforms(padded);
    transforms(weft::pencil(0, 1));
    // All planes on rank 0, in two boxes; the others have none.
    const std::vector<weft::Box> planes = {{{0, 0, 0}, {3, 6, 5}}, {{3, 0, 0}, {8, 6, 5}}};
    transforms(weft::own_boxes(
        weft::collect(rank == 0 ? planes : std::vector<weft::Box>{}, MPI_COMM_WORLD)));

    weft::Problem problem;
    problem.shape = {8, 0};
    expect_error(weft::ErrorCode::bad_request, "0", [&] { weft::Plan(problem, MPI_COMM_WORLD); });
    problem.shape = {8, 8, 8};
    problem.in = weft::slab(0);
    problem.in.order = {10, 2};  // which is not axes 1, 0 and 2
    expect_error(weft::ErrorCode::bad_request, "?", [&] { weft::Plan(problem, MPI_COMM_WORLD); });
    problem = {};
    problem.shape = {8, 8};
    problem.forward_scale = {weft::Scale::Rule::factor, 0.1};
    problem.axes = {1};
    problem.kinds = {weft::AxisKind::dct2};
    weft::Choice choice;
    choice.engine = "nothing";
    expect_error(weft::ErrorCode::bad_request, "nothing",
                 [&] { weft::Plan(problem, MPI_COMM_WORLD, choice); });
    choice.engine = "native";
    choice.threads = 2;
    const weft::Plan four = weft::Plan::for_ranks(4, problem, choice);
    expect(four.ranks() == 4 && four.in_boxes(3).size() == 1 && four.in_box(3).volume() == 16,
           "four ranks");
    expect(weft::to_string(problem).find("scale=0.1/none") != std::string::npos, "scale");
    expect(four.text().find("threads=2") != std::string::npos, "threads");
    expect_error(weft::ErrorCode::bad_request, "communicator", [&] { four.bind(); });

    expect(weft::wisdom::import_text("nonsense\n").skipped.size() == 1, "wisdom");
    expect(weft::version().find('.') != std::string::npos, "version");
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
