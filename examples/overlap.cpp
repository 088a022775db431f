// Several transforms in flight: each is started as soon as its field has been made, and goes on
// while the next one is made. Checks that every spectrum is the one number that it has to be.
//
//     cmake --build build --target example_overlap
//     mpirun -n 2 build/bin/example_overlap
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <weft/weft.hpp>

using Complex = std::complex<double>;

constexpr weft::Index n = 24;
constexpr int fields = 3;

// A field, its spectrum, and the transform between them.
struct Field {
    weft::Array<Complex> in;
    weft::Array<Complex> out;
    weft::Transform fft;

    explicit Field(const weft::Plan& plan)
        : in(plan.in_size()), out(plan.out_size()), fft(plan.bind(in.data(), out.data())) {}
};

// Calls visit(index, element) for all of a rank's part.
template <class Visit>
void for_each(const std::vector<weft::Box>& boxes, const std::vector<weft::Index>& stride,
              Visit visit) {
    for (const weft::Box& box : boxes)  // one, or none
        for (weft::Index i = box.lo[0]; i < box.hi[0]; ++i)
            for (weft::Index j = box.lo[1]; j < box.hi[1]; ++j)
                for (weft::Index k = box.lo[2]; k < box.hi[2]; ++k)
                    visit(std::array{i, j, k}, (i - box.lo[0]) * stride[0] +
                                                   (j - box.lo[1]) * stride[1] +
                                                   (k - box.lo[2]) * stride[2]);
}

// The wave of that number along axis 1. Transforms go on only while weft is called, so those in
// flight are given a chance once for each plane: a test of one advances all.
void make_wave(const weft::Plan& plan, Field& field, int number, weft::Transform* in_flight) {
    for_each(plan.in_boxes(plan.rank()), plan.in_strides(plan.rank()),
             [&](const std::array<weft::Index, 3>& index, weft::Index at) {
                 const double angle =
                     2 * M_PI * number * static_cast<double>(index[1]) / static_cast<double>(n);
                 field.in[at] = std::polar(1.0, angle);
                 if (in_flight != nullptr && index[1] == 0 && index[2] == 0) in_flight->test();
             });
}

// How far a spectrum is from n^3 at (0, number, 0) and 0 elsewhere.
double error_of(const weft::Plan& plan, const Field& field, int number) {
    constexpr auto elements = static_cast<double>(n * n * n);
    double worst = 0;
    for_each(plan.out_boxes(plan.rank()), plan.out_strides(plan.rank()),
             [&](const std::array<weft::Index, 3>& index, weft::Index at) {
                 const bool peak = index == std::array<weft::Index, 3>{0, number, 0};
                 worst = std::max(worst, std::abs(field.out[at] / elements - (peak ? 1.0 : 0.0)));
             });
    return worst;
}

double waves(MPI_Comm comm) {
    const weft::Plan plan({.shape = {n, n, n}}, comm);
    std::vector<Field> all;
    all.reserve(fields);
    for (int f = 0; f < fields; ++f) all.emplace_back(plan);
    for (int f = 0; f < fields; ++f) {
        const auto number = static_cast<std::size_t>(f);
        make_wave(plan, all[number], f, f > 0 ? &all[number - 1].fft : nullptr);
        all[number].fft.start_forward();  // in the same order on all ranks
    }
    double worst = 0;
    for (int i = 0; i < fields; ++i) {
        const int f = (i + plan.rank()) % fields;  // here any order will do
        all[static_cast<std::size_t>(f)].fft.wait();
        worst = std::max(worst, error_of(plan, all[static_cast<std::size_t>(f)], f));
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (plan.rank() == 0) std::printf("%s\nerror %.1e\n", plan.explain().c_str(), worst);
    return worst;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double worst = 1;
    try {
        worst = waves(MPI_COMM_WORLD);
    } catch (const weft::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    MPI_Finalize();
    return worst < 1e-14 ? 0 : 1;
}
