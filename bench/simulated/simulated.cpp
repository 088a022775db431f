// Transforms on a simulated machine: weft's own programs and messages on ranks of SimGrid's SMPI,
// whose network is simulated. What ranks compute and copy is really done, so that results can be
// compared, but takes the time that the model has for it; bench/README.md.
#include <fmt/format.h>
#include <mpi.h>
#include <smpi/smpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/state.hpp"
#include "fft/engine.hpp"
#include "measure/files.hpp"
#include "memory/buffer.hpp"
#include "model/machine_file.hpp"
#include "model/operation_seconds.hpp"
#include "net/mpi_error.hpp"
#include "run/executor.hpp"
#include "verify/signal.hpp"
#include "weft/error.hpp"
#include "weft/plan.hpp"

namespace {

using namespace weft;
using Complex = std::complex<double>;

/// Of a simulated processor, so that `processor` flops take a second; platforms say so too.
constexpr double processor = 1e9;

/// The point (1, 2, 3, ..) of an array.
std::vector<Index> impulse_point(const std::vector<Index>& shape) {
    std::vector<Index> point;
    for (const Index n : shape) point.push_back(static_cast<Index>(point.size() + 1) % n);
    return point;
}

double largest(double mine, MPI_Comm comm) {
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, comm),
                    "MPI_Allreduce");
    return mine;
}

/// A c2c transform in double precision that is run operation by operation.
class Simulated {
  public:
    Simulated(const std::string& text, const core::Machine& machine, MPI_Comm comm)
        : plan_(Plan::parse(text, comm)),
          comm_(comm),
          programs_(state(), plan_.rank()),
          net_(comm),
          in_(bytes(plan_.in_size())),
          out_(bytes(plan_.out_size())),
          workspace_(programs_.memory.workspace_bytes),
          seconds_(core::operation_seconds(programs_.forward, state(), machine,
                                           core::stage_bytes(programs_.forward, state()))) {
        programs_.join(net_);
        programs_.share(net_);
        const core::Workers workers{team_};
        core::EnginePlans plans(core::native_engine(), Effort::estimate, workers);
        executor_.emplace(programs_.forward,
                          core::Bound{in_.data(), out_.data(), workspace_.data()}, plans, workers,
                          net_);
        executor_->connect();
    }

    [[nodiscard]] std::string text() const { return plan_.text(); }

    /// Collective. Simulated seconds of the slowest rank, where all start at the same time.
    double run() {
        core::check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
        const double begin = largest(MPI_Wtime(), comm_) + 1e-3;
        work(begin - MPI_Wtime());
        executor_->start();
        while (!executor_->done()) {
            work(seconds_[executor_->next()]);
            executor_->advance(true);
        }
        return largest(MPI_Wtime() - begin, comm_);
    }

    /// Of an impulse, whose transform has values of size 1.
    void put_impulse() {
        const std::vector<Index> at = impulse_point(shape());
        auto* const in = reinterpret_cast<Complex*>(in_.data());
        core::for_points(state().at.front(), plan_.rank(),
                         [&](const std::vector<Index>& point, Index offset) {
                             in[offset] = point == at ? 1 : 0;
                         });
    }
    /// Collective. The largest error of its transform.
    double impulse_error() {
        const std::vector<Index> at = impulse_point(shape());
        const auto* const out = reinterpret_cast<const Complex*>(out_.data());
        double error = 0;
        core::for_points(
            state().at.back(), plan_.rank(), [&](const std::vector<Index>& point, Index offset) {
                double turns = 0;
                for (std::size_t a = 0; a < at.size(); ++a) {
                    turns -=
                        static_cast<double>(point[a] * at[a]) / static_cast<double>(shape()[a]);
                }
                const Complex right = std::polar(1.0, 2 * std::numbers::pi * turns);
                error = std::max(error, std::abs(out[offset] - right));
            });
        return largest(error, comm_);
    }

  private:
    static Index bytes(Index elements) { return Index{sizeof(Complex)} * elements; }
    static void work(double seconds) {
        if (seconds > 0) smpi_execute_flops(seconds * processor);
    }
    [[nodiscard]] const core::Plan& state() const { return Internals::plan(plan_); }
    [[nodiscard]] const std::vector<Index>& shape() const { return state().problem.shape; }

    Plan plan_;
    MPI_Comm comm_;
    core::Programs programs_;
    core::MpiNet net_;
    core::Team team_{1};
    core::Buffer in_;
    core::Buffer out_;
    core::Buffer workspace_;
    std::vector<double> seconds_;  ///< that operations work
    std::optional<core::Executor> executor_;
};

/// Collective. The line of results of one plan, which is run once: nothing varies.
std::string result(const std::string& text, const core::Machine& machine, MPI_Comm comm) {
    Simulated simulated(text, machine, comm);
    simulated.put_impulse();
    const double seconds = simulated.run();
    const double error = simulated.impulse_error();
    if (!(error < 1e-9)) {
        throw std::runtime_error(
            fmt::format("{}: the transform of an impulse is wrong by {:g}", text, error));
    }
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    nlohmann::ordered_json line;
    line["asked"] = text;
    line["plan"] = simulated.text();
    line["ranks"] = ranks;
    line["simulated_s"] = seconds;
    return line.dump() + "\n";
}

int run(const std::string& cases, const std::string& machine_file, const std::string& json) {
    MPI_Init(nullptr, nullptr);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = 0;
    try {
        const core::Machine machine =
            core::parse_machine(cli::read_file(machine_file), machine_file);
        std::istringstream texts(cli::read_file(cases));
        std::string lines;
        for (std::string text; std::getline(texts, text);) {
            lines += result(text, machine, MPI_COMM_WORLD);
            if (rank == 0) cli::write_file(json, lines);
        }
    } catch (const std::exception& error) {
        if (rank == 0) fmt::print(stderr, "simulated: {}\n", error.what());
        code = 1;
    }
    // SMPI 3.32 fails in MPI_Finalize, where it deletes the attributes of a communicator that it
    // has let go of. Its ranks are threads of one process: once all are here, that can end.
    MPI_Barrier(MPI_COMM_WORLD);
    std::_Exit(code);
}

}  // namespace

__attribute__((visibility("default"))) int main(int argc, char** argv) {
    std::string cases;
    std::string machine;
    std::string json;
    CLI::App app("what transforms take on a simulated machine");
    app.add_option("--cases", cases, "a file of plan requests, one a line")->required();
    app.add_option("--machine", machine, "the machine's description")->required();
    app.add_option("--json", json, "for the results, one object a line")->required();
    CLI11_PARSE(app, argc, argv);
    return run(cases, machine, json);
}
