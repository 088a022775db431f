// Transforms an array that lies in a caller's own boxes, several on each rank, as an adaptive mesh
// or a particle code cuts it; checks the spectrum of a plane wave.
//
//     cmake --build build --target example_own_boxes
//     mpirun -n 2 build/bin/example_own_boxes
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <weft/weft.hpp>

using Complex = std::complex<double>;
using Place = std::array<weft::Index, 3>;

constexpr Place lengths = {24, 20, 18};
constexpr Place wave = {2, 17, 5};
constexpr double elements = 24 * 20 * 18;

// Blocks of 6 x 5 x 18, dealt to the ranks like cards. Some get more than others, some none.
std::vector<weft::Box> my_blocks(int rank, int ranks) {
    std::vector<weft::Box> blocks;
    int number = 0;
    for (weft::Index x = 0; x < lengths[0]; x += 6)
        for (weft::Index y = 0; y < lengths[1]; y += 5)
            if (number++ % ranks == rank) blocks.push_back({{x, y, 0}, {x + 6, y + 5, lengths[2]}});
    return blocks;
}

// Calls visit(place, index in the rank's array) for all elements of one box.
template <class Visit>
void for_each(const weft::Box& box, weft::Index offset, const std::vector<weft::Index>& stride,
              Visit visit) {
    for (weft::Index x = box.lo[0]; x < box.hi[0]; ++x)
        for (weft::Index y = box.lo[1]; y < box.hi[1]; ++y)
            for (weft::Index z = box.lo[2]; z < box.hi[2]; ++z)
                visit(Place{x, y, z}, offset + (x - box.lo[0]) * stride[0] +
                                          (y - box.lo[1]) * stride[1] +
                                          (z - box.lo[2]) * stride[2]);
}

Complex plane_wave(const Place& place) {
    double turns = 0;
    for (std::size_t a = 0; a < 3; ++a)
        turns += double(wave[a] * place[a] % lengths[a]) / double(lengths[a]);
    return std::polar(1.0, 2 * M_PI * turns);
}

double transform_and_compare(MPI_Comm comm) {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);

    weft::Problem problem;
    problem.shape.assign(lengths.begin(), lengths.end());
    problem.in = weft::own_boxes(weft::collect(my_blocks(rank, ranks), comm));  // collective
    problem.out = problem.in;
    const weft::Plan plan(problem, comm);

    auto in = weft::allocate<Complex>(plan.in_size());
    auto out = weft::allocate<Complex>(plan.out_size());
    weft::Transform fft = plan.bind(in.data(), out.data());

    // A rank's boxes lie one after the other in its array.
    const auto boxes = plan.in_boxes(rank);
    for (int b = 0; b < int(boxes.size()); ++b)
        for_each(boxes[b], plan.in_offset(rank, b), plan.in_strides(rank, b),
                 [&](const Place& place, weft::Index i) { in[i] = plane_wave(place); });
    fft.forward();

    // The spectrum is the number of elements at the wave's place, and 0 elsewhere.
    double worst = 0;
    const auto out_boxes = plan.out_boxes(rank);
    for (int b = 0; b < int(out_boxes.size()); ++b)
        for_each(out_boxes[b], plan.out_offset(rank, b), plan.out_strides(rank, b),
                 [&](const Place& place, weft::Index i) {
                     const double expected = place == wave ? elements : 0;
                     worst = std::max(worst, std::abs(out[i] - expected) / elements);
                 });
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (rank == 0) std::printf("%s\nerror %.1e\n", plan.explain().c_str(), worst);
    return worst;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double worst = 1;
    try {
        worst = transform_and_compare(MPI_COMM_WORLD);
    } catch (const weft::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    MPI_Finalize();
    return worst < 1e-14 ? 0 : 1;
}
