// weft beside FFTW-MPI: forward c2c double transforms of one array, slabs in, transposed out (where
// it falls), both planned with FFTW_MEASURE, repeats interleaved. Each repeat is the slowest rank's
// time; medians and quartiles are printed as one JSON object.
//
//     mpirun -n 2 bin/weft_against_fftw_mpi --shape 128 128 128 --repeat 41
#include <fftw3-mpi.h>
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <complex>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "weft/weft.hpp"

namespace {

using Complex = std::complex<double>;

/// The slowest rank's time of one call, with all ranks starting together.
double timed(const std::function<void()>& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    double time = -MPI_Wtime();
    call();
    time += MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return time;
}

nlohmann::json quartiles(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double part) {
        return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
    };
    return {{"median", at(0.5)}, {"q1", at(0.25)}, {"q3", at(0.75)}};
}

/// FFTW-MPI's own transform of the same slabs, in place, as its manual advises.
class FftwMpi {
  public:
    explicit FftwMpi(const std::vector<weft::Index>& shape) {
        fftw_mpi_init();
        ptrdiff_t n0 = 0;
        ptrdiff_t start0 = 0;
        ptrdiff_t n1 = 0;
        ptrdiff_t start1 = 0;
        const ptrdiff_t size = fftw_mpi_local_size_3d_transposed(
            shape[0], shape[1], shape[2], MPI_COMM_WORLD, &n0, &start0, &n1, &start1);
        data_ = fftw_alloc_complex(static_cast<std::size_t>(size));
        plan_ = fftw_mpi_plan_dft_3d(shape[0], shape[1], shape[2], data_, data_, MPI_COMM_WORLD,
                                     FFTW_FORWARD, FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT);
        for (ptrdiff_t i = 0; i < size; ++i) {
            data_[i][0] = 0;
            data_[i][1] = 0;
        }
    }
    ~FftwMpi() {
        fftw_destroy_plan(plan_);
        fftw_free(data_);
    }
    FftwMpi(const FftwMpi&) = delete;
    FftwMpi& operator=(const FftwMpi&) = delete;
    void forward() { fftw_execute(plan_); }

  private:
    fftw_complex* data_ = nullptr;
    fftw_plan plan_ = nullptr;
};

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown";
}

void compare(const std::vector<weft::Index>& shape, const std::string& choice, int repeat) {
    weft::Problem problem;
    problem.shape = shape;
    problem.in = weft::slab(0);
    const weft::Plan plan(problem, MPI_COMM_WORLD, weft::parse_choice(choice));
    auto in = weft::allocate<Complex>(plan.in_size());
    auto out = weft::allocate<Complex>(plan.out_size());
    weft::Transform weft_transform = plan.bind(in.data(), out.data());
    FftwMpi fftw(shape);

    std::vector<double> weft_times;
    std::vector<double> fftw_times;
    constexpr int warm_up = 3;
    for (int i = 0; i < warm_up + repeat; ++i) {
        const double a = timed([&] { weft_transform.forward(); });
        const double b = timed([&] { fftw.forward(); });
        if (i < warm_up) continue;
        weft_times.push_back(a);
        fftw_times.push_back(b);
    }
    if (plan.rank() != 0) return;
    nlohmann::json result;
    result["plan"] = plan.text();
    result["processor"] = processor();
    result["cores"] = std::thread::hardware_concurrency();
    result["weft_s"] = quartiles(weft_times);
    result["fftw_mpi_s"] = quartiles(fftw_times);
    result["ratio"] =
        result["weft_s"]["median"].get<double>() / result["fftw_mpi_s"]["median"].get<double>();
    fmt::print("{}\n", result.dump());
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    CLI::App app("weft beside FFTW-MPI, transposed output, c2c double");
    std::vector<weft::Index> shape = {128, 128, 128};
    std::string choice;
    int repeat = 41;
    app.add_option("--shape", shape, "three lengths")->expected(3);
    app.add_option("--choice", choice, "weft's choice, as 'via=alltoallw'");
    app.add_option("--repeat", repeat, "counted repeats")->check(CLI::PositiveNumber);
    int code = 0;
    try {
        app.parse(argc, argv);
        compare(shape, choice, repeat);
    } catch (const CLI::ParseError& error) {
        code = app.exit(error);
    } catch (const weft::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        code = static_cast<int>(error.code());
    }
    MPI_Finalize();
    return code;
}
